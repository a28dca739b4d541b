import { beforeEach, describe, expect, it, vi } from "vitest";
import { addNumber, fairness, noted } from "./fairDice";
import type { MatchInfo } from "./types";

const COMMITMENT = "c0".repeat(32);
const match = (more: Partial<MatchInfo>) => ({ id: "m1", commitment: COMMITMENT, numbers: [], seeded: false, result: null, ...more }) as unknown as MatchInfo;

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) });
});

describe("what is said about the dice", () => {
  it("is no more than is proven while no number was added", () => {
    const said = fairness(match({}));
    expect(said).toContain("depend on the server's secret alone");
    expect(said).toContain("could have chosen it");
    expect(said).toContain("does not show that the record is whole");
  });
  it("names the number of this browser, and which rolls it is in", () => {
    let sent = "";
    addNumber(match({}), "red", (message) => (sent = message.number));
    expect(sent).toMatch(/^[0-9a-f]{64}$/);
    expect(noted("m1")).toEqual({ commitment: COMMITMENT, number: sent });
    const said = fairness(match({ numbers: ["red", "blue"] }));
    expect(said).toContain("Numbers of red and blue");
    expect(said).toContain("rolls before it");
    expect(said).toContain(`--commitment ${COMMITMENT.slice(0, 16)} --number ${sent}`);
  });
  it("warns of a commitment that is not the one that was noted, and adds no number then", () => {
    addNumber(match({}), "red", () => undefined);
    const swapped = match({ commitment: "d0".repeat(32) });
    expect(fairness(swapped)).toContain("do not trust its dice");
    addNumber(swapped, "red", () => expect.fail("a number was added"));
  });
  it("says that a seed is no secret", () => {
    expect(fairness(match({ seeded: true }))).toContain("can be known beforehand");
  });
});
