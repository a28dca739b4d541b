import { chartOf, printed, rowOf } from "./chart";
import { describe, expect, test } from "vitest";
import { cellAt, faceId, stacks, step } from "./cells";
import { Lexicon } from "./glossary";
import { hotKeys } from "./keys";
import { arrange, inBox } from "./layout";
import { patched } from "./live.svelte";
import type { Cell, Choice, Piece, Scene, View } from "./types";

const square = (id: string, x: number, y: number, half: number): Cell => ({
  id,
  x,
  y,
  outline: [[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]],
});
const piece = (id: string, at = "a", within = ""): Piece => ({ id, at, within, face: "f", label: id });
const choice = (n: number, part: Partial<Choice> = {}): Choice => ({ n, action: {}, text: `choice ${n}`, ...part });
const scene: Scene = { width: 400, height: 400, piece_size: 40, cells: [square("a", 50, 50, 50), square("b", 150, 50, 50), square("c", 50, 150, 50)] };

describe("cells", () => {
  test("the cell under a point is the nearest one, none outside the map", () => {
    expect(cellAt(scene, 60, 40)?.id).toBe("a");
    expect(cellAt(scene, 140, 60)?.id).toBe("b");
    expect(cellAt(scene, 390, 390)).toBeNull();
  });
  test("steps follow the direction of the arrow", () => {
    expect(step(scene, scene.cells[0]!, 90).id).toBe("b");
    expect(step(scene, scene.cells[0]!, 180).id).toBe("c");
    expect(step(scene, scene.cells[0]!, 0).id).toBe("a");
  });
  test("what is carried lies right after its carrier", () => {
    const pile = stacks([piece("squad"), piece("leader"), piece("gun", "", "squad")]).get("a");
    expect(pile?.map((one) => one.id)).toEqual(["squad", "gun", "leader"]);
  });
  test("ids of faces are plain and differ", () => {
    expect(faceId("a/b c")).toMatch(/^[\w-]+$/);
    expect(faceId("a/b")).not.toBe(faceId("a b"));
  });
});

describe("hot keys", () => {
  test("passing is Space, cancelling Esc, carrying out Enter, suggestions are kept", () => {
    const keys = hotKeys([
      choice(0, { role: "pass", key: "Enter" }),
      choice(1, { role: "cancel", key: "Escape" }),
      choice(2, { role: "resolve", key: "Enter" }),
      choice(3, { key: "m" }),
      choice(4, { key: "l" }),
    ]);
    expect([0, 1, 2, 3, 4].map((n) => keys.get(n))).toEqual(["Space", "Esc", "Enter", "m", "1"]);
  });
  test("no key is given twice", () => {
    const keys = [...hotKeys(Array.from({ length: 60 }, (_, n) => choice(n))).values()];
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe("layout", () => {
  test("pieces stand side by side where the cell has room", () => {
    const places = arrange([piece("1"), piece("2"), piece("3")], scene.cells[0]!, scene, false);
    expect(new Set(places.map((one) => `${one.x} ${one.y}`)).size).toBe(3);
    expect(places.every((one) => Math.abs(one.x - 50) < 50 && Math.abs(one.y - 50) < 50)).toBe(true);
  });
  test("an opened stack stays on the map", () => {
    const hex: Cell = { ...scene.cells[0]!, x: 2, outline: [...scene.cells[0]!.outline, [0, 0], [0, 1]] };
    const places = arrange([piece("1"), piece("2"), piece("3")], hex, scene, true);
    expect(Math.min(...places.map((one) => one.x))).toBeGreaterThanOrEqual(20);
  });
  test("a full box is filled within its borders", () => {
    const box = { id: "x", label: "", x: 0, y: 0, width: 200, height: 100 };
    const places = inBox(Array.from({ length: 12 }, (_, n) => piece(String(n))), box, 40);
    expect(Math.max(...places.map((one) => one.y + 20))).toBeLessThanOrEqual(105);
  });
});

describe("words", () => {
  const lexicon = new Lexicon({ terms: [{ id: "dm", title: "Desperation morale", text: "t", words: ["DM"], faces: ["m/dm"] }], rules: { "1.2": "Title" } });
  test("terms are found as whole words", () => {
    expect(lexicon.parts("The DM unit, not ADMIN").filter((part) => part.term).map((part) => part.text)).toEqual(["DM"]);
    expect(lexicon.parts("The DM unit").map((part) => part.text).join("")).toBe("The DM unit");
  });
  test("rules have titles", () => {
    expect(lexicon.rule("1.2")).toBe("1.2 Title");
    expect(lexicon.rule("9")).toBe("9");
  });
});

test("a patch replaces fields and tells pieces by difference", () => {
  const view = { side: "a", version: 1, turn: "1", phase: "x", active: "a", prompt: "", pieces: [piece("1"), piece("2")] } as View;
  const next = patched(view, { phase: "y", pieces: { put: [piece("2", "b"), piece("3")], gone: ["1"] } });
  expect(next.phase).toBe("y");
  expect(next.pieces?.map((one) => `${one.id}${one.at}`)).toEqual(["2b", "3a"]);
});

describe("printed tables", () => {
  test("marks the row that decided", () => {
    expect(rowOf(["<=3", "4", "5-8", ">=9"], "5-8")).toBe(2);
    expect(rowOf(["<=3", "4", "5-8", ">=9"], "Rural 7")).toBe(2);
    expect(rowOf(["<=3", "4", "5-8", ">=9"], "11")).toBe(3);
    expect(rowOf(["01-02", "03"], "03")).toBe(1);
    expect(rowOf(["a", "b"], "c")).toBe(-1);
    expect(rowOf(["2-4", "5-9"], "S6.312")).toBe(-1);
    expect(rowOf(["2", "3", "12"], "12, dr 3")).toBe(2);
    expect(rowOf(["<=3", "4", "5-8", ">=9"], "4-6-8")).toBe(-1);
    expect(rowOf(["<=0", "1", "2-4"], "1+3+5 pillbox")).toBe(-1);
    expect(["A8a", "UM9", "G1", "M1 ENEMY SAN", "Theater Opposition Chart", "17.81", "S8.61", "M3 MSR 2", "Alignment"].map((table) => chartOf({ table }) !== null)).toEqual([true, true, true, true, true, false, false, false, false]);
    expect(chartOf({ table: "S8.61", row: "First Fire", why: "K5 fires at K7: case A of G1" })).toEqual({ table: "G1", row: "case A" });
    expect(rowOf(["A", "B"], "case B")).toBe(1);
  });
  test("are shown with the signs of print", () => {
    expect(printed("AFV^1, S^2")).toBe("AFV¹, S²");
    expect(printed(">=11, v48^1,3, dr <=2")).toBe("≥11, v48¹,³, dr ≤2");
  });
});
