import { passes } from "./keys";
import type { Live } from "./live.svelte";
import type { Choice, Los, Path, Piece, Preview, Refusal } from "./types";

const touches = (choice: Choice, piece: string) => (choice.pieces ?? []).includes(piece);
/** Groups whose choices without a goal begin a declaration that can be given up again. */
const STARTS = new Set(["set up", "fire"]);

/** The cell that a choice aims at or goes to. */
export const goalOf = (choice: Choice) => (choice.cells ?? []).at(-1) ?? "";
export const saying = (one: Refusal) => `${one.text}: ${one.reason}${one.rule ? ` (${one.rule})` : ""}`;

/** The player's desk: what is selected, which choices that leaves, what is being previewed. */
export class Desk {
  selected = $state.raw<ReadonlySet<string>>(new Set());
  chosen = $state.raw<Choice | null>(null);
  preview = $state.raw<Preview | null>(null);
  /** A look ahead at a choice that is pointed at. */
  peeked = $state.raw<{ choice: Choice; preview: Preview } | null>(null);
  menu = $state.raw<Choice[]>([]);
  /** The choice that is pointed at in a list: its pieces are shown on the map. */
  pointed = $state.raw<Choice | null>(null);
  path = $state.raw<Path | null>(null);
  los = $state.raw<Los | null>(null);
  visible = $state.raw<{ a: string; cells: Record<string, number>; blocked: string[] } | null>(null);
  cursor = $state<string | null>(null);
  message = $state("");
  busy = $state(false);
  /** The group of the last action done here, for the lessons. */
  done = $state.raw<{ group: string; version: number } | null>(null);
  #peek: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly live: Live,
    private confirms: () => boolean = () => true,
  ) {}

  where = $derived.by(() => new Map((this.live.view?.pieces ?? []).map((piece) => [piece.id, piece.at])));

  /** Pieces that some choice acts with. */
  able = $derived.by(() => new Set(this.live.choices.flatMap((choice) => choice.pieces ?? [])));

  /** Pieces that some fitting choice aims at. */
  aimed = $derived.by(() => new Set(this.fitting.flatMap((choice) => choice.targets ?? [])));

  /** The choices that fit the selection; those without pieces always do. */
  fitting = $derived.by(() => {
    if (this.selected.size === 0) return this.live.choices;
    const fit = this.live.choices.filter((choice) => [...this.selected].every((piece) => touches(choice, piece)));
    const any = fit.length > 0 ? fit : this.live.choices.filter((choice) => (choice.pieces ?? []).some((piece) => this.selected.has(piece)));
    return [...any, ...this.live.choices.filter((choice) => !(choice.pieces ?? []).length)];
  });

  /** Cells that a fitting choice leads to, other than where its pieces stand. */
  goals = $derived.by(() => {
    const goals = new Map<string, Choice[]>();
    for (const choice of this.fitting) {
      const goal = this.away(choice);
      if (goal) goals.set(goal, [...(goals.get(goal) ?? []), choice]);
    }
    return goals;
  });

  /** The goal of a choice, if it is not the place where its first piece stands. */
  away(choice: Choice): string {
    const goal = goalOf(choice);
    const first = choice.pieces?.[0];
    return goal && first && this.where.get(first) === goal && !choice.targets?.length ? "" : goal;
  }

  /** After every step the desk is tidied: what is gone cannot stay selected. */
  tidy(): void {
    this.chosen = null;
    this.preview = null;
    this.peeked = null;
    this.pointed = null;
    this.menu = [];
    this.path = null;
    this.visible = null;
    const kept = [...this.selected].filter((piece) => this.able.has(piece));
    if (kept.length !== this.selected.size) this.selected = new Set(kept);
  }

  /** Lets go of one thing after the other; false if there was nothing to let go of. */
  release(): boolean {
    if (this.menu.length || this.chosen || this.path) this.tidy();
    else if (this.los || this.visible || this.message) {
      this.los = null;
      this.visible = null;
      this.message = "";
    } else if (this.selected.size) this.selected = new Set();
    else return false;
    return true;
  }

  clear(): void {
    this.selected = new Set();
    this.message = "";
    this.tidy();
  }

  select(pieces: Iterable<string>): void {
    this.selected = new Set(pieces);
    this.tidy();
  }

  /** A piece was pointed at. */
  pick(piece: Piece, add: boolean): void {
    const targeted = this.fitting.filter((choice) => (choice.targets ?? []).includes(piece.id));
    if (targeted.length > 0 && !add) {
      this.offer(targeted);
      return;
    }
    if (!this.able.has(piece.id)) {
      const refusal = this.live.refusals.find((one) => (one.pieces ?? []).includes(piece.id));
      if (this.goals.has(piece.at)) this.aim(piece.at);
      else if (refusal) this.message = saying(refusal);
      else if (this.selected.size) this.aim(piece.at, piece.id);
      return;
    }
    this.message = "";
    const own = this.live.choices.filter((choice) => touches(choice, piece.id) && !passes(choice));
    const drafting = this.live.choices.some((choice) => choice.group === "cancel");
    // A piece that waits to be placed is taken in hand at once, so that the places for it light up.
    const placed = own[0]?.group === "set up";
    if (own.length === 1 && !add && (drafting || placed || this.selected.has(piece.id)) && !this.away(own[0]!)) {
      void this.choose(own[0]!);
      return;
    }
    const next = new Set(add ? this.selected : []);
    if (this.selected.has(piece.id)) next.delete(piece.id);
    else next.add(piece.id);
    this.select(next);
  }

  /** A cell was pointed at: do what can be done there, show the way, or say why not. */
  aim(cell: string, target = ""): void {
    const there = this.goals.get(cell) ?? [];
    if (this.path && this.path.cells.at(-1) === cell) void this.walk();
    else if (there.length > 0) this.offer(there);
    else if (this.movers().length > 0) void this.reach(cell, target);
    else this.#why(cell);
  }

  #why(cell: string): void {
    const refusal = this.live.refusals.find(
      (one) => (one.cells ?? []).includes(cell) && (!one.pieces?.length || one.pieces.some((piece) => this.selected.has(piece))),
    );
    if (refusal) this.message = saying(refusal);
    else if (this.selected.size) {
      this.clear();
      this.message = `Nothing that was selected can reach ${cell} or act there now.`;
    } else this.message = "";
  }

  /** The pieces that a way is asked for: the selected ones, or those that are on the move. */
  movers(): string[] {
    if (this.selected.size) return [...this.selected];
    const going = this.live.choices.filter((choice) => this.away(choice) && choice.pieces?.length && !choice.targets?.length);
    return going.length ? going[0]!.pieces! : [];
  }

  /** Farther than one step: a way there, or a declaration that is begun first. */
  async reach(cell: string, target = ""): Promise<void> {
    const version = this.live.version;
    const path = await this.live.path(this.movers(), cell).catch(() => null);
    if (version !== this.live.version) return;
    if (path) this.path = path;
    else if (!(await this.#begin(cell, target))) this.#why(cell);
  }

  /** Begins a declaration with the selected pieces (place, fire), aims it at the cell, and adds the others. */
  async #begin(cell: string, target: string): Promise<boolean> {
    const [first, ...rest] = this.selected;
    const starts = this.live.choices.filter(
      (choice) => choice.pieces?.length === 1 && touches(choice, first!) && !this.away(choice) && STARTS.has(choice.group ?? ""),
    );
    if (starts.length !== 1 || this.busy || (await this.live.preview(starts[0]!).catch(() => null))?.odds?.length) return false;
    if (!(await this.act(starts[0]!))) return true;
    const there = this.live.choices.filter((choice) => (target && choice.targets?.includes(target)) || goalOf(choice) === cell);
    if (there.length !== 1) {
      if (there.length) this.offer(there);
      else this.#why(cell);
      return true;
    }
    await this.choose(there[0]!);
    for (const piece of rest) {
      const adds = this.live.choices.filter((choice) => touches(choice, piece) && !this.away(choice) && !passes(choice));
      if (adds.length === 1 && !this.chosen) await this.act(adds[0]!);
    }
    return true;
  }

  /** The choice that carries out what has been declared, if there is one. */
  resolve = $derived.by(() => this.live.choices.find((choice) => choice.key === "Enter" && !passes(choice)) ?? null);

  offer(choices: Choice[]): void {
    if (choices.length === 1) void this.choose(choices[0]!);
    else this.menu = choices;
  }

  /** A choice of a list is pointed at, or none any more. */
  point(choice: Choice | null): void {
    this.pointed = choice;
    this.peek(choice ?? this.resolve);
  }

  /** Look ahead at a choice that is pointed at for a moment. */
  peek(choice: Choice | null): void {
    clearTimeout(this.#peek);
    if (!choice || this.chosen) {
      this.peeked = null;
      return;
    }
    const version = this.live.version;
    this.#peek = setTimeout(() => {
      void this.live
        .preview(choice)
        .then((preview) => (this.peeked = preview && version === this.live.version && !this.chosen ? { choice, preview } : null))
        .catch(() => null);
    }, 160);
  }

  /** Choose an action: one with odds is shown first and wants to be confirmed, any other is done. */
  async choose(choice: Choice): Promise<void> {
    if (!(await this.#free())) return;
    this.menu = [];
    // The list changes under a button that has the focus: Enter would press whatever comes to stand there.
    if (document.activeElement instanceof HTMLButtonElement) document.activeElement.blur();
    if (this.chosen?.n === choice.n || !this.confirms() || this.#onlyDeclares(choice)) {
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
    const weighty = preview && (preview.odds?.length || choice === this.resolve || (preview.notes?.length && !preview.tallies?.length));
    if (weighty) {
      this.peeked = null;
      this.chosen = choice;
      this.preview = preview;
    } else {
      await this.act(choice);
    }
  }

  /** Whether a choice is a part of a declaration that can still be given up, not its carrying out. */
  #onlyDeclares(choice: Choice): boolean {
    const drafting = this.live.choices.some((one) => one.group === "cancel");
    if (!drafting || choice.key === "Enter") return false;
    return !!this.resolve || (!choice.pieces?.length && !!goalOf(choice));
  }

  async act(choice: Choice): Promise<boolean> {
    const group = choice.group ?? "";
    return this.#carry(async () => {
      const { version } = await this.live.act(choice);
      this.done = { group, version };
    });
  }

  async walk(): Promise<void> {
    const path = this.path;
    if (!path) return;
    await this.#carry(async () => {
      const { version } = await this.live.walk(path);
      this.done = { group: "move", version };
    });
  }

  /** Waits for the answer to the last action, which may come after its view; false if the position is another by then. */
  async #free(): Promise<boolean> {
    const version = this.live.version;
    for (let n = 0; this.busy && n < 100; n += 1) await new Promise((resume) => setTimeout(resume, 20));
    return !this.busy && version === this.live.version;
  }

  async #carry(what: () => Promise<unknown>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.message = "";
    try {
      await what();
      return true;
    } catch (error) {
      this.message = (error as Error).message;
      return false;
    } finally {
      this.busy = false;
    }
  }

  async undo(): Promise<void> {
    const { possible, ask, why_not } = this.live.undo;
    if (!possible && !ask) {
      this.message = why_not || "There is nothing to take back.";
      return;
    }
    await this.#carry(() => this.live.ask(possible ? { t: "undo", version: this.live.version } : { t: "ask_undo" }));
    if (!possible && !this.message) this.message = `${why_not ?? ""} The others are asked.`.trim();
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
    if (this.visible?.a === a) {
      this.visible = null;
      return;
    }
    try {
      this.visible = { a, ...(await this.live.visible(a)) };
    } catch (error) {
      this.message = (error as Error).message;
    }
  }
}
