const STEPS: [number, string][] = [
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
];

/** How long ago something was, in words: `3 hours`; under a minute nothing. */
export function span(at: number, now = Date.now()): string {
  const seconds = Math.max(0, (now - at) / 1000);
  for (const [size, name] of STEPS) {
    const number = Math.floor(seconds / size);
    if (number >= 1) return `${number} ${name}${number === 1 ? "" : "s"}`;
  }
  return "";
}

/** `for 3 hours`, or `just now`. */
export const lasting = (at: number, now = Date.now()) => (span(at, now) ? `for ${span(at, now)}` : "just now");

/** So many of a thing: `1 lesson`, `5 lessons`. */
export const many = (number: number, one: string, more = `${one}s`) => `${number} ${number === 1 ? one : more}`;
