import * as api from "./api";
import type { Desk } from "./desk.svelte";
import type { Live } from "./live.svelte";
import type { Lesson } from "./types";

/**
 * A walkthrough. The server says which step waits to be done, from the line of play; this class adds what is only there
 * to be read, and remembers what has been read.
 */
export class Walkthrough {
  /** Steps to be read that the player has put away. */
  #read = $state.raw<ReadonlySet<number>>(new Set());
  /** A step that the player looks back at. */
  #looking = $state<number | null>(null);
  #seen = -1;
  /** Whether play has left the step behind that was shown last. */
  left = $state(false);

  constructor(
    readonly lesson: Lesson,
    private live: Live,
    _desk?: Desk,
  ) {}

  /** The step that waits. */
  waits = $derived.by(() => this.live.lesson?.step ?? this.#firstToDo(0));

  /** Steps that play has left behind undone. */
  passed = $derived.by(() => this.live.lesson?.passed ?? []);

  /** The step that is shown: one to be read that comes before, or the one that waits. */
  step = $derived.by(() => {
    if (this.#looking !== null) return this.#looking;
    if (this.cutShort) return this.lesson.steps.length;
    let first = this.waits;
    while (first > 0 && !this.lesson.steps[first - 1]!.until) first -= 1;
    for (let n = first; n < this.waits; n += 1) if (!this.#read.has(n)) return n;
    return this.waits;
  });

  now = $derived.by(() => this.lesson.steps[this.step] ?? null);

  /** Whether the game ended before the lesson did: what is left of it then cannot be done any more. */
  cutShort = $derived.by(() => !!this.live.lesson?.cut_short);

  cells = $derived.by(() => {
    const pieces = new Set(this.now?.pieces ?? []);
    const under = (this.live.view?.pieces ?? []).filter((piece) => pieces.has(piece.id)).map((piece) => piece.at);
    return [...new Set([...(this.now?.cells ?? []), ...under])];
  });

  #firstToDo(from: number): number {
    const found = this.lesson.steps.findIndex((step, n) => n >= from && step.until);
    return found < 0 ? this.lesson.steps.length : found;
  }

  next(): void {
    if (this.#looking !== null && this.#looking < this.waits) {
      this.#looking = this.#looking + 1 < this.waits ? this.#looking + 1 : null;
    } else if (this.now && !this.now.until) this.#read = new Set([...this.#read, this.step]);
    else if (this.now) void api.skipStep(this.live.id, this.step).then((lesson) => (this.live.lesson = lesson)).catch(() => null);
  }

  back(): void {
    this.#looking = Math.max(0, this.step - 1);
  }

  /** Looks at what has changed: a new step ends looking back, and tells if the last one was left behind. */
  look(): void {
    if (this.waits === this.#seen) return;
    this.left = this.#seen >= 0 && this.waits > this.#seen && !!this.live.lesson?.passed?.includes(this.#seen);
    this.#seen = this.waits;
    this.#looking = null;
  }
}
