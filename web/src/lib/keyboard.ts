import { stacks } from "./cells";
import type { Desk } from "./desk.svelte";
import { type Guard, nameOf } from "./keys";
import type { Piece } from "./types";

export const DIRECTIONS: Record<string, number> = { ArrowUp: 0, ArrowRight: 90, ArrowDown: 180, ArrowLeft: 270 };

/** What the keyboard needs of the page. */
export interface Page {
  desk: Desk;
  guard: Guard;
  keys: Map<number, string>;
  sight: boolean;
  layers: boolean;
  /** Where the pointer or the cursor is. */
  here: string | null;
  releaseSight: () => void;
  look: (from: string) => void;
  layer: () => void;
  hide: () => void;
  help: () => void;
  find: () => void;
  replay: () => boolean;
  skip: () => boolean;
  move: (degrees: number) => void;
  map: (event: KeyboardEvent) => boolean;
}

/** A key of the match page; false if it is none. */
export function press(event: KeyboardEvent, page: Page): boolean {
  const { desk, guard, keys } = page;
  const name = nameOf(event);
  if (desk.menu.length && /^[1-9]$/.test(event.key)) {
    const offer = desk.menu[Number(event.key) - 1];
    if (offer) void desk.propose(offer);
    return true;
  }
  const hot = desk.fitting.find((one) => keys.get(one.n) === name);
  // A key that was meant for a choice that has just vanished does nothing.
  const meant = guard.allows(name, performance.now());
  if (event.key === "Escape") {
    if (page.skip()) return true;
    page.releaseSight();
    if (!desk.release() && hot && meant) void desk.choose(hot);
  } else if (event.key === "Enter") enter(desk, meant);
  else if (event.key === " " && desk.chosen) {
    // Space again: not before one could have read what is asked.
    if (meant && !event.repeat) void desk.confirm();
  } else if (event.key === "l" && page.sight) {
    if (page.here && !event.repeat) page.look(page.here);
  } else if (event.key === "v" && page.sight) {
    if (page.here) void desk.shade(page.here);
  } else if (event.key === "u") void desk.undo();
  else if (event.key === "r") return page.replay();
  else if (event.key === "s" && page.layers) page.layer();
  else if (event.key === "x") page.hide();
  else if (event.key === "?") page.help();
  else if (event.key === "/") page.find();
  else if (event.key in DIRECTIONS && !event.shiftKey) page.move(DIRECTIONS[event.key]!);
  else if (event.key === "n" || event.key === "N") cycle(desk, able(desk), event.key === "n" ? 1 : -1);
  else if (event.key === "." && desk.cursor) cycle(desk, here(desk, desk.cursor).filter((piece) => desk.able.has(piece.id)), 1);
  else if (event.key === "a" && event.shiftKey && desk.cursor) desk.selectStack(desk.cursor);
  else if (page.map(event)) return true;
  else if (hot) {
    if (meant && !event.repeat) void desk.choose(hot);
  } else return false;
  return true;
}

const pieces = (desk: Desk) => desk.live.view?.pieces ?? [];
const able = (desk: Desk) => pieces(desk).filter((piece) => desk.able.has(piece.id));
const here = (desk: Desk, cell: string) => stacks(pieces(desk)).get(cell) ?? [];

function enter(desk: Desk, meant: boolean): void {
  if (desk.chosen || desk.way) void desk.confirm();
  else if (desk.menu.length) void desk.propose(desk.menu[0]!);
  else if (desk.cursor && (desk.selected.size || !desk.resolve)) {
    const pile = here(desk, desk.cursor).toReversed();
    const aimed = pile.find((piece) => desk.aimed.has(piece.id));
    const own = pile.find((piece) => desk.able.has(piece.id));
    if (aimed) desk.pick(aimed, false);
    else if (desk.goals.has(desk.cursor) || !own || (desk.selected.size && !desk.selected.has(own.id))) void desk.aim(desk.cursor);
    else desk.pick(own, false);
  } else if (desk.resolve && meant) void desk.choose(desk.resolve);
}

/** Select the next piece that can act. */
function cycle(desk: Desk, able: Piece[], by: number): void {
  if (able.length === 0) return;
  const now = able.findIndex((piece) => desk.selected.has(piece.id));
  const next = able[(now + by + able.length) % able.length] ?? able[0]!;
  desk.select([next.id]);
  desk.cursor = next.at || null;
}
