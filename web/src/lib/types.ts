// The forms of docs/api.md. Fields with their default value may be missing in what the server sends.

export interface User {
  id: string;
  name: string;
  guest: boolean;
  notify?: { email?: string; email_confirmed?: boolean; webhook?: string; on?: string[] };
  notify_possible?: { email: boolean; webhook: boolean };
  settings?: Record<string, unknown>;
}

export interface Option {
  id: string;
  label: string;
  values: string[];
  help?: string;
}

export interface Scenario {
  id: string;
  title: string;
  sides: string[];
  summary?: string;
  length?: string;
  first?: string;
  options?: Option[];
  reconstructed?: string[];
  facts?: [string, string][];
  side_labels?: Record<string, string>;
  picture?: string;
  /** Games between two computer players of the same level, and how many each side has won. */
  chances?: { games: number; won: Record<string, number> } | null;
  /** Options that make it more even. */
  even?: Record<string, string>;
}

export interface Player {
  level: string;
  title: string;
  summary?: string;
  /** It looks ahead, and its thinking time can be chosen. */
  thinks?: boolean;
}

export interface Game {
  id: string;
  title: string;
  lessons?: number;
  players?: Player[];
  scenarios: Scenario[];
}

export interface Seat {
  side: string;
  kind: "person" | "computer" | "open";
  name?: string;
  guest?: boolean;
  level?: string;
  connected?: boolean;
}

export interface Result {
  winner: string;
  reason: string;
  rule?: string;
  how?: string;
}

export interface MatchInfo {
  id: string;
  game: string;
  scenario: string;
  title?: string;
  scenario_title?: string;
  game_title?: string;
  options?: Record<string, string>;
  status: "waiting" | "running" | "over" | "study";
  version: number;
  sides: string[];
  seats: Seat[];
  to_act?: string[];
  turn?: string;
  phase?: string;
  yours?: string[];
  your_turn?: boolean;
  creator?: boolean;
  clock?: { bank: number; increment: number } | null;
  invitations?: Record<string, string>;
  watch?: string;
  result?: Result | null;
  created?: number;
  changed?: number;
  commitment?: string;
  lesson?: Lesson | null;
  hidden?: boolean;
}

export interface Lesson {
  id: string;
  title: string;
  summary?: string;
  side?: string;
  steps: { text: string; cells?: string[]; pieces?: string[]; until?: string }[];
}

export interface Cell {
  id: string;
  x: number;
  y: number;
  outline: [number, number][];
  label?: string;
  terrain?: string;
  level?: number;
  facts?: [string, string, string?][];
  neighbours?: (string | null)[];
}

export interface SceneBox {
  id: string;
  label: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Scene {
  grid?: "hex" | "square" | "area";
  width?: number;
  height?: number;
  picture?: string;
  cells: Cell[];
  directions?: number[];
  piece_size?: number;
  boxes?: SceneBox[];
  sides?: Record<string, { label: string; colour: string }>;
  /** Whether the game has lines of sight. */
  sight?: boolean;
  /** Lines that can be shown: each names a field of the view's `extra`, cells by the cell where a line begins. */
  layers?: { id: string; label: string; none?: string }[];
  legend?: { face: string; label: string; text?: string; rule?: string }[];
}

export interface Piece {
  id: string;
  at: string;
  face: string;
  label: string;
  side?: string;
  facing?: number | null;
  within?: string;
  markers?: string[];
  facts?: [string, string][];
}

export interface Mark {
  at: string;
  face: string;
  label: string;
  side?: string;
  spine?: number | null;
}

export interface Track {
  id: string;
  label: string;
  boxes: string[];
  at: number;
  note?: string;
}

export interface Row {
  label: string;
  value?: string;
  rule?: string;
  tone?: string;
}

export interface Panel {
  id: string;
  title: string;
  rows: Row[];
}

export interface View {
  side: string | null;
  version: number;
  turn: string;
  phase: string;
  active: string;
  prompt: string;
  prompt_rule?: string;
  to_act?: string[];
  pieces?: Piece[];
  marks?: Mark[];
  boxes?: { id: string; label: string; side?: string }[];
  tracks?: Track[];
  panels?: Panel[];
  focus?: string[];
  extra?: Record<string, unknown>;
}

export interface Choice {
  n: number;
  action: Record<string, unknown>;
  text: string;
  group?: string;
  pieces?: string[];
  cells?: string[];
  targets?: string[];
  rule?: string;
  key?: string;
  cost?: string;
  notes?: string[];
  facts?: [string, string][];
}

export interface Refusal {
  text: string;
  reason: string;
  rule?: string;
  pieces?: string[];
  cells?: string[];
}

export interface Tally {
  title: string;
  items?: [string, number, string?][];
}

export interface Preview {
  title: string;
  tallies?: Tally[];
  odds?: { label: string; chance: number; piece?: string }[];
  notes?: string[];
}

export interface Line {
  id: string;
  version: number;
  kind: string;
  text: string;
  cells?: string[];
  private?: boolean;
  by?: string;
  dice?: { sides: number; faces: number[]; why?: string };
  tally?: Tally;
  event?: Record<string, unknown>;
}

export interface ChatLine {
  n: number;
  name: string;
  side?: string;
  text: string;
  at: number;
  room?: string;
}

export interface Orders {
  forced?: boolean;
  absent?: "wait" | "pass";
  rules?: { unit: string; do: "never" | "ask" | "always"; only?: string[] }[];
}

export interface Request {
  kind: "undo" | "draw";
  by: string;
  text: string;
  yours?: boolean;
  answer?: boolean;
}

export interface Los {
  a: string;
  b: string;
  clear: boolean;
  text: string;
  rule?: string;
  range?: number;
  hindrance?: number;
  blocked_at?: string;
  line?: [number, number][];
  causes?: { cell: string; kind: string; label: string; value?: number; rule?: string }[];
}

export interface Path {
  cells: string[];
  total: string;
  judged?: boolean;
  steps: {
    cell: string;
    cost: string;
    total: string;
    action: Record<string, unknown>;
    note?: string;
    danger?: { at: string; piece: string; text: string; tally?: Tally; chance?: number; rule?: string }[];
  }[];
}

export interface Term {
  id: string;
  title: string;
  text: string;
  rule?: string;
  faces?: string[];
  words?: string[];
}

export interface Glossary {
  terms: Term[];
  rules: Record<string, string>;
}

export interface ReplayStep {
  n: number;
  side?: string;
  turn: string;
  phase: string;
  text: string;
  kind: "start" | "action" | "takeback";
  dice?: boolean;
}
