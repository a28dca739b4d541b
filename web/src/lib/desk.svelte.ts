import type { Live } from "./live.svelte";
import type { Choice, Los, Path, Piece, Preview } from "./types";

const touches = (choice: Choice, piece: string) => (choice.pieces ?? []).includes(piece);

/** The cell that a choice aims at or goes to. */
export const goalOf = (choice: Choice) => (choice.cells ?? []).at(-1) ?? "";

/** The player's desk: what is selected, which choices that leaves, what is being previewed. */
export class Desk {
  selected = $state.raw<ReadonlySet<string>>(new Set());
  chosen = $state.raw<Choice | null>(null);
  preview = $state.raw<Preview | null>(null);
  menu = $state.raw<Choice[]>([]);
  path = $state.raw<Path | null>(null);
  los = $state.raw<Los | null>(null);
  visible = $state.raw<{ cells: Record<string, number>; blocked: string[] } | null>(null);
  cursor = $state<string | null>(null);
  message = $state("");
  busy = $state(false);

  constructor(readonly live: Live) {}

  /** Pieces that some choice acts with. */
  able = $derived.by(() => new Set(this.live.choices.flatMap((choice) => choice.pieces ?? [])));

  /** The choices that fit the selection; those without pieces always do. */
  fitting = $derived.by(() => {
    if (this.selected.size === 0) return this.live.choices;
    const fit = this.live.choices.filter((choice) => [...this.selected].every((piece) => touches(choice, piece)));
    return fit.length > 0 ? fit : this.live.choices.filter((choice) => !(choice.pieces ?? []).length);
  });

  goals = $derived.by(() => {
    const goals = new Map<string, string>();
    for (const choice of this.fitting) {
      const goal = goalOf(choice);
      if (goal) goals.set(goal, goals.has(goal) ? `${goals.get(goal)}\n${choice.text}` : choice.text);
    }
    return goals;
  });

  /** After every step the desk is tidied: what is gone cannot stay selected. */
  tidy(): void {
    this.chosen = null;
    this.preview = null;
    this.menu = [];
    this.path = null;
    const kept = [...this.selected].filter((piece) => this.able.has(piece));
    if (kept.length !== this.selected.size) this.selected = new Set(kept);
  }

  clear(): void {
    this.selected = new Set();
    this.los = null;
    this.visible = null;
    this.message = "";
    this.tidy();
  }

  pick(piece: Piece, add: boolean): void {
    const targeted = this.fitting.filter((choice) => (choice.targets ?? []).includes(piece.id));
    if (targeted.length > 0) {
      this.offer(targeted);
      return;
    }
    if (!this.able.has(piece.id)) {
      const refusal = this.live.refusals.find((one) => (one.pieces ?? []).includes(piece.id));
      this.message = refusal ? `${refusal.text}: ${refusal.reason}${refusal.rule ? ` (${refusal.rule})` : ""}` : "";
      if (this.goals.has(piece.at)) this.aim(piece.at);
      return;
    }
    const next = new Set(add ? this.selected : []);
    if (this.selected.has(piece.id)) next.delete(piece.id);
    else next.add(piece.id);
    this.selected = next;
    this.tidy();
    const direct = this.fitting.filter((choice) => touches(choice, piece.id));
    if (direct.length === 1 && next.size === 1 && !goalOf(direct[0]!)) void this.choose(direct[0]!);
  }

  /** A cell was pointed at: do what can be done there, or say why not. */
  aim(cell: string): void {
    const there = this.fitting.filter((choice) => goalOf(choice) === cell);
    if (there.length > 0) {
      this.offer(there);
      return;
    }
    const refusal = this.live.refusals.find(
      (one) => (one.cells ?? []).includes(cell) && (!one.pieces?.length || one.pieces.some((piece) => this.selected.has(piece))),
    );
    if (refusal) this.message = `${refusal.text}: ${refusal.reason}${refusal.rule ? ` (${refusal.rule})` : ""}`;
    else if (this.selected.size > 0) this.clear();
  }

  offer(choices: Choice[]): void {
    if (choices.length === 1) void this.choose(choices[0]!);
    else this.menu = choices;
  }

  /** Choose an action: one with odds is shown first and wants to be confirmed, any other is done. */
  async choose(choice: Choice): Promise<void> {
    if (this.busy) return;
    this.menu = [];
    if (this.chosen?.n === choice.n) {
      await this.act(choice);
      return;
    }
    const version = this.live.version;
    let preview: Preview | null = null;
    try {
      preview = await this.live.preview(choice);
    } catch (error) {
      this.message = (error as Error).message;
      return;
    }
    if (version !== this.live.version) return;
    if (preview && (preview.tallies?.length || preview.odds?.length)) {
      this.chosen = choice;
      this.preview = preview;
    } else {
      await this.act(choice);
    }
  }

  async act(choice: Choice): Promise<void> {
    await this.#carry(() => this.live.act(choice));
  }

  async walk(): Promise<void> {
    const path = this.path;
    if (path) await this.#carry(() => this.live.walk(path));
  }

  async #carry(what: () => Promise<unknown>): Promise<void> {
    this.busy = true;
    this.message = "";
    try {
      await what();
    } catch (error) {
      this.message = (error as Error).message;
    } finally {
      this.busy = false;
    }
  }

  async undo(): Promise<void> {
    await this.#carry(() => this.live.ask(this.live.undo.possible ? { t: "undo", version: this.live.version } : { t: "ask_undo" }));
  }

  async way(piece: Piece, to: string): Promise<void> {
    const pieces = this.selected.has(piece.id) ? [...this.selected] : [piece.id];
    try {
      this.path = await this.live.path(pieces, to);
    } catch {
      this.path = null;
    }
  }

  async line(a: string, b: string): Promise<void> {
    try {
      this.los = await this.live.los(a, b);
      this.message = "";
    } catch (error) {
      this.message = (error as Error).message;
    }
  }

  async shade(a: string): Promise<void> {
    if (this.visible) {
      this.visible = null;
      return;
    }
    try {
      this.visible = await this.live.visible(a);
    } catch (error) {
      this.message = (error as Error).message;
    }
  }
}
