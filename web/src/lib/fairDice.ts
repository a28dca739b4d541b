import type { MatchInfo } from "./types";

interface Kept {
  commitment: string;
  number: string;
}

/** What this browser noted about the dice of a match when it first saw it. */
export function noted(id: string): Kept | null {
  try {
    return JSON.parse(localStorage.getItem(`sandtable.dice.${id}`) ?? "null") as Kept | null;
  } catch {
    return null;
  }
}

/** Note the commitment, then add a number of our own to the dice, once for each side. */
export function addNumber(match: MatchInfo, side: string | null, send: (message: { t: "number"; number: string }) => void): void {
  if (!side || !match.commitment || match.seeded || match.result || match.numbers?.includes(side)) return;
  let kept = noted(match.id);
  if (!kept) {
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    kept = { commitment: match.commitment, number: [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("") };
    try {
      localStorage.setItem(`sandtable.dice.${match.id}`, JSON.stringify(kept));
    } catch {
      // without storage nothing can be compared later; the number helps all the same
    }
  }
  if (kept.commitment === match.commitment) send({ t: "number", number: kept.number });
}

/** What can be said about the dice of a match now. */
export function fairness(match: MatchInfo): string {
  if (match.seeded) return "This match has a seed: its dice can be known beforehand.";
  const kept = noted(match.id);
  if (kept && kept.commitment !== match.commitment) return "The commitment of this match is not the one that this browser noted at the start: do not trust its dice.";
  const who = match.numbers?.length
    ? `Numbers of ${match.numbers.join(" and ")} are mixed into its dice: rolls after a number depend on it too, rolls before it (a set-up by the computer rolls at once) do not.`
    : "No player has added a number: its dice depend on the server's secret alone.";
  const own = kept?.number && match.numbers?.length ? ` --number ${kept.number}` : "";
  const proven = match.numbers?.length ? "that the rolls came from it, and how many of them depend on your number and on later ones; whoever added the last number and knew the secret could have chosen it" : "that the rolls came from it; whoever made it could have chosen it for them";
  return `The server has committed itself to a secret: ${match.commitment}. ${who} The secret is told in the record when the match is over. sandtable verify RECORD --commitment ${match.commitment?.slice(0, 16)}${own} shows ${proven}. It does not show that the record is whole.`;
}
