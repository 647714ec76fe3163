/** The lines above the tabs of a thing, and the bar of tabs. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lineWidth, span, type TextLine } from "../../../src/ui/app/theme/text-line.ts";
import { type Fact, summaryHeight, summaryLines } from "../../../src/ui/pages/entity/summary.ts";
import { nextTab, tabBar } from "../../../src/ui/pages/entity/tabs.ts";

const text = (line: TextLine) => line.map((one) => one.text).join("");
const facts: readonly Fact[] = [
  { label: "status", value: [span("✔ success", "good")] },
  { label: "time", value: [span("2 h ago")] },
  { label: "slot", value: [span("286244072")] },
  { label: "fee", value: [span("0.000005 SOL")] },
  { label: "priority", value: [] },
];
const words = fc.array(
  fc.record({ label: fc.stringMatching(/^[a-z]{1,10}$/), value: fc.stringMatching(/^[a-z0-9]{1,30}$/) }),
  { maxLength: 12 },
);

describe("the summary", () => {
  test("is one line where that is wide enough, with empty values left out", () => {
    const lines = summaryLines(facts, 120, 5).map(text);
    expect(lines).toEqual(["status ✔ success   time 2 h ago   slot 286244072   fee 0.000005 SOL"]);
  });

  test("is set in columns where it is not", () => {
    const lines = summaryLines(facts, 50, 5).map(text);
    expect(lines).toEqual(["status ✔ success   time 2 h ago", "slot   286244072   fee  0.000005 SOL"]);
  });

  test("gives up its columns where they would cost facts", () => {
    const wide = [...facts, { label: "transactions", value: [span("8")] }];
    expect(summaryLines(wide, 44, 2).map(text)).toEqual([
      "status ✔ success   time 2 h ago",
      "slot 286244072   fee 0.000005 SOL",
    ]);
  });

  test("gives a fact that is to stand alone a line of its own", () => {
    const failed = { label: "status", value: [span("✖ failed: the reason in many words")], onOwnLine: true };
    expect(summaryLines([failed, ...facts.slice(1)], 60, 3).map(text)).toEqual([
      "status ✖ failed: the reason in many words",
      "time 2 h ago   slot 286244072   fee 0.000005 SOL",
    ]);
  });

  test("leaves out what comes last where there is no room for it", () => {
    expect(summaryLines(facts, 20, 2).map(text)).toEqual(["status ✔ success", "time 2 h ago"]);
  });

  test("never takes more lines than it may, and only one column may be wider than the window", () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 10, max: 200 }), fc.integer({ min: 1, max: 5 }), (given, width, most) => {
        const all = given.map(({ label, value }) => ({ label, value: [span(value)] }));
        const lines = summaryLines(all, width, most);
        expect(lines.length).toBeLessThanOrEqual(most);
        if (given.length <= most)
          expect(given.every(({ value }) => lines.map(text).join("\n").includes(value))).toBe(true);
        for (const line of lines.filter((each) => lineWidth(each) > width)) {
          expect(given.filter(({ label, value }) => text(line) === `${label} ${value}`)).not.toHaveLength(0);
        }
      }),
    );
  });

  test("takes two lines in the lowest window and five in one of 24", () => {
    expect(summaryHeight(11)).toBe(2);
    expect(summaryHeight(12)).toBe(2);
    expect(summaryHeight(20)).toBe(5);
    expect(summaryHeight(56)).toBe(5);
  });
});

describe("the bar of tabs", () => {
  const names = ["what happened", "instructions", "balances", "logs", "accounts", "raw"];

  test("names all where they have room", () => {
    expect(text(tabBar(names, 0, 100))).toBe("1 what happened  2 instructions  3 balances  4 logs  5 accounts  6 raw");
  });

  test("keeps the numbers of those that it has no room to name", () => {
    expect(text(tabBar(names, 0, 45))).toBe("1 what happened  2 instructions  3  4  5  6");
    expect(text(tabBar(names, 5, 45))).toBe("1  2  3 balances  4 logs  5 accounts  6 raw");
    expect(text(tabBar([...names, "a", "b", "c", "last"], 0, 60))).toBe(
      "1 what happened  2 instructions  3  4  5  6  7  8  9  ›",
    );
  });

  test("shows those around the open one where there is no room for numbers either", () => {
    expect(text(tabBar(names, 0, 22))).toBe("1 what happened ›");
    expect(text(tabBar(names, 5, 15))).toBe("‹ 6 raw");
  });

  test("always shows the open one, and is as wide as the window at most", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 20, max: 100 }), (open, width) => {
        const bar = tabBar(names, open, width);
        expect(lineWidth(bar)).toBeLessThanOrEqual(width);
        expect(bar.filter(({ role }) => role === "active").map((one) => one.text)).toEqual([
          `${open + 1} ${names[open]}`,
        ]);
      }),
    );
  });

  test("goes around at its ends", () => {
    expect([nextTab(3, 2, 1), nextTab(3, 0, -1), nextTab(3, 0, 1)]).toEqual([0, 2, 1]);
  });
});
