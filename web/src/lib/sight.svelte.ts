import type { Desk } from "./desk.svelte";

/** The line-of-sight tool: the first point is where one looks from. */
export class Sight {
  /** The tool stays on until it is switched off. */
  on = $state(false);
  from = $state<string | null>(null);

  constructor(private desk: Desk) {}

  toggle(): void {
    this.on = !this.on;
    this.from = null;
    this.desk.los = null;
  }

  start(from: string): void {
    this.from ??= from;
    this.desk.los = null;
  }

  stop(): void {
    this.from = null;
    this.on = false;
  }

  /** The key is no longer held. */
  letGo(): void {
    if (!this.on) this.from = null;
  }

  /** A place was pointed at; whether that was for this tool. */
  point(at: string): boolean {
    if (this.from && this.from !== at) void this.desk.line(this.from, at);
    else if (this.on) {
      this.from = this.from ? null : at;
      this.desk.los = null;
    } else return !!this.from;
    return true;
  }

  /** The pointer or the cursor has come to a place. */
  follow(at: string): void {
    if (this.from && at !== this.from && this.desk.los?.b !== at) void this.desk.line(this.from, at);
  }
}
