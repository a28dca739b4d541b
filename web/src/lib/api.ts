import type { LessonState } from "./wire";
import type { BoardRow, BoardsHere, Chart, Game, Glossary, Lesson, Line, MatchInfo, Network, ReplayStep, Scene, Story, User, View } from "./types";

/** A refusal of the server: one sentence for people. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    text: string,
  ) {
    super(text);
  }
}

async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`/api/${path}`, {
      method,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Refused("offline", "The server does not answer: check that it is running, then try again.");
  }
  const data = await response.json().catch(() => null);
  if (!response.ok) {
    throw new Refused(data?.error?.code ?? "unknown", data?.error?.text ?? `The server answered ${response.status}.`);
  }
  return data as T;
}

const get = <T>(path: string) => request<T>("GET", path);
const post = <T>(path: string, body: unknown = {}) => request<T>("POST", path, body);

/** A new guest; a cookie of an account that has ended is given up only if the player says so. */
async function guest(): Promise<User> {
  try {
    return (await post<{ user: User }>("guest")).user;
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== "account_lost") throw error;
    if (!window.confirm(`${error.message} Begin as a new guest now?`)) throw error;
    return (await post<{ user: User }>("guest", { fresh: true })).user;
  }
}

let ready: Promise<User> | null = null;

/** The account of this browser; a guest is made at the first need. */
export function account(): Promise<User> {
  ready ??= (async () => {
    const { user } = await get<{ user: User | null }>("me");
    return user ?? (await guest());
  })();
  ready.catch(() => (ready = null));
  return ready;
}

function changed(answer: { user: User }): User {
  ready = Promise.resolve(answer.user);
  return answer.user;
}

export const register = async (name: string, password: string) => changed(await post("register", { name, password }));
export const login = async (name: string, password: string) => changed(await post("login", { name, password }));
export const updateMe = async (body: unknown) => changed(await request("PUT", "me", body));
export const confirmEmail = async (code: string) => changed(await post("me/email", { code }));
export async function logout(everywhere = false): Promise<void> {
  await post("logout", { everywhere });
  ready = null;
}

export const games = async () => (await get<{ games: Game[] }>("games")).games;
export const scene = (game: string, scenario: string, options: Record<string, string> = {}) =>
  get<Scene>(`games/${game}/${scenario}/scene?${new URLSearchParams(options)}`);
export const matchScene = (id: string, edition: string) => get<Scene>(`matches/${id}/scene?${edition}`);
export const chart = (game: string, name: string) => get<Chart>(`games/${game}/tables/${encodeURIComponent(name)}`);
export const faces = async (game: string) => (await get<{ faces: Record<string, string> }>(`games/${game}/faces`)).faces;
export const glossary = (game: string) => get<Glossary>(`games/${game}/glossary`);
export const lessons = async (game: string) => (await get<{ lessons: Lesson[] }>(`games/${game}/lessons`)).lessons;

export const matches = async (archived = false) => (await get<{ matches: MatchInfo[] }>(`matches${archived ? "?archived=1" : ""}`)).matches;
export const match = async (id: string) => (await get<{ match: MatchInfo }>(`matches/${id}`)).match;
export const createMatch = async (body: unknown) => (await post<{ match: MatchInfo }>("matches", body)).match;
export const archive = (id: string, archived = true) => post(`matches/${id}/archive`, { archived });
export const changeSeat = async (id: string, side: string, body: unknown) =>
  (await post<{ match: MatchInfo }>(`matches/${id}/seats/${side}`, body)).match;
export const invitation = (token: string) => get<{ match: MatchInfo; side: string }>(`invitations/${token}`);
export const join = async (token: string) => (await post<{ match: MatchInfo }>("join", { token })).match;
export const watch = async (token: string) => (await post<{ match: MatchInfo }>("watch", { token })).match;
export const uploadRecord = async (record: string, title: string) =>
  (await post<{ match: MatchInfo }>("records", { record, title })).match;

export interface Replay {
  match: MatchInfo;
  side: string;
  sides: string[];
  everything: boolean;
  steps: ReplayStep[];
  view: View;
  log: Line[];
}
export const replay = (id: string, side = "") => get<Replay>(`matches/${id}/replay${side ? `?side=${side}` : ""}`);
export const replayStep = (id: string, n: number, side: string) =>
  get<{ version: number; view: View; log: Line[]; why?: string }>(`matches/${id}/replay/${n}?side=${side}`);

/** Words for the steps that the log does not tell of, and the sides that lost something, by step. */
export const untold = (id: string, side = "") =>
  get<{ texts: Record<string, string>; losses: Record<string, string[]> }>(`matches/${id}/steps${side ? `?side=${side}` : ""}`);
export const story = async (id: string) => (await get<{ story: Story }>(`matches/${id}/story`)).story;
export const skipStep = async (id: string, skip: number) =>
  (await post<{ lesson: LessonState }>(`matches/${id}/lesson`, { skip })).lesson;
export const boards = async () => (await get<{ boards: BoardRow[] }>("boards")).boards;
export const boardsHere = (game: string, scenario: string) => get<Partial<BoardsHere>>(`games/${game}/${scenario}/boards`);
export const network = () => get<Network>("network");
export const openNetwork = () => post<Network>("network");
