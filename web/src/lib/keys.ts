import type { Choice } from "./types";

const FREE = "123456789abcdefgijkmopqrstwyz";

/** Keys that the page itself uses. */
export const RESERVED = new Set(["l", "v", "u", "n", "x", "r", "/", "?", "+", "-", "0", "=", "Enter", "Escape", "Tab", " "]);

export const roleOf = (choice: { role?: string }) => choice.role ?? "do";

/** Whether a choice lets the moment pass: end the phase, hold fire, halt. */
export const passes = (choice: { role?: string }) => roleOf(choice) === "pass" || roleOf(choice) === "stop";

/** Whether a declaration is being put together that can be given up again. */
export const drafting = (choices: readonly Choice[]) => choices.some((choice) => roleOf(choice) === "cancel");

/**
 * A key for each choice: Space for the one that passes, Enter for the one that carries out what was
 * declared, Escape for the one that cancels, the game's suggestion, then digits and letters in order.
 */
export function hotKeys(choices: readonly Choice[], reserved: readonly string[] = []): Map<number, string> {
  const keys = new Map<number, string>();
  const passing = choices.filter(passes);
  if (passing.length === 1) keys.set(passing[0]!.n, "Space");
  const carries = choices.filter((choice) => roleOf(choice) === "resolve");
  const resolve = carries.find((choice) => choice.key === "Enter") ?? (carries.length === 1 ? carries[0] : undefined);
  if (resolve) keys.set(resolve.n, "Enter");
  const cancel = choices.find((choice) => roleOf(choice) === "cancel");
  if (cancel) keys.set(cancel.n, "Esc");
  const taken = new Set([...RESERVED, ...reserved]);
  for (const choice of choices) {
    if (choice.key && !keys.has(choice.n) && !taken.has(choice.key)) {
      keys.set(choice.n, choice.key);
      taken.add(choice.key);
    }
  }
  const free = [...FREE].filter((key) => !taken.has(key));
  for (const choice of choices) {
    if (!keys.has(choice.n)) {
      const key = free.shift();
      if (!key) break;
      keys.set(choice.n, key);
    }
  }
  return keys;
}

/** The name that a key event has in the table of hot keys. */
export const nameOf = (event: KeyboardEvent) => (event.key === " " ? "Space" : event.key === "Escape" ? "Esc" : event.key);

/** So long after the choices have changed, a key that has another meaning now does nothing. */
export const SETTLING = 450;

/** Keeps a key that was meant for a choice that has vanished from hitting its successor. */
export class Guard {
  #before = new Map<string, string>();
  #now = new Map<string, string>();
  #since = 0;

  /** The choices have changed: what each key means now. */
  change(choices: readonly Choice[], keys: Map<number, string>, at: number): void {
    const now = new Map(choices.flatMap((choice) => (keys.has(choice.n) ? [[keys.get(choice.n)!, choice.text] as const] : [])));
    if ([...now].every(([key, text]) => this.#now.get(key) === text) && now.size === this.#now.size) return;
    this.#before = this.#now;
    this.#now = now;
    this.#since = at;
  }

  /** Whether a key may be obeyed: it has long had its meaning, or it had none before. */
  allows(key: string, at: number): boolean {
    if (at - this.#since > SETTLING) return true;
    const before = this.#before.get(key);
    return before === undefined || before === this.#now.get(key);
  }
}
