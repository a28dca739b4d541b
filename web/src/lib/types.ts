// The forms of docs/api.md. Fields with their default value may be missing in what the server sends.
// Messages of a match are in wire.ts, which is made from the server's own types.

import type { Result } from "./wire";

export type {
  Cause,
  ChatLine,
  Choice,
  Goal,
  Line,
  Los,
  Mark,
  OddsLine,
  OrderRule,
  Orders,
  Panel,
  Path,
  Piece,
  Plan,
  Preview,
  Refusal,
  Request,
  Result,
  Row,
  Say,
  Tally,
  Told,
  Track,
  View,
} from "./wire";

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
  /** What is offered first where people choose, if not the first value. */
  page?: string;
  /** The values in words. */
  names?: string[];
  /** How the rules are read: shown apart from the others. */
  reading?: boolean;
}

export interface Scenario {
  id: string;
  title: string;
  sides: string[];
  /** Sides that nobody plays: the rules lead them. */
  ruled?: string[];
  summary?: string;
  length?: string;
  first?: string;
  /** Its matches roll their own map: there is none to show before. */
  own_map?: boolean;
  options?: Option[];
  reconstructed?: string[];
  facts?: [string, string][];
  side_labels?: Record<string, string>;
  picture?: string;
  /** The map with the counters as they begin. */
  card?: string;
  /** Games between two computer players of the same level, and how many each side has won. */
  chances?: { games: number; won: Record<string, number> } | null;
  /** Options that make it more even. */
  even?: Record<string, string>;
  /** The same games with them. */
  even_chances?: { games: number; won: Record<string, number> } | null;
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
  /** Whether somebody new begins with it. */
  beginners?: boolean;
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
  /** Those who share the side with its commander. */
  partners?: { n: number; name: string; link?: string | null; give?: number | null; ends?: boolean }[];
  /** Whether I share it with its commander. */
  shares?: boolean;
}

/** A printed table of a game: rows begin with their key. */
export interface Chart {
  title: string;
  columns: string[];
  rows: string[][];
  /** The row that the name of the table has told: `A4b 5`. */
  row?: string;
  rule?: string;
  notes?: string[];
  house?: boolean | string;
  confidence?: string;
  rulings?: string[];
}

export interface MatchInfo {
  id: string;
  /** Whether the match makes its own map. */
  own_map?: boolean;
  game: string;
  scenario: string;
  title?: string;
  scenario_title?: string;
  game_title?: string;
  options?: Record<string, string>;
  status: "waiting" | "running" | "over" | "study";
  version: number;
  sides: string[];
  /** What the sides are called. */
  side_labels?: Record<string, string>;
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
  numbers?: string[];
  seeded?: boolean;
  lesson?: Lesson | null;
  hidden?: boolean;
}

export interface Lesson {
  id: string;
  title: string;
  summary?: string;
  side?: string;
  steps: { text: string; cells?: string[]; pieces?: string[]; until?: string; only?: string }[];
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
  /** Degrees from straight up at which north lies. */
  north?: number;
  /** What the sides want, on the map: edges to leave by, places to take. */
  aims?: { side: string; kind: "exit" | "take" | "keep"; label: string; cells: string[] }[];
  /** The table is seen from the other side. */
  turned?: boolean;
  legend?: { face: string; label: string; text?: string; rule?: string }[];
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

/** The story of a match, as far as the client shows it. */
export interface Story {
  sides: string[];
  moments: { step: number; turn: string; phase: string; chances?: Record<string, number> }[];
  losses?: { step: number; side: string; at: string; text: string; turn: string }[];
  luck?: { side: string; kind: string; rolls: number; dice: number; mean: number; fair: number; luck?: number }[];
  points?: { step: number; turn: string; phase: string; side: string; gain: number; text: string }[];
  steps?: number;
}

export interface BoardRow {
  name: string;
  title: string;
  origin: "shipped" | "imported" | "generated" | "own";
  types?: string[];
  error?: string;
}

/** Which boards a scenario may roll, and which of them are at hand; empty when it rolls none. */
export interface BoardsHere {
  tables: string[];
  terrains: { type: string; percent: number; shipped: string[]; printed: { number: string; board: string; imported: boolean; percent: number }[] }[];
  printed: number;
  have: number;
  percent: number;
}

/** Whether a friend in this network can be let in, and where he finds this machine. */
export interface Network {
  offered: boolean;
  url: string;
}
