import { describe, expect, test } from "vitest";
import { Desk } from "./desk.svelte";
import { Guard, hotKeys } from "./keys";
import { Live, type Connect } from "./live.svelte";
import { alike, headline, idlers } from "./offers";
import { sceneOf } from "./show.svelte";
import type { Choice, Line, Piece, Plan, Say } from "./types";

const choice = (n: number, part: Partial<Choice> = {}): Choice => ({ n, action: { n }, text: `choice ${n}`, ...part });
const piece = (id: string, at: string, side = "blue"): Piece => ({ id, at, face: "f", label: id, side });
const plan = (part: Partial<Plan>): Plan => ({ actions: [{ type: "a" }], text: "a plan", ...part });
const settle = async () => {
  for (let n = 0; n < 5; n += 1) await new Promise((resume) => setTimeout(resume, 0));
};

/** A server that answers from a script and remembers what it was sent. */
function table(choices: Choice[], pieces: Piece[], plans: Plan[] = [], more: Record<string, unknown> = {}) {
  const sent: Say[] = [];
  let tell: (message: unknown) => void = () => undefined;
  let version = 1;
  const connect: Connect = (_path, on) => {
    tell = (message) => on.message(JSON.stringify(message));
    queueMicrotask(() => {
      on.open();
      const view = { side: "blue", version, turn: "Turn 1", phase: "Fire", active: "blue", prompt: "?", pieces, to_act: ["blue"] };
      tell({ t: "welcome", version, now: 0, match: {}, side: "blue", yours: ["blue"], view, actions: choices, undo: { possible: false }, ...more });
    });
    return {
      open: true,
      close: () => undefined,
      send: (text) => {
        const message = JSON.parse(text) as Say & { id: number };
        if (message.t === "pace") return;
        sent.push(message);
        queueMicrotask(() => {
          if (message.t === "plan") tell({ t: "plan", id: message.id, plans, why: plans.length ? null : { text: "Fire with a", reason: "it is too far", rule: "3.2" } });
          else if (message.t === "goals") tell({ t: "goals", id: message.id, goals: [], danger: {} });
          else if (message.t === "preview") tell({ t: "preview", id: message.id, preview: null });
          else if (message.t === "act") {
            version += 1;
            tell({ t: "update", version, base: version - 1, now: 0, patch: { version }, actions: choices, undo: { possible: true } });
            tell({ t: "done", id: message.id, version });
          } else tell({ t: "refused", id: message.id, code: "x", text: "No." });
        });
      },
    };
  };
  const live = new Live("m", "", "watch", connect);
  const desk = new Desk(live);
  return { live, desk, sent, of: (kind: string) => sent.filter((message) => message.t === kind) };
}

const fire = [choice(0, { role: "start", pieces: ["a"] }), choice(1, { role: "start", pieces: ["b"] }), choice(2, { role: "pass", text: "End" })];
const men = [piece("a", "K4"), piece("b", "K4"), piece("l", "K4"), piece("x", "M5", "red")];
const shot = plan({ actions: [{ type: "start" }, { type: "aim" }, { type: "add" }, { type: "fire" }], role: "resolve", pieces: ["a", "b"], cells: ["M5"], preview: { title: "t", odds: [{ label: "any", chance: 0.9 }, { label: "breaks", chance: 0.4, decides: true }] } });

describe("the desk", () => {
  test("units are put together in any order, and a whole attack is one plan and one act", async () => {
    const { desk, of, sent } = table(fire, men, [shot]);
    await settle();
    desk.pick(men[1]!, false);
    desk.pick(men[0]!, true);
    expect([...desk.selected].sort()).toEqual(["a", "b"]);
    desk.pick(men[3]!, false);
    await settle();
    expect(desk.chosen?.text).toBe("a plan");
    expect(headline(desk.preview)?.label).toBe("breaks");
    await desk.confirm();
    expect(of("plan")).toHaveLength(1);
    expect(of("act")).toEqual([expect.objectContaining({ action: { type: "start" }, then: [{ type: "aim" }, { type: "add" }, { type: "fire" }], whole: true })]);
    expect(sent.filter((message) => message.t !== "goals").length).toBeLessThanOrEqual(3);
  });

  test("what cannot be done is said with the rule's own reason", async () => {
    const { desk } = table(fire, men, []);
    await settle();
    desk.pick(men[0]!, false);
    desk.pick(men[3]!, false);
    await settle();
    expect(desk.message).toBe("Fire with a: it is too far (3.2)");
    expect([...desk.selected]).toEqual(["a"]);
  });

  test("a way of several steps is shown before it is gone, a single step is done", async () => {
    const steps = [{ cell: "K5" }, { cell: "K6" }];
    const way = plan({ cells: ["K4", "K6"], path: { cells: ["K4", "K5", "K6"], steps } });
    const { desk, of } = table(fire, men, [way]);
    await settle();
    desk.pick(men[0]!, false);
    await desk.aim("K6");
    expect(desk.path?.cells.at(-1)).toBe("K6");
    expect(of("act")).toHaveLength(0);
    await desk.aim("K6");
    expect(of("act")).toEqual([expect.objectContaining({ whole: false })]);
  });

  test("several plans are offered, and the same click again selects the whole stack with its leader", async () => {
    const { desk } = table(fire, men, [shot, plan({ text: "another" })]);
    await settle();
    desk.pick(men[0]!, false);
    desk.pick(men[0]!, false);
    expect([...desk.selected].sort()).toEqual(["a", "b", "l"]);
    await desk.aim("M5");
    expect(desk.menu.map((offer) => offer.text)).toEqual(["a plan", "another"]);
  });

  test("who is lost stays no longer selected, in a tray where nobody acts", async () => {
    const { desk, live } = table(fire, men);
    await settle();
    desk.pick(men[0]!, false);
    expect([...desk.selected]).toEqual(["a"]);
    live.choices = [fire[1]!, fire[2]!];
    live.view = { ...live.view!, boxes: [{ id: "gone", label: "lost" }], pieces: [piece("a", "gone"), ...men.slice(1)] };
    desk.tidy();
    expect([...desk.selected]).toEqual([]);
    expect(desk.fitting).toHaveLength(2);
  });

  test("ending a phase with units that can act asks once", async () => {
    const { desk, of } = table(fire, men);
    await settle();
    await desk.choose(fire[2]!);
    expect(desk.chosen?.text).toBe("End");
    expect(of("act")).toHaveLength(0);
    desk.release();
    await desk.choose(fire[2]!);
    expect(of("act")).toHaveLength(1);
  });

  test("a decision that loses is asked about every time", async () => {
    const risky = [choice(0, { role: "pass", warning: "The game is lost." })];
    const { desk, of } = table(risky, men);
    await settle();
    await desk.choose(risky[0]!);
    desk.release();
    await desk.choose(risky[0]!);
    expect(of("act")).toHaveLength(0);
    await desk.confirm();
    expect(of("act")).toHaveLength(1);
  });

  test("taking back against a computer leaves no message behind", async () => {
    const { desk, live } = table(fire, men);
    await settle();
    live.undo = { possible: false, ask: true, why_not: "Dice have been rolled since." };
    live.ask = (async () => ({ t: "done", version: 2 })) as unknown as typeof live.ask;
    await desk.undo();
    expect([desk.message, desk.hint]).toEqual(["", ""]);
  });

  test("one answer for all of a kind", async () => {
    const hits = [choice(0, { group: "choose", text: "Rifles take the hit", pieces: ["a"] }), choice(1, { group: "choose", text: "Rifles take the hit", pieces: ["b"] }), choice(2, { group: "choose", text: "Officer takes the hit", pieces: ["l"] })];
    const { desk, of } = table(hits, men);
    await settle();
    const [rifles] = alike(hits);
    expect(rifles).toHaveLength(2);
    await desk.chooseAll(rifles!);
    expect(of("act")).toEqual([expect.objectContaining({ action: { n: 0 }, then: [{ n: 1 }] })]);
  });
});

describe("keys and offers", () => {
  test("a key never hits the successor of a choice that has vanished", () => {
    const guard = new Guard();
    const halt = [choice(0, { role: "stop", text: "Halt here" })];
    const end = [choice(0, { role: "pass", text: "End the turn" })];
    guard.change(halt, hotKeys(halt), 0);
    guard.change(end, hotKeys(end), 1000);
    expect(guard.allows("Space", 1100)).toBe(false);
    expect(guard.allows("Space", 2000)).toBe(true);
    guard.change(end, hotKeys(end), 5000);
    expect(guard.allows("Space", 5001)).toBe(true);
  });

  test("who could still act is counted without the ways to pass", () => {
    expect(idlers(fire)).toBe(2);
  });

  test("what others do has its place on the map", () => {
    const pieces = new Map([["g1", piece("g1", "K4")]]);
    const line = (kind: string, event: Record<string, unknown>): Line => ({ id: "1", version: 1, kind, text: "t", event });
    expect(sceneOf(line("Moved", { units: ["g1"], frm: "K4", at: "K5" }), pieces, undefined)).toMatchObject({ kind: "move", from: "K4", to: "K5" });
    expect(sceneOf(line("Fired", { firers: ["g1"], at: "M5", result: "1KIA" }), pieces, [3, 4])).toMatchObject({ kind: "fire", from: "K4", to: "M5", label: "1KIA", dice: [3, 4] });
    expect(sceneOf(line("Broke", { unit: "g1", at: "K4" }), pieces, undefined)).toMatchObject({ kind: "result", label: "breaks", bad: true });
    expect(sceneOf(line("PhaseBegan", {}), pieces, undefined)).toBeNull();
  });
});
