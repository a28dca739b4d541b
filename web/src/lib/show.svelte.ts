import type { Line, Piece, View } from "./types";

/** One thing that is shown on the map: somebody moves, fires, or something becomes of somebody. */
export interface Scene {
  id: string;
  kind: "move" | "fire" | "result";
  text: string;
  from?: string;
  to: string;
  face?: string;
  dice?: number[];
  label?: string;
  bad?: boolean;
}

export const SPEEDS = { slow: 1500, normal: 800, fast: 350, off: 0 } as const;
export type Speed = keyof typeof SPEEDS;

/** Lines that need no telling again: the log has them. */
const NOISE = new Set(["Rolled", "MoveBegan", "MoveEnded", "PhaseBegan", "Passed", "TurnBegan", "MfSpent", "RoutBegan", "RoutEnded", "PointsRolled", "Allowance", "CountedDown", "MarkersRemoved", "Commanded", "TookBack", "Placed", "Faced", "Turned", "RateKept"]);
const LABELS: Record<string, string> = { Broke: "breaks", Pinned: "pinned", Eliminated: "eliminated", Reduced: "reduced", Wounded: "wounded", Revealed: "revealed", Lost: "lost", PinnedDown: "pinned", WeaponBroke: "breaks down", UnitRemoved: "out of the battle", Captured: "taken", MadeDesperate: "DM", Activated: "activated", ObjectiveTaken: "taken" };
const BAD = new Set(["Broke", "Eliminated", "Reduced", "Wounded", "Lost", "UnitRemoved", "LeaderLost"]);

const list = (value: unknown): string[] => (Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : typeof value === "string" && value ? [value] : []);

/** What of a log line can be shown on the map. */
export function sceneOf(line: Line, pieces: ReadonlyMap<string, Piece>, dice: number[] | undefined): Scene | null {
  const event = (line.event ?? {}) as Record<string, unknown>;
  const to = String(event["at"] ?? "") || line.cells?.at(-1) || "";
  if (!to) return null;
  const actors = [...list(event["firers"]), ...list(event["units"]), ...list(event["pieces"]), ...list(event["weapon"]), ...list(event["unit"]), ...list(event["shooters"]), ...list(event["suspect"])];
  const actor = actors.map((id) => pieces.get(id)).find((piece) => piece);
  const from = String(event["frm"] ?? event["start"] ?? "");
  const base = { id: line.id, text: line.text, to, ...(actor ? { face: actor.face } : {}) };
  if (["Moved", "Advanced", "Routed", "Manhandled", "SuspectMoved"].includes(line.kind) && from) return { ...base, kind: "move", from };
  if (["Fired", "Shot", "Bombed"].includes(line.kind)) {
    const source = from || actor?.at || "";
    const result = typeof event["result"] === "string" ? (event["result"] === "-" ? "no effect" : event["result"]) : "hits" in event ? `${String(event["hits"])} hits` : event["hit"] === true ? "hit" : event["hit"] === false ? "miss" : "";
    return { ...base, kind: "fire", ...(source && source !== to ? { from: source } : {}), ...(dice ? { dice } : {}), ...(result ? { label: result } : {}) };
  }
  if (line.kind in LABELS) return { ...base, kind: "result", label: event["dummy"] === true ? "nothing" : LABELS[line.kind]!, bad: BAD.has(line.kind) };
  return null;
}

export interface Told {
  id: string;
  text: string;
  cells: string[];
  bad: boolean;
  dice?: { sides: number; faces: number[] } | null;
}

/** Shows on the map what others have done, one thing after another, and keeps the account of it. */
export class Show {
  now = $state.raw<Scene | null>(null);
  /** What has happened since the player's last decision. */
  account = $state.raw<Told[]>([]);
  running = $state(false);
  /** The account is of what the player has just done himself. */
  own = $state(false);
  #queue: Scene[] = [];
  #last: Scene[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #seen: string | null = null;

  constructor(
    private speed: () => Speed,
    private onscene: (scene: Scene) => void = () => undefined,
  ) {}

  /** New lines of the log, with the pieces as they were before and are now. */
  take(lines: readonly Line[], before: View | null, now: View | null, own: boolean): void {
    const last = lines.at(-1)?.id ?? "";
    if (this.#seen === null || !before) {
      this.#seen = last;
      return;
    }
    if (last === this.#seen) return;
    if (own || this.own) {
      this.skip();
      this.account = [];
    }
    this.own = own;
    const fresh = lines.slice(lines.findLastIndex((line) => line.id === this.#seen) + 1);
    this.#seen = last;
    const pieces = new Map([...(now?.pieces ?? []), ...(before?.pieces ?? [])].map((piece) => [piece.id, piece]));
    let dice: number[] | undefined;
    const scenes: Scene[] = [];
    for (const line of fresh) {
      if (line.dice) dice = line.dice.faces;
      const scene = sceneOf(line, pieces, dice);
      // What he moves himself a player has seen; what his fire comes to he has not.
      if (scene && !(own && scene.kind === "move")) scenes.push(scene);
      if (scene?.kind === "fire") dice = undefined;
    }
    const wanted = fresh.filter((line) => !NOISE.has(line.kind) || (own && line.dice));
    const told = wanted.map((line) => ({ id: line.id, text: line.text, cells: line.cells ?? [], bad: BAD.has(line.kind), dice: line.dice ?? null }));
    this.account = [...this.account, ...told].slice(-60);
    this.#last = this.running ? [...this.#last, ...scenes] : scenes.length ? scenes : this.#last;
    this.#queue.push(...scenes);
    if (!this.running) this.#next();
  }

  #next(): void {
    const pause = SPEEDS[this.speed()];
    const scene = this.#queue.shift();
    if (!scene || pause === 0) {
      this.skip();
      return;
    }
    this.running = true;
    this.now = scene;
    this.onscene(scene);
    // A long queue is told more quickly: nobody should wait for half a minute.
    const hurry = this.#queue.length > 12 ? 0.4 : 1;
    this.#timer = setTimeout(() => this.#next(), pause * hurry);
  }

  skip(): void {
    clearTimeout(this.#timer);
    this.#queue = [];
    this.now = null;
    this.running = false;
  }

  /** Once more, whatever was shown last. */
  again(): void {
    const scenes = this.#last;
    this.skip();
    this.#queue = [...scenes];
    this.#next();
  }
}
