import type {
  ChatLine,
  Choice,
  Line,
  Los,
  MatchInfo,
  Orders,
  Path,
  Piece,
  Preview,
  Refusal,
  Request,
  Result,
  View,
} from "./types";

type Message = Record<string, any>;

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
  pace = $state("watch");
  thinking = $state<string | null>(null);
  presence = $state.raw<{ connected: Record<string, boolean>; observers: number }>({ connected: {}, observers: 0 });
  online = $state(false);
  refused = $state("");
  /** Whether the end has come while this page was open. */
  fresh = $state(false);

  #socket: WebSocket | null = null;
  #closed = false;
  #waiting = new Map<number, (message: Message) => void>();
  #number = 0;
  #pause = 500;
  #wanted: string;

  constructor(
    readonly id: string,
    side = "",
    private wished = "watch",
  ) {
    this.#wanted = side;
    this.#connect();
  }

  #connect(): void {
    const query = new URLSearchParams();
    if (this.#wanted) query.set("side", this.#wanted);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/matches/${this.id}/live?${query}`);
    this.#socket = socket;
    socket.onmessage = (event) => this.#take(JSON.parse(event.data as string));
    socket.onopen = () => {
      this.online = true;
      this.#pause = 500;
    };
    socket.onclose = (event) => {
      this.online = false;
      for (const answer of this.#waiting.values()) answer({ t: "refused", code: "offline", text: "The connection was lost." });
      this.#waiting.clear();
      if (this.#closed) return;
      if (event.code === 4401 || event.code === 4404) {
        this.refused = "There is no match of that number, or it is not yours to see.";
        return;
      }
      if (event.code === 4409) {
        this.refused = "This seat is played by somebody else now.";
        return;
      }
      setTimeout(() => this.#connect(), this.#pause);
      this.#pause = Math.min(this.#pause * 2, LATER);
    };
  }

  close(): void {
    this.#closed = true;
    this.#socket?.close();
  }

  #take(message: Message): void {
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
        this.match = message.match;
        break;
      case "orders":
        this.orders = message.orders;
        break;
      case "requests":
        this.requests = message.requests ?? [];
        break;
    }
    const answer = this.#waiting.get(message.id);
    if (answer) {
      this.#waiting.delete(message.id);
      answer(message);
    }
  }

  #state(message: Message): void {
    if (message.match) this.match = message.match;
    if ("side" in message) this.side = message.side;
    if (message.yours) this.yours = message.yours;
    if (message.view) this.view = message.view;
    else if (message.patch && this.view) this.view = patched(this.view, message.patch);
    this.version = message.version;
    this.choices = message.actions ?? [];
    this.refusals = message.refusals ?? [];
    if (message.undo) this.undo = message.undo;
    if ("requests" in message) this.requests = message.requests ?? [];
    if ("clocks" in message) {
      this.clocks = message.clocks;
      this.clockBase = Date.now();
    }
    if (message.orders) this.orders = message.orders;
    if ("handover" in message) this.handover = message.handover;
    if ("result" in message) {
      if (message.result && !this.result && message.t === "update") this.fresh = true;
      this.result = message.result;
    }
    if (message.pace) this.pace = message.pace;
    this.thinking = null;
  }

  send(message: Message): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Send a message and wait for its answer; a refusal is thrown as an Error with the server's sentence. */
  ask(message: Message): Promise<Message> {
    const id = ++this.#number;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, (answer) => {
        if (answer.t === "refused") reject(new Error(answer.text + (answer.rule ? ` (${answer.rule})` : "")));
        else resolve(answer);
      });
      if (!this.send({ ...message, id })) {
        this.#waiting.delete(id);
        reject(new Error("There is no connection to the server just now; it will be tried again."));
      }
    });
  }

  act(choice: Choice): Promise<Message> {
    return this.#done({ t: "act", version: this.version, n: choice.n });
  }

  walk(path: Path): Promise<Message> {
    const [first, ...then] = path.steps.map((step) => step.action);
    return this.#done({ t: "act", version: this.version, action: first, then });
  }

  /** Sends an action and waits until the page shows what came of it. */
  async #done(message: Message): Promise<Message> {
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

  async los(a: string, b: string): Promise<Los> {
    return (await this.ask({ t: "los", a, b })).los;
  }

  async visible(a: string): Promise<{ cells: Record<string, number>; blocked: string[] }> {
    const answer = await this.ask({ t: "visible", a });
    return { cells: answer.cells ?? {}, blocked: answer.blocked ?? [] };
  }

  seat(side: string): void {
    this.#wanted = side;
    this.send({ t: "seat", side });
  }
}
