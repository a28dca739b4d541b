import type { Choice } from "./types";

const FREE = "123456789abcdefghijkmnopqrstuvwxyz";

/** Keys that the page itself uses. */
export const RESERVED = new Set(["l", "u", "h", "?", "+", "-", "0", "=", "Enter", "Escape", "Tab", " "]);

/** A key for each choice: the game's suggestion first, then digits and letters in order. */
export function hotKeys(choices: readonly Choice[]): Map<number, string> {
  const keys = new Map<number, string>();
  const taken = new Set(RESERVED);
  for (const choice of choices) {
    if (choice.key && !taken.has(choice.key)) {
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
