// Made by tools/web_types.py from the server's types: do not edit, run the tool again.
// Fields with their default value may be missing in what the server sends.

/** The whole picture. */
export interface Welcome {
  t: "welcome";
  id?: number | string | null;
  version: number;
  now: number;
  log?: Line[];
  actions?: Choice[];
  refusals?: Refusal[];
  undo?: UndoState | null;
  handover?: Handover | null;
  waits?: string;
  lesson?: LessonState | null;
  requests?: Request[];
  clocks?: Record<string, any> | null;
  result?: Result | null;
  match: Record<string, any>;
  side: string | null;
  yours: string[];
  view: View;
  chat?: ChatLine[];
  pace?: string;
  thinking?: string;
  orders?: Orders | null;
}

/** A line of the log as clients get it. */
export interface Line {
  id: string;
  version: number;
  kind: string;
  text: string;
  cells?: string[];
  private?: boolean;
  by?: string;
  dice?: RolledDice | null;
  tally?: Tally | null;
  event?: any;
}

/** Dice of a log line. */
export interface RolledDice {
  sides: number;
  faces: number[];
  why?: string;
}

/** An itemised sum; the same value decides, is previewed and is logged. */
export interface Tally {
  title: string;
  items?: [string, number, string?][];
}

/** A legal action as clients get it; the fields after `action` are those of a description. */
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
  role?: string;
  warning?: string;
}

/** Something that a player may look for but that is forbidden now, with the reason and the rule. */
export interface Refusal {
  text: string;
  reason: string;
  rule?: string;
  pieces?: string[];
  cells?: string[];
}

/** Whether the last action can be taken back. */
export interface UndoState {
  possible: boolean;
  why_not?: string;
  ask?: boolean;
}

/** Another side of the same account decides next. */
export interface Handover {
  to: string;
  curtain?: boolean;
}

/** How far the player of a lesson has come: the step he is at, and those that were passed over. */
export interface LessonState {
  step: number;
  passed?: number[];
  cut_short?: boolean;
}

/** An open question between the players. */
export interface Request {
  kind: "undo" | "draw";
  by: string;
  text: string;
  yours?: boolean;
  answer?: boolean;
}

/** How a match ended, also other than by the rules. */
export interface Result {
  winner: string;
  reason: string;
  rule?: string;
  how?: string;
}

/** A view as it is sent: with the step it belongs to. */
export interface View {
  side: string | null;
  turn: string;
  phase: string;
  active: string;
  prompt: string;
  prompt_rule?: string;
  pieces?: Piece[];
  marks?: Mark[];
  boxes?: Box[];
  tracks?: Track[];
  panels?: Panel[];
  focus?: string[];
  bare?: boolean;
  extra?: Record<string, any>;
  version: number;
  to_act?: string[];
  outcome?: Result | null;
}

/** A counter, figure or weapon that the side may see. */
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
  tag?: string;
}

/** Something that lies in a cell but is not a piece: smoke, residual fire, control, an objective. */
export interface Mark {
  at: string;
  face: string;
  label: string;
  side?: string;
  spine?: number | null;
}

/** A place off the map that holds pieces: a holding box, a casualty pile, reinforcements. */
export interface Box {
  id: string;
  label: string;
  side?: string;
}

/** A row of boxes with a marker: turns, phases, supply. */
export interface Track {
  id: string;
  label: string;
  boxes: string[];
  at: number;
  note?: string;
}

/** A titled list: victory standing, command points, a battle board. */
export interface Panel {
  id: string;
  title: string;
  rows: Row[];
}

/** A line of a panel; a good or bad tone is for people, not for rules. */
export interface Row {
  label: string;
  value?: string;
  rule?: string;
  tone?: string;
}

/** Something said. */
export interface ChatLine {
  n: number;
  name: string;
  side: string;
  text: string;
  at: number;
  room?: string;
}

/** How a player's decisions in the other side's move are answered for him. */
export interface Orders {
  forced?: boolean;
  idle?: boolean;
  open?: string[];
  absent?: string;
  rules?: OrderRule[];
}

/** A standing order for a unit, or for the whole side if the unit is empty. */
export interface OrderRule {
  unit?: string;
  do?: string;
  only?: string[];
}

/** What has changed since the view of step `base`. */
export interface Update {
  t: "update";
  id?: number | string | null;
  version: number;
  now: number;
  log?: Line[];
  actions?: Choice[];
  refusals?: Refusal[];
  undo?: UndoState | null;
  handover?: Handover | null;
  waits?: string;
  lesson?: LessonState | null;
  requests?: Request[];
  clocks?: Record<string, any> | null;
  result?: Result | null;
  base: number;
  view?: View | null;
  patch?: Record<string, any> | null;
}

/** A receipt; `did` is the number of actions of a plan that were done. */
export interface Done {
  t: "done";
  id?: number | string | null;
  version: number;
  did?: number;
}

export interface PreviewAnswer {
  t: "preview";
  id?: number | string | null;
  preview?: Preview | null;
}

/** What an action would come to, before it is committed. */
export interface Preview {
  title: string;
  tallies?: Tally[];
  odds?: OddsLine[];
  notes?: string[];
}

/** A result and its exact probability. */
export interface OddsLine {
  label: string;
  chance: number;
  piece?: string;
  decides?: boolean;
}

export interface PathAnswer {
  t: "path";
  id?: number | string | null;
  path?: Path | null;
}

/** A way for pieces to a cell. */
export interface Path {
  cells: string[];
  total?: string;
  steps?: PathStep[];
  judged?: boolean;
}

/** One step of a path, with the action that makes it. */
export interface PathStep {
  cell: string;
  cost?: string;
  total?: string;
  action?: Record<string, unknown> | null;
  note?: string;
  danger?: Danger[];
}

/** An enemy who may fire at a cell of a path, as far as the mover may know. */
export interface Danger {
  at: string;
  text: string;
  piece?: string;
  tally?: Tally | null;
  chance?: number;
  rule?: string;
}

/** What the pieces can do there, or the rule that forbids it. */
export interface PlanAnswer {
  t: "plan";
  id?: number | string | null;
  plans?: Plan[];
  why?: Refusal | null;
}

/** Something that the pieces can do there: all its actions in their order, and words for the last. */
export interface Plan {
  actions: Record<string, unknown>[];
  text: string;
  role?: string;
  group?: string;
  pieces?: string[];
  left?: string[];
  cells?: string[];
  targets?: string[];
  rule?: string;
  cost?: string;
  notes?: string[];
  more?: boolean;
  preview?: Preview | null;
  path?: Path | null;
}

/** Places within reach, and the danger in them. */
export interface GoalsAnswer {
  t: "goals";
  id?: number | string | null;
  goals?: Goal[];
  danger?: Record<string, number>;
}

/** A place that pieces can reach or act on, before it is pointed at. */
export interface Goal {
  cell: string;
  kind: string;
  text?: string;
  cost?: string;
  targets?: string[];
  chance?: number | null;
  label?: string;
}

export interface LosAnswer {
  t: "los";
  id?: number | string | null;
  los: Los;
}

/** A line of sight, as the rules judge it. */
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
  causes?: Cause[];
}

/** One thing on a line of sight. */
export interface Cause {
  cell: string;
  kind: string;
  label: string;
  value?: number;
  rule?: string;
}

export interface VisibleAnswer {
  t: "visible";
  id?: number | string | null;
  a: string;
  cells?: Record<string, number>;
  blocked?: string[];
}

export interface ChatMessage {
  t: "chat";
  id?: number | string | null;
  lines: ChatLine[];
}

export interface Presence {
  t: "presence";
  id?: number | string | null;
  connected?: Record<string, boolean>;
  observers?: number;
}

export interface Thinking {
  t: "thinking";
  id?: number | string | null;
  side: string;
}

export interface MatchMessage {
  t: "match";
  id?: number | string | null;
  match: Record<string, any>;
}

export interface OrdersMessage {
  t: "orders";
  id?: number | string | null;
  orders: Orders;
}

export interface Refusing {
  t: "refused";
  id?: number | string | null;
  code: string;
  text: string;
  rule?: string;
}

export interface Pong {
  t: "pong";
  id?: number | string | null;
  now: number;
}

export type Told = Welcome | Update | Done | PreviewAnswer | PathAnswer | PlanAnswer | GoalsAnswer | LosAnswer | VisibleAnswer | ChatMessage | Presence | Thinking | MatchMessage | OrdersMessage | Refusing | Pong;

export interface SayAct {
  t: "act";
  version: number;
  n?: number | null;
  action?: Record<string, unknown>;
  then?: Record<string, unknown>[];
  whole?: boolean;
  id?: number | string | null;
}

export interface SayUndo {
  t: "undo";
  version?: number | null;
  id?: number | string | null;
}

export interface SayAskUndo {
  t: "ask_undo";
  id?: number | string | null;
}

export interface SayAnswerTo {
  t: "answer";
  kind: string;
  agree: boolean;
  id?: number | string | null;
}

export interface SayOfferDraw {
  t: "offer_draw";
  id?: number | string | null;
}

export interface SayResign {
  t: "resign";
  id?: number | string | null;
}

export interface SayClaimTimeout {
  t: "claim_timeout";
  id?: number | string | null;
}

export interface SaySay {
  t: "chat";
  text: string;
  room?: string;
  id?: number | string | null;
}

export interface SaySetOrders {
  t: "orders";
  orders: Orders;
  id?: number | string | null;
}

export interface SayAskPreview {
  t: "preview";
  version: number;
  n?: number | null;
  action?: Record<string, unknown>;
  id?: number | string | null;
}

export interface SayAskPath {
  t: "path";
  pieces: string[];
  to: string;
  via?: string[];
  id?: number | string | null;
}

/** What can these pieces do at that place, or with that piece? */
export interface SayAskPlan {
  t: "plan";
  version: number;
  pieces?: string[];
  cell?: string;
  target?: string;
  id?: number | string | null;
}

/** Where can these pieces go, and what can they act on? */
export interface SayAskGoals {
  t: "goals";
  version: number;
  pieces: string[];
  id?: number | string | null;
}

/** Ask me about the step that was passed for me at this version, if it can still be taken back. */
export interface SayReopen {
  t: "reopen";
  version: number;
  id?: number | string | null;
}

export interface SayAskLos {
  t: "los";
  a: string;
  b: string;
  id?: number | string | null;
}

export interface SayAskVisible {
  t: "visible";
  a: string;
  id?: number | string | null;
}

export interface SayTakeSeat {
  t: "seat";
  side: string;
  id?: number | string | null;
}

/** Put units into the platoon of a player who shares my side; 0 is the commander. */
export interface SayPlatoon {
  t: "platoon";
  pieces: string[];
  to: number;
  id?: number | string | null;
}

export interface SayAddNumber {
  t: "number";
  number: string;
  id?: number | string | null;
}

export interface SaySetPace {
  t: "pace";
  pace: string;
  id?: number | string | null;
}

export interface SayResync {
  t: "resync";
  id?: number | string | null;
}

export interface SayPing {
  t: "ping";
  id?: number | string | null;
}

export type Say = SayAct | SayUndo | SayAskUndo | SayAnswerTo | SayOfferDraw | SayResign | SayClaimTimeout | SaySay | SaySetOrders | SayAskPreview | SayAskPath | SayAskPlan | SayAskGoals | SayReopen | SayAskLos | SayAskVisible | SayTakeSeat | SayPlatoon | SayAddNumber | SaySetPace | SayResync | SayPing;
