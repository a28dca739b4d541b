import type { Game, Scenario } from "./types";

/** Games with the one to begin with first. */
export const inOrder = (games: Game[]) => [...games].sort((a, b) => Number(b.beginners ?? false) - Number(a.beginners ?? false));

/** A scenario by its title, with its number where it has one of its own. */
export const titled = (scenario: Scenario) => (/[A-Za-z]\d/.test(scenario.id) ? `${scenario.id} ${scenario.title}` : scenario.title);

/** The sides that somebody plays. */
export const played = (scenario: Scenario) => scenario.sides.filter((side) => !scenario.ruled?.includes(side));

type Known = { games: number; won: Record<string, number> } | null | undefined;

/** The share of games that a side has won, 0 to 1; null: nobody knows. */
export const share = (known: Known, side: string) => (known ? (known.won[side] ?? 0) / known.games : null);

export interface Start {
  game: string;
  scenario: string;
  side: string;
  options: Record<string, string>;
  /** The chance of the side between equal players, where it is known. */
  chance: number | null;
}

const distance = (chance: number | null) => (chance === null ? 300 : Math.round(1000 * Math.abs(chance - 0.5)));

/** The seat of a scenario that is fairest to its player, with the balance if that makes it fairer. */
export function seat(game: string, scenario: Scenario): Start {
  const plain = played(scenario).map((side) => ({ side, options: {}, chance: share(scenario.chances, side) }));
  const even = scenario.even_chances ? played(scenario).map((side) => ({ side, options: scenario.even ?? {}, chance: share(scenario.even_chances, side) })) : [];
  const first = scenario.first ?? scenario.sides[0];
  const best = [...even, ...plain].sort(
    (a, b) => distance(a.chance) - distance(b.chance) || (b.chance ?? 0) - (a.chance ?? 0) || Number(b.side === first) - Number(a.side === first),
  )[0]!;
  return { game, scenario: scenario.id, ...best };
}

/** Where somebody who just wants to play begins. */
export function begin(games: Game[]): Start | null {
  const game = games.find((one) => one.beginners) ?? games[0];
  return game?.scenarios[0] ? seat(game.id, game.scenarios[0]) : null;
}

export const percent = (chance: number | null) => (chance === null ? "" : `${Math.round(chance * 100)}%`);
