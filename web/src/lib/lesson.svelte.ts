import type { Desk } from "./desk.svelte";
import type { Live } from "./live.svelte";
import type { Lesson } from "./types";

/** A walkthrough: shows one step after another and goes on when what it asks for has happened. */
export class Walkthrough {
  step = $state(0);
  #lines = 0;
  #version = 0;
  #waited = false;

  constructor(
    readonly lesson: Lesson,
    private live: Live,
    private desk: Desk,
  ) {
    this.#begin();
  }

  now = $derived.by(() => this.lesson.steps[this.step] ?? null);

  cells = $derived.by(() => {
    const pieces = new Set(this.now?.pieces ?? []);
    const under = (this.live.view?.pieces ?? []).filter((piece) => pieces.has(piece.id)).map((piece) => piece.at);
    return [...new Set([...(this.now?.cells ?? []), ...under])];
  });

  #begin(): void {
    this.#lines = this.live.log.length;
    this.#version = this.live.version;
    this.#waited = false;
  }

  next(): void {
    this.step += 1;
    this.#begin();
  }

  back(): void {
    this.step = Math.max(0, this.step - 1);
    this.#begin();
  }

  /** Looks at what has happened since the step began. */
  look(): void {
    const [kind, name] = (this.now?.until ?? "").split(":");
    const { log, choices, version, view } = this.live;
    const done = this.desk.done;
    if (choices.length === 0) this.#waited = true;
    const happened =
      (kind === "event" && log.slice(this.#lines).some((line) => line.kind === name)) ||
      (kind === "group" && done?.group === name && done!.version > this.#version) ||
      (kind === "phase" && view?.phase === name) ||
      (kind === "turn" && choices.length > 0 && version > this.#version && (this.#waited || this.live.yours.length > 1));
    if (happened) this.next();
  }
}
