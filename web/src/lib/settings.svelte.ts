import * as api from "./api";

export interface Settings {
  theme: "auto" | "light" | "dark";
  /** How computers' moves arrive: watch, fast or skip. */
  pace: "watch" | "fast" | "skip";
  /** Whether a hot-seat hand-over is covered by a curtain where something is hidden. */
  curtain: boolean;
  /** Whether actions with odds want to be confirmed. */
  confirm: boolean;
  /** How quickly what others do is shown on the map. */
  show: "slow" | "normal" | "fast" | "off";
  /** Whether the map is turned so that south is up. */
  turned: boolean;
}

const KEY = "sandtable";
const PLAIN: Settings = { theme: "auto", pace: "watch", curtain: true, confirm: true, show: "normal", turned: false };

function stored(): Settings {
  try {
    return { ...PLAIN, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>) };
  } catch {
    return { ...PLAIN };
  }
}

/** What this player likes: kept in the browser, and in the account if there is one with a name. */
export const settings = $state(stored());

export function applyTheme(): void {
  if (settings.theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = settings.theme;
}

export function change(part: Partial<Settings>): void {
  Object.assign(settings, part);
  applyTheme();
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // a browser that keeps nothing still plays
  }
  void api
    .account()
    .then((user) => (user.guest ? null : api.updateMe({ settings: { ...settings } })))
    .catch(() => null);
}

/** Settings of the account count on a browser that is new to it. */
export function adopt(kept: Record<string, unknown> | undefined): void {
  if (!kept || localStorage.getItem(KEY)) return;
  Object.assign(settings, kept);
  applyTheme();
}
