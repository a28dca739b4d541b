/** The desk without a page: positions come in as lines of JSON, what the desk says of each pair goes out. For tests. */
// @ts-expect-error the client itself knows nothing of node
import { createInterface } from "node:readline";
import { Desk } from "./desk.svelte";
import { Live, type Connect } from "./live.svelte";

declare const process: { stdin: unknown; stdout: { write: (text: string) => void } };
type Wanted = { pieces: string[]; cell: string; target: string };
let deliver: (text: string) => void = () => undefined;
let opened: () => void = () => undefined;
const out = (message: unknown) => process.stdout.write(`${JSON.stringify(message)}\n`);

const connect: Connect = (_path, on) => {
  deliver = on.message;
  opened = on.open;
  return { open: true, close: () => undefined, send: (text) => out({ send: JSON.parse(text) }) };
};

const live = new Live("m", "", "watch", connect);
const desk = new Desk(live, () => true);
opened();

async function one({ pieces, cell, target }: Wanted): Promise<void> {
  desk.message = "";
  desk.hint = "";
  desk.select(pieces);
  const shown = (live.view?.pieces ?? []).find((piece) => piece.id === target);
  if (shown) desk.pick(shown, false);
  else await desk.aim(cell);
  for (let n = 0; n < 400 && !desk.chosen && !desk.way && !desk.menu.length && !desk.message && !desk.hint && !acted; n += 1) await new Promise((resume) => setTimeout(resume, 1));
  out({ result: { ok: !!(desk.chosen || desk.way || desk.menu.length || acted), message: desk.message || desk.hint } });
}

/** An act is not carried out here: that the desk would send it is what was asked. */
let acted = false;
live.do = (async () => ((acted = true), { t: "done", version: live.version })) as typeof live.do;
live.act = live.do as unknown as typeof live.act;

createInterface({ input: process.stdin }).on("line", (line: string) => {
  const message = JSON.parse(line) as { tell?: unknown; pair?: Wanted };
  if (message.tell) deliver(JSON.stringify(message.tell));
  else if (message.pair) {
    acted = false;
    void one(message.pair);
  }
});
