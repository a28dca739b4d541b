import { describe, expect, it } from "vitest";
import { begin, inOrder, percent, seat, share } from "./fair";
import { lasting, many, span } from "./since";
import type { Game, Scenario } from "./types";

const scenario = (more: Partial<Scenario>): Scenario => ({ id: "one", title: "One", sides: ["a", "b"], first: "a", ...more });
const game = (id: string, one: Scenario): Game => ({ id, title: id, scenarios: [one] });

describe("a fair seat", () => {
  it("is the one whose chance is nearest to even, with the balance if that helps", () => {
    const uneven = scenario({
      chances: { games: 40, won: { a: 6, b: 34 } },
      even: { balance_a: "on" },
      even_chances: { games: 40, won: { a: 23, b: 17 } },
    });
    expect(seat("g", uneven)).toMatchObject({ side: "a", options: { balance_a: "on" }, chance: 23 / 40 });
  });
  it("is the stronger of two that are equally far from even", () => {
    expect(seat("g", scenario({ chances: { games: 10, won: { a: 2, b: 8 } } }))).toMatchObject({ side: "b", options: {} });
  });
  it("is the first to move where nothing is known", () => {
    expect(seat("g", scenario({ first: "b" })).side).toBe("b");
  });
  it("is offered in the game to begin with", () => {
    const games = inOrder([game("pbi", scenario({})), { ...game("aslguide", scenario({})), beginners: true }]);
    expect(games.map((one) => one.id)).toEqual(["aslguide", "pbi"]);
    expect(begin(games)?.game).toBe("aslguide");
    expect(begin([])).toBeNull();
  });
  it("has its chance in words", () => {
    expect(percent(share({ games: 40, won: { a: 23 } }, "a"))).toBe("57%");
    expect(percent(share(null, "a"))).toBe("");
  });
});

describe("times and numbers in words", () => {
  it("says how long something has lasted", () => {
    const now = 1_000_000_000;
    expect(span(now - 20_000, now)).toBe("");
    expect(lasting(now - 20_000, now)).toBe("just now");
    expect(lasting(now - 60_000, now)).toBe("for 1 minute");
    expect(span(now - 3 * 3_600_000, now)).toBe("3 hours");
    expect(span(now - 50 * 3_600_000, now)).toBe("2 days");
  });
  it("says one lesson and two lessons", () => {
    expect(many(1, "lesson")).toBe("1 lesson");
    expect(many(5, "lesson")).toBe("5 lessons");
    expect(many(2, "match", "matches")).toBe("2 matches");
  });
});
