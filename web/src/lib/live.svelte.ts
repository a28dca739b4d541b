import { addNumber } from "./fairDice";
import type { ChatLine, Choice, Goal, Line, Los, MatchInfo, Orders, Path, Piece, Plan, Preview, Refusal, Request, Result, Say, Told, View } from "./types";
import type { LessonState, Update, Welcome } from "./wire";

type Message = Record<string, any>;
type Answer<T extends Told["t"]> = Extract<Told, { t: T }>;
/** A message without the number under which its answer comes back. */
type Unnumbered = Say extends infer One ? (One extends { id?: unknown } ? Omit<One, "id"> : never) : never;
/** Which answer a question gets. */
type Answers = { act: "done"; undo: "done"; ask_undo: "done"; reopen: "done"; orders: "done"; preview: "preview"; path: "path"; plan: "plan"; goals: "goals"; los: "los"; visible: "visible" };
type AnswerTo<T extends Unnumbered> = T["t"] extends keyof Answers ? Answer<Answers[T["t"]]> : Told;

/** What the server should be reached by: a WebSocket, or something that stands for it in tests. */
export interface Wire {
  send(text: string): void;
  close(): void;
  readonly open: boolean;
}
export type Connect = (path: string, on: { message: (text: string) => void; open: () => void; close: (code: number) => void }) => Wire;

export const overWebSocket: Connect = (path, on) => {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const socket = new WebSocket(`${scheme}://${location.host}${path}`);
  socket.onmessage = (event) => on.message(event.data as string);
  socket.onopen = () => on.open();
  socket.onclose = (event) => on.close(event.code);
  return {
    send: (text) => socket.send(text),
    close: () => socket.close(),
    get open() {
      return socket.readyState === WebSocket.OPEN;
    },
  };
};

/** What the parts of a view look like when the server leaves them out. */
export function whole(view: View): View & { pieces: Piece[] } {
  return { ...view, pieces: view.pieces ?? [], marks: view.marks ?? [], panels: view.panels ?? [], tracks: view.tracks ?? [] };
}

/** The view after a patch: changed fields in their new form, pieces by difference. */
export function patched(view: View, patch: Message): View {
  const next: Message = { ...view, ...patch };
  const change = patch.pieces;
  if (change && !Array.isArray(change)) {
    const gone = new Set<string>(change.gone ?? []);
    const put = new Map<string, Piece>((change.put ?? []).map((piece: Piece) => [piece.id, piece]));
    const kept = (view.pieces ?? []).filter((piece) => !gone.has(piece.id));
    next.pieces = kept.map((piece) => put.get(piece.id) ?? piece);
    const known = new Set(kept.map((piece) => piece.id));
    next.pieces.push(...[...put.values()].filter((piece) => !known.has(piece.id)));
  }
  return next as View;
}

const LATER = 15_000;

/** A match that is being played or watched: one WebSocket, connected again by itself. */
export class Live {
  match = $state.raw<MatchInfo | null>(null);
  side = $state<string | null>(null);
  yours = $state.raw<string[]>([]);
  version = $state(-1);
  view = $state.raw<View | null>(null);
  choices = $state.raw<Choice[]>([]);
  /** Whom the player waits for if his side is asked and he is not. */
  waits = $state("");
  refusals = $state.raw<Refusal[]>([]);
  log = $state.raw<Line[]>([]);
  chat = $state.raw<ChatLine[]>([]);
  undo = $state.raw<{ possible: boolean; why_not?: string; ask?: boolean }>({ possible: false });
  requests = $state.raw<Request[]>([]);
  clocks = $state.raw<Message | null>(null);
  clockBase = $state(0);
  orders = $state.raw<Orders>({});
  handover = $state.raw<{ to: string; curtain?: boolean } | null>(null);
  result = $state.raw<Result | null>(null);
  /** How many questions to the server wait for an answer. */
  asking = $state(0);
  /** How far the player has come in a lesson. */
  lesson = $state.raw<LessonState | null>(null);
  pace = $state("watch");
  thinking = $state<string | null>(null);
  presence = $state.raw<{ connected: Record<string, boolean>; observers: number }>({ connected: {}, observers: 0 });
  online = $state(false);
  refused = $state("");
  /** Whether the end has come while this page was open. */
  fresh = $state(false);

  #socket: Wire | null = null;
  #closed = false;
  #waiting = new Map<number, (message: Told) => void>();
  #number = 0;
  #pause = 500;
  #wanted: string;

  constructor(
    readonly id: string,
    side = "",
    private wished = "watch",
    private connect: Connect = overWebSocket,
  ) {
    this.#wanted = side;
    this.#connect();
  }

  #connect(): void {
    const query = new URLSearchParams();
    if (this.#wanted) query.set("side", this.#wanted);
    const opened = () => {
      this.online = true;
      this.#pause = 500;
    };
    const closed = (code: number) => {
      this.online = false;
      for (const answer of this.#waiting.values()) answer({ t: "refused", code: "offline", text: "The connection was lost." });
      this.#waiting.clear();
      if (this.#closed) return;
      if (code === 4401 || code === 4404) {
        this.refused = "There is no match of that number, or it is not yours to see.";
        return;
      }
      if (code === 4409) {
        this.refused = "This seat is played by somebody else now.";
        return;
      }
      setTimeout(() => this.#connect(), this.#pause);
      this.#pause = Math.min(this.#pause * 2, LATER);
    };
    const path = `/api/matches/${this.id}/live?${query}`;
    this.#socket = this.connect(path, { message: (text) => this.#take(JSON.parse(text) as Told), open: opened, close: closed });
  }

  close(): void {
    this.#closed = true;
    this.#socket?.close();
  }

  #take(message: Told): void {
    switch (message.t) {
      case "welcome":
        this.#state(message);
        this.#wanted = this.#wanted && (this.side ?? this.#wanted);
        this.log = message.log ?? [];
        this.chat = message.chat ?? [];
        this.requests = message.requests ?? [];
        this.result = message.result ?? null;
        this.handover = message.handover ?? null;
        if (this.wished !== (message.pace ?? "watch")) this.send({ t: "pace", pace: this.wished });
        if (message.match) addNumber(message.match as MatchInfo, message.side ?? null, (number) => this.send(number));
        break;
      case "update":
        if (message.patch && message.base !== this.version) {
          this.send({ t: "resync" });
          return;
        }
        this.#state(message);
        if (message.log?.length) this.log = [...this.log, ...message.log];
        break;
      case "chat":
        this.chat = [...this.chat, ...message.lines];
        break;
      case "presence":
        this.presence = { connected: message.connected ?? {}, observers: message.observers ?? 0 };
        break;
      case "thinking":
        this.thinking = message.side;
        break;
      case "match":
        this.match = message.match as MatchInfo;
        break;
      case "orders":
        this.orders = message.orders;
        break;
    }
    const answer = this.#waiting.get(message.id as number);
    if (answer) {
      this.#waiting.delete(message.id as number);
      answer(message);
    }
  }

  #state(message: Welcome | Update): void {
    if (message.t === "welcome") {
      this.match = message.match as MatchInfo;
      this.side = message.side;
      this.yours = message.yours;
      if (message.orders) this.orders = message.orders;
      if (message.pace) this.pace = message.pace;
    }
    if (message.view) this.view = message.view;
    else if (message.t === "update" && message.patch && this.view) this.view = patched(this.view, message.patch);
    this.version = message.version;
    this.choices = message.actions ?? [];
    this.waits = message.waits ?? "One moment …";
    this.refusals = message.refusals ?? [];
    if (message.undo) this.undo = message.undo;
    if ("requests" in message) this.requests = message.requests ?? [];
    if ("clocks" in message) {
      this.clocks = message.clocks ?? null;
      this.clockBase = Date.now();
    }
    if ("handover" in message) this.handover = message.handover ?? null;
    if ("result" in message) {
      if (message.result && !this.result && message.t === "update") this.fresh = true;
      this.result = message.result ?? null;
    }
    if (message.lesson) this.lesson = message.lesson;
    this.thinking = null;
  }

  send(message: Unnumbered & { id?: number }): boolean {
    if (!this.#socket?.open) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Send a message and wait for its answer; a refusal is thrown as an Error with the server's sentence. */
  ask<T extends Unnumbered>(message: T): Promise<AnswerTo<T>> {
    const id = ++this.#number;
    this.asking += 1;
    const answered = new Promise<AnswerTo<T>>((resolve, reject) => {
      this.#waiting.set(id, (answer) => {
        if (answer.t === "refused") reject(new Error(answer.text + (/\d/.test(answer.rule ?? "") ? ` (${answer.rule})` : "")));
        else resolve(answer as AnswerTo<T>);
      });
      if (!this.send({ ...message, id })) {
        this.#waiting.delete(id);
        reject(new Error("There is no connection to the server just now; it will be tried again."));
      }
    });
    return answered.finally(() => (this.asking -= 1));
  }

  /** Carries out actions: a whole declaration at once, or a way step by step as long as nothing comes between. */
  do(actions: Record<string, unknown>[], whole: boolean): Promise<Answer<"done">> {
    const [action, ...then] = actions;
    return this.#done({ t: "act", version: this.version, action: action!, then, whole: whole && then.length > 0 });
  }

  act(choice: Choice): Promise<Answer<"done">> {
    return this.#done({ t: "act", version: this.version, n: choice.n });
  }

  /** Sends an action and waits until the page shows what came of it. */
  async #done(message: Unnumbered & { t: "act" }): Promise<Answer<"done">> {
    const answer = await this.ask(message);
    for (let n = 0; n < 100 && this.version < answer.version && this.online; n += 1) {
      await new Promise((resume) => setTimeout(resume, 20));
    }
    return answer;
  }

  async preview(choice: Choice): Promise<Preview | null> {
    return (await this.ask({ t: "preview", version: this.version, n: choice.n })).preview ?? null;
  }

  async path(pieces: string[], to: string): Promise<Path | null> {
    return (await this.ask({ t: "path", pieces, to, via: [] })).path ?? null;
  }

  /** What pieces can do at a place or with a piece, or why they cannot. */
  async plan(pieces: string[], cell: string, target = ""): Promise<{ plans: Plan[]; why: Refusal | null }> {
    const answer = await this.ask({ t: "plan", version: this.version, pieces, cell, target });
    return { plans: answer.plans ?? [], why: answer.why ?? null };
  }

  /** Where pieces can go and what they can act on, with dangers and chances. */
  async goals(pieces: string[]): Promise<{ goals: Goal[]; danger: Record<string, number> }> {
    const answer = await this.ask({ t: "goals", version: this.version, pieces });
    return { goals: answer.goals ?? [], danger: answer.danger ?? {} };
  }

  keepOrders(part: Partial<Orders>): void {
    this.orders = { ...this.orders, ...part };
    this.send({ t: "orders", orders: this.orders });
  }

  async los(a: string, b: string): Promise<Los> {
    return (await this.ask({ t: "los", a, b })).los;
  }

  async visible(a: string): Promise<{ cells: Record<string, number>; blocked: string[] }> {
    const answer = await this.ask({ t: "visible", a });
    return { cells: answer.cells ?? {}, blocked: answer.blocked ?? [] };
  }

  /** A seat has become his who watched: he comes again, as its player. */
  take(side: string): void {
    this.#wanted = side;
    this.#socket?.close();
  }

  seat(side: string): void {
    this.#wanted = side;
    this.send({ t: "seat", side });
  }
}
