import { drafting, passes, roleOf } from "./keys";
import type { Live } from "./live.svelte";
import { asOffer, goalOf, idlers, type Offer } from "./offers";
import type { Choice, Goal, Los, Path, Piece, Preview, Refusal } from "./types";

export { goalOf } from "./offers";

const touches = (choice: Choice, piece: string) => (choice.pieces ?? []).includes(piece);
export const saying = (one: Refusal) => `${one.text}: ${one.reason}${/\d/.test(one.rule ?? "") ? ` (${one.rule})` : ""}`;

export interface Reach {
  goals: Map<string, Goal>;
  danger: Record<string, number>;
}
const NOWHERE: Reach = { goals: new Map(), danger: {} };

/** The player's desk: what is selected, what can be done with it, and what waits to be confirmed. */
export class Desk {
  selected = $state.raw<ReadonlySet<string>>(new Set());
  /** What waits to be confirmed: a choice or a plan. */
  chosen = $state.raw<Offer | null>(null);
  preview = $state.raw<Preview | null>(null);
  /** A look ahead at a choice that is pointed at. */
  peeked = $state.raw<{ choice: Choice; preview: Preview } | null>(null);
  menu = $state.raw<Offer[]>([]);
  /** The choice that is pointed at in a list: its pieces are shown on the map. */
  pointed = $state.raw<Offer | null>(null);
  /** A way that waits to be gone. */
  way = $state.raw<Offer | null>(null);
  /** Where what is selected can go, and what it can act on. */
  reach = $state.raw<Reach>(NOWHERE);
  los = $state.raw<Los | null>(null);
  visible = $state.raw<{ a: string; cells: Record<string, number>; blocked: string[] } | null>(null);
  cursor = $state<string | null>(null);
  message = $state("");
  /** Something to know that is no refusal. */
  hint = $state("");
  busy = $state(false);
  /** The group of the last action done here, for the lessons. */
  done = $state.raw<{ group: string; version: number } | null>(null);
  #peek: ReturnType<typeof setTimeout> | undefined;
  #traced = "";
  #looking: ReturnType<typeof setTimeout> | undefined;
  /** Decisions for which the player has been asked whether he means to pass. */
  #asked = new Set<string>();
  /** What is to be gone on with once dice have shown how it goes on. */
  #aim: { pieces: string[]; cell: string; target: string } | null = null;

  constructor(
    readonly live: Live,
    private confirms: () => boolean = () => true,
  ) {}

  where = $derived.by(() => new Map((this.live.view?.pieces ?? []).map((piece) => [piece.id, piece.at])));

  path = $derived.by<Path | null>(() => this.way?.path ?? null);

  /** Pieces that some choice acts with. */
  able = $derived.by(() => new Set(this.live.choices.flatMap((choice) => choice.pieces ?? [])));

  /** Pieces that may be selected: those that act, and own ones that may have a part in what others do, as a leader has. */
  eligible = $derived.by(() => {
    const found = new Set(this.able);
    if (!this.live.choices.some((choice) => roleOf(choice) === "start" && choice.pieces?.length)) return found;
    const refused = new Set(this.live.refusals.flatMap((one) => one.pieces ?? []));
    // Of the trays only those count in which somebody can act, not that of the lost.
    const idle = new Set((this.live.view?.boxes ?? []).map((box) => box.id));
    for (const id of this.able) idle.delete(this.where.get(id) ?? "");
    for (const piece of this.live.view?.pieces ?? []) {
      if (piece.side && piece.side === this.live.side && !piece.within && piece.at && !idle.has(piece.at) && !refused.has(piece.id)) found.add(piece.id);
    }
    return found;
  });

  /** Pieces that something selected can aim at. */
  aimed = $derived.by(() => {
    const by = this.fitting.flatMap((choice) => choice.targets ?? []);
    const there = [...this.reach.goals.values()].flatMap((goal) => goal.targets ?? []);
    return new Set([...by, ...there].filter((piece) => !this.selected.has(piece)));
  });

  /** The choices that fit the selection; those without pieces always do. */
  fitting = $derived.by(() => {
    if (this.selected.size === 0) return this.live.choices;
    const fit = this.live.choices.filter((choice) => [...this.selected].every((piece) => touches(choice, piece)));
    const any = fit.length > 0 ? fit : this.live.choices.filter((choice) => (choice.pieces ?? []).some((piece) => this.selected.has(piece)));
    return [...any, ...this.live.choices.filter((choice) => !(choice.pieces ?? []).length)];
  });

  /** Cells that a fitting choice leads to, other than where its pieces stand, and all that is within reach. */
  goals = $derived.by(() => {
    const goals = new Map<string, string>();
    for (const choice of this.fitting) {
      const goal = this.away(choice);
      if (goal) goals.set(goal, [...(goals.has(goal) ? [goals.get(goal)!] : []), choice.text].join("\n"));
    }
    for (const [cell, goal] of this.reach.goals) {
      if (!goals.has(cell)) goals.set(cell, goal.text || goal.cost || "");
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
    this.way = null;
    this.visible = null;
    const kept = [...this.selected].filter((piece) => this.eligible.has(piece));
    if (kept.length !== this.selected.size) this.selected = new Set(kept);
    this.look();
  }

  /** Asks what can be reached with what is selected or on the move. */
  look(): void {
    clearTimeout(this.#looking);
    this.reach = NOWHERE;
    const pieces = this.movers();
    if (!pieces.length || !this.live.choices.length) return;
    const version = this.live.version;
    this.#looking = setTimeout(() => {
      void this.live
        .goals(pieces)
        .then(({ goals, danger }) => {
          if (version === this.live.version && pieces.join() === this.movers().join()) this.reach = { goals: new Map(goals.map((goal) => [goal.cell, goal])), danger };
        })
        .catch(() => null);
    }, 40);
  }

  /** Lets go of one thing after the other; false if there was nothing to let go of. */
  release(): boolean {
    this.#aim = null;
    if (this.menu.length || this.chosen || this.way) this.tidy();
    else if (this.los || this.visible || this.message || this.hint) {
      this.los = null;
      this.visible = null;
      this.message = "";
      this.hint = "";
    } else if (this.selected.size) this.select([]);
    else return false;
    return true;
  }

  clear(): void {
    this.message = "";
    this.select([]);
  }

  select(pieces: Iterable<string>): void {
    this.selected = new Set(pieces);
    this.tidy();
  }

  /** All pieces of a place that can act. */
  selectStack(at: string): void {
    this.select((this.live.view?.pieces ?? []).filter((piece) => this.#placeOf(piece) === at && this.eligible.has(piece.id)).map((piece) => piece.id));
  }

  #placeOf(piece: Piece): string {
    return piece.at || (piece.within ? (this.where.get(piece.within) ?? "") : "");
  }

  /** A piece was pointed at. */
  pick(piece: Piece, add: boolean): void {
    this.message = "";
    this.hint = "";
    const own = this.live.choices.filter((choice) => touches(choice, piece.id) && !passes(choice));
    // A declaration is being put together: a click brings a piece in or leaves it out.
    const part = own.filter((choice) => ["add", "leave"].includes(roleOf(choice)));
    if (drafting(this.live.choices) && part.length === 1 && !this.aimed.has(piece.id)) {
      void this.choose(part[0]!);
      return;
    }
    if (this.selected.size && !add && !this.selected.has(piece.id)) {
      if (this.aimed.has(piece.id) || !this.eligible.has(piece.id)) {
        void this.aim(this.#placeOf(piece), piece.id);
        return;
      }
      if (this.reach.goals.has(piece.at) && !this.#together(piece)) {
        void this.aim(piece.at, "", piece);
        return;
      }
    }
    if (!this.eligible.has(piece.id)) {
      const refusal = this.live.refusals.find((one) => (one.pieces ?? []).includes(piece.id));
      const aimed = this.live.choices.filter((choice) => (choice.targets ?? []).includes(piece.id));
      if (aimed.length || this.goals.has(piece.at)) void this.aim(piece.at, aimed.length ? piece.id : "");
      else if (refusal) this.message = saying(refusal);
      return;
    }
    if (!add && this.selected.size === 1 && this.selected.has(piece.id)) {
      // The same again: everybody here who can act, then nobody.
      this.selectStack(this.#placeOf(piece));
      if (this.selected.size === 1) this.select([]);
      return;
    }
    const next = new Set(add ? this.selected : []);
    if (this.selected.has(piece.id)) next.delete(piece.id);
    else next.add(piece.id);
    this.select(next);
  }

  /** Whether a piece stands where the selected ones do. */
  #together(piece: Piece): boolean {
    return [...this.selected].some((id) => this.where.get(id) === piece.at);
  }

  /** The pieces that a place is pointed at for: the selected ones, or those that are on the move. */
  movers(): string[] {
    if (this.selected.size) return [...this.selected];
    const going = this.live.choices.filter((choice) => ["do", "aim"].includes(roleOf(choice)) && this.away(choice) && choice.pieces?.length && !choice.targets?.length);
    return going.length && new Set(going.map((choice) => choice.pieces!.join())).size === 1 ? going[0]!.pieces! : [];
  }

  /** A place was pointed at: do what can be done there, show the way, or say by what rule not. */
  async aim(cell: string, target = "", other: Piece | null = null): Promise<void> {
    if (this.way && goalOf(this.way) === cell && !other) {
      await this.confirm();
      return;
    }
    if (!this.live.choices.length || (!cell && !target)) return;
    const pieces = this.movers();
    if (!(await this.#free())) return;
    const version = this.live.version;
    let found: Offer[] = [];
    let why: Refusal | null = null;
    try {
      ({ plans: found, why } = await this.live.plan(pieces, cell, target));
    } catch (error) {
      this.message = (error as Error).message;
      return;
    }
    if (version !== this.live.version) return;
    if (other) {
      if (found.length) this.menu = [...found, { actions: [], text: `Select ${other.label} instead`, select: other.id }];
      else this.select([other.id]);
    } else if (found.length === 1) await this.propose(found[0]!, { pieces, cell, target });
    else if (found.length) this.menu = found;
    else if (why) this.message = saying(why);
    else if (this.selected.size) {
      this.clear();
      this.hint = `There is nothing for them to do in ${cell || "that place"} now.`;
    }
  }

  /** A piece is dragged over a place: the way there is shown, and gone when it is dropped. */
  async trace(cell: string): Promise<void> {
    const { version } = this.live;
    this.#traced = cell;
    const found = await this.live.plan(this.movers(), cell).catch(() => null);
    if (version !== this.live.version || this.#traced !== cell) return;
    this.way = found?.plans.find((plan) => plan.path) ?? null;
  }

  /** Something can be done: it is shown first if there is something to weigh, else it is done. */
  async propose(offer: Offer, aim: { pieces: string[]; cell: string; target: string } | null = null): Promise<void> {
    this.menu = [];
    if (offer.select) {
      this.select([offer.select]);
      return;
    }
    this.#aim = offer.more ? aim : null;
    const left = offer.left?.length ? `${offer.left.map((id) => this.#label(id)).join(", ")} cannot take part.` : "";
    if (offer.path && this.confirms() && (offer.path.cells.length > 2 || (offer.path.steps ?? []).some((step) => step.danger?.length))) {
      this.way = offer;
    } else if (!offer.path && this.confirms() && (this.#weighty(offer) || left)) {
      this.peeked = null;
      this.chosen = offer;
      this.preview = offer.preview ?? null;
    } else await this.carryOut(offer);
    if (left) this.hint = left;
  }

  #label(id: string): string {
    return this.live.view?.pieces?.find((piece) => piece.id === id)?.label ?? id;
  }

  #weighty(offer: Offer): boolean {
    const { preview } = offer;
    return !!preview?.odds?.length || roleOf(offer) === "resolve" || !!(preview?.notes?.length && !preview.tallies?.length);
  }

  /** Carry out what waits to be confirmed. */
  async confirm(): Promise<void> {
    const offer = this.chosen ?? this.way;
    if (offer) await this.carryOut(offer);
  }

  async carryOut(offer: Offer): Promise<boolean> {
    const aim = offer.more ? this.#aim : null;
    const { version } = this.live;
    const done = await this.#carry(async () => {
      const answer = offer.n === undefined ? await this.live.do(offer.actions, !offer.path) : await this.live.act(offer as unknown as Choice);
      this.done = { group: offer.path ? "move" : (offer.group ?? ""), version: answer.version };
    });
    if (done && aim) await this.#goOn(aim, version);
    return done;
  }

  /** Dice have shown how far they get: go on to where they were sent. */
  async #goOn(aim: { pieces: string[]; cell: string; target: string }, version: number): Promise<void> {
    this.#aim = null;
    if (this.live.version === version || !this.live.choices.length) return;
    const pieces = aim.pieces.filter((piece) => this.able.has(piece));
    if (!pieces.length) return;
    this.select(pieces);
    await this.aim(aim.cell, aim.target);
    this.message = "";
  }

  /** The choice that carries out what has been declared, if there is one. */
  resolve = $derived.by(() => {
    const all = this.live.choices.filter((choice) => roleOf(choice) === "resolve");
    return all.find((choice) => choice.key === "Enter") ?? (all.length === 1 ? all[0]! : null);
  });

  /** A choice of a list is pointed at, or none any more. */
  point(choice: Offer | Choice | null): void {
    const listed = choice && "n" in choice && choice.n !== undefined ? this.live.choices.find((one) => one.n === choice.n) : undefined;
    this.pointed = choice ? (listed ? asOffer(listed) : (choice as Offer)) : null;
    this.peek(listed ?? (choice ? null : this.resolve));
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

  /** Choose an action of the list: one with odds is shown first and wants to be confirmed, any other is done. */
  async choose(choice: Choice): Promise<void> {
    if (!(await this.#free())) return;
    this.menu = [];
    this.way = null;
    // The list changes under a button that has the focus: Enter would press whatever comes to stand there.
    if (typeof document !== "undefined" && document.activeElement instanceof HTMLButtonElement) document.activeElement.blur();
    const offer = asOffer(choice);
    if (this.chosen?.n === choice.n && this.chosen?.n !== undefined) {
      await this.carryOut(offer);
      return;
    }
    if (this.#careful(choice)) {
      this.chosen = offer;
      this.preview = null;
      return;
    }
    if (!this.confirms() || this.live.view?.bare || this.#onlyDeclares(choice)) {
      await this.carryOut(offer);
      return;
    }
    const version = this.live.version;
    const known = this.peeked?.choice.n === choice.n ? this.peeked.preview : null;
    try {
      offer.preview = known ?? (await this.live.preview(choice));
    } catch (error) {
      this.message = (error as Error).message;
      return;
    }
    if (version === this.live.version) await this.propose(offer);
  }

  /** Whether the player is asked before he lets a moment pass in which he could still act, or risks the match. */
  #careful(choice: Choice): boolean {
    const { view, side } = this.live;
    if (choice.warning) return true;
    if (roleOf(choice) !== "pass" || !view || view.active !== side || !this.confirms()) return false;
    if (drafting(this.live.choices) || idlers(this.live.choices) === 0) return false;
    const decision = `${view.turn} ${view.phase} ${choice.text}`;
    if (this.#asked.has(decision)) return false;
    this.#asked.add(decision);
    return true;
  }

  /** Whether a choice is a part of a declaration that can still be given up, not its carrying out. */
  #onlyDeclares(choice: Choice): boolean {
    const role = roleOf(choice);
    if (role === "add" || role === "leave" || role === "cancel" || role === "aim" || role === "vary" || role === "place") return true;
    return role === "start" && (drafting(this.live.choices) || !choice.pieces?.length);
  }

  /** One answer for all of a kind: the same thing with each of them, as long as it is asked. */
  async chooseAll(choices: Choice[]): Promise<void> {
    if (!(await this.#free())) return;
    await this.#carry(async () => {
      const { version } = await this.live.do(choices.map((choice) => choice.action), false);
      this.done = { group: choices[0]?.group ?? "", version };
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
    this.hint = "";
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
    this.#aim = null;
    const { version } = this.live;
    await this.#carry(() => this.live.ask(possible ? { t: "undo", version } : { t: "ask_undo" }));
    if (!possible && !this.message && this.live.requests.some((request) => request.yours && request.kind === "undo")) this.hint = `${why_not ?? ""} The others are asked.`.trim();
  }

  /** Opens an optional step that was passed: now if it can be taken back, and from now on in any case if wanted. */
  async reopen(version: number, step: string): Promise<void> {
    await this.#carry(() => this.live.ask({ t: "reopen", version }));
    if (!this.message) return;
    this.message = "";
    this.live.keepOrders({ open: [...new Set([...(this.live.orders.open ?? []), step])] });
    this.hint = "That cannot be opened any more; from the next time on you will be asked.";
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
