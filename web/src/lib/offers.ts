import { passes, roleOf } from "./keys";
import type { Choice, OddsLine, Plan, Preview } from "./types";

/** Something that can be done: a choice of the list, or a plan for pieces and a place. */
export interface Offer extends Plan {
  /** Its number in the list of choices. */
  n?: number;
  key?: string;
  warning?: string;
  /** Instead of acting, select this piece. */
  select?: string;
}

export const asOffer = (choice: Choice): Offer => ({ ...choice, actions: [choice.action] });

/** The cell that something aims at or goes to. */
export const goalOf = (offer: { cells?: string[] }) => (offer.cells ?? []).at(-1) ?? "";

/** The number that one decides by. */
export const headline = (preview: Preview | null | undefined): OddsLine | null => preview?.odds?.find((line) => line.decides) ?? preview?.odds?.[0] ?? null;

export const percent = (chance: number) => (chance > 0 && chance < 0.0005 ? "< 0.1%" : `${(chance * 100).toFixed(chance > 0 && chance < 0.1 ? 1 : 0)}%`);

/** Choices that differ only in which of several like pieces they are about. */
export function alike(choices: readonly Choice[]): Choice[][] {
  const heaps = new Map<string, Choice[]>();
  for (const choice of choices) {
    const like = roleOf(choice) === "do" && choice.pieces?.length === 1 && !choice.targets?.length;
    const key = like ? `${choice.group} ${choice.text} ${goalOf(choice)}` : String(choice.n);
    heaps.set(key, [...(heaps.get(key) ?? []), choice]);
  }
  return [...heaps.values()];
}

/** How many pieces could still do something if the moment passed. */
export function idlers(choices: readonly Choice[]): number {
  const rest = choices.filter((choice) => !passes(choice) && ["start", "do", "place"].includes(roleOf(choice)));
  return new Set(rest.flatMap((choice) => choice.pieces ?? [])).size;
}
