import type { Choice } from "./types";

const FREE = "123456789abcdefgijkmopqrstwyz";

/** Keys that the page itself uses. */
export const RESERVED = new Set(["l", "v", "u", "n", "x", "/", "?", "+", "-", "0", "=", "Enter", "Escape", "Tab", " "]);

/** Whether a choice lets the moment pass: end the phase, hold fire. */
export const passes = (choice: Choice) => choice.group === "done" || choice.group === "pass";

/**
 * A key for each choice: Space for the one that passes, Enter for the one that carries out what was
 * declared, Escape for the one that cancels, the game's suggestion, then digits and letters in order.
 */
export function hotKeys(choices: readonly Choice[], reserved: readonly string[] = []): Map<number, string> {
  const keys = new Map<number, string>();
  const passing = choices.filter(passes);
  if (passing.length === 1) keys.set(passing[0]!.n, "Space");
  const resolve = choices.find((choice) => choice.key === "Enter" && !passes(choice));
  if (resolve) keys.set(resolve.n, "Enter");
  const cancel = choices.find((choice) => choice.key === "Escape");
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
