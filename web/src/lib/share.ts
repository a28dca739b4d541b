import * as api from "./api";
import type { MatchInfo } from "./types";

/** The whole address of a link into this page. */
export const address = (link: string) => `${location.origin}${location.pathname}${link.replace(/^\//, "")}`;

/** Whether this page is at an address that only this machine knows: a link with it helps nobody else. */
export const onlyHere = () => /^(localhost|127\.|\[::1\])/.test(location.hostname);

/** Puts a text on the clipboard; false where the browser does not allow it. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** A lesson from its beginning, in a match of its own, which is opened. */
export async function startLesson(game: string, lesson: string): Promise<void> {
  location.hash = `#/match/${(await api.createMatch({ game, lesson })).id}`;
}

/** The same match again: the same seats; who is not here gets an invitation. A lesson begins again as it was. */
export async function rematch(match: MatchInfo): Promise<MatchInfo> {
  if (match.lesson) return api.createMatch({ game: match.game, lesson: match.lesson.id });
  const seats = Object.fromEntries(
    match.seats.map((seat) => {
      if ((match.yours ?? []).includes(seat.side)) return [seat.side, { kind: "me" }];
      if (seat.kind === "computer") return [seat.side, { kind: "computer", level: seat.level }];
      return [seat.side, { kind: "invitation" }];
    }),
  );
  const { game, scenario, options, clock } = match;
  return api.createMatch({ game, scenario, options, seats, clock: clock ?? null, observers: !!match.watch });
}

/** A browser notification, if the player has allowed them and looks elsewhere. */
export function notify(text: string, tag: string): void {
  if (!document.hidden || !("Notification" in window) || Notification.permission !== "granted") return;
  new Notification("Sandtable", { body: text, tag, icon: "/favicon.svg" });
}
