/** The summary and the tab bar of an entity. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lineWidth, span, type TextLine } from "../../../src/ui/navigation/theme/text-line.ts";
import {
  type Fact,
  nextTab,
  summaryHeight,
  summaryLines,
  tabBar,
  tabRule,
} from "../../../src/ui/pages/entity/header.ts";

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
  test("is one line when the width permits, without empty values", () => {
    const lines = summaryLines(facts, 120, 5).map(text);
    expect(lines).toEqual(["status ✔ success   time 2 h ago   slot 286244072   fee 0.000005 SOL"]);
  });

  test("is laid out in columns otherwise", () => {
    const lines = summaryLines(facts, 50, 5).map(text);
    expect(lines).toEqual(["status ✔ success   time 2 h ago", "slot   286244072   fee  0.000005 SOL"]);
  });

  test("drops its columns before it omits facts", () => {
    const wide = [...facts, { label: "transactions", value: [span("8")] }];
    expect(summaryLines(wide, 44, 2).map(text)).toEqual([
      "status ✔ success   time 2 h ago",
      "slot 286244072   fee 0.000005 SOL",
    ]);
  });

  test("puts a fact on a separate line on request", () => {
    const failed = { label: "status", value: [span("✖ failed: the reason in many words")], onOwnLine: true };
    expect(summaryLines([failed, ...facts.slice(1)], 60, 3).map(text)).toEqual([
      "status ✖ failed: the reason in many words",
      "time 2 h ago   slot 286244072   fee 0.000005 SOL",
    ]);
  });

  test("omits the last facts when there is no space", () => {
    expect(summaryLines(facts, 20, 2).map(text)).toEqual(["status ✔ success", "time 2 h ago"]);
  });

  test("never exceeds its lines, and only a single column may exceed the width", () => {
    fc.assert(
      fc.property(
        words,
        fc.integer({ min: 10, max: 200 }),
        fc.integer({ min: 1, max: 5 }),
        (facts, width, maxLines) => {
          const all = facts.map(({ label, value }) => ({ label, value: [span(value)] }));
          const lines = summaryLines(all, width, maxLines);
          expect(lines.length).toBeLessThanOrEqual(maxLines);
          if (facts.length <= maxLines)
            expect(facts.every(({ value }) => lines.map(text).join("\n").includes(value))).toBe(true);
          for (const line of lines.filter((each) => lineWidth(each) > width)) {
            expect(facts.filter(({ label, value }) => text(line) === `${label} ${value}`)).not.toHaveLength(0);
          }
        },
      ),
    );
  });

  test("takes two lines in a small window and five in a window of 24 lines", () => {
    expect(summaryHeight(11)).toBe(2);
    expect(summaryHeight(12)).toBe(2);
    expect(summaryHeight(20)).toBe(5);
    expect(summaryHeight(56)).toBe(5);
  });
});

describe("the tab bar", () => {
  const names = ["what happened", "instructions", "balances", "logs", "accounts", "raw"];

  test("names all tabs when they fit", () => {
    expect(text(tabBar(names, 0, 100))).toBe("1 what happened  2 instructions  3 balances  4 logs  5 accounts  6 raw");
  });

  test("counts the tabs without space for their names, and names the key that leads to them", () => {
    expect(text(tabBar(names, 0, 45))).toBe("1 what happened  2 instructions … +4 Tab");
    expect(text(tabBar(names, 5, 45))).toBe("+2 … 3 balances  4 logs  5 accounts  6 raw");
    expect(text(tabBar(names, 2, 40))).toBe("+2 … 3 balances  4 logs … +2 Tab");
    expect(text(tabBar(names, 0, 22))).toBe("1 what happened … +5");
    expect(tabBar(names, 2, 40).at(-2)?.hit).toBe(4);
  });

  test("has a rule that is heavy below the open one", () => {
    const bar = tabBar(names, 1, 100);
    expect(text(tabRule(bar, 40, true))).toBe(`${"─".repeat(17)}${"━".repeat(14)}${"─".repeat(9)}`);
  });

  test("always shows the open tab and never exceeds the width", () => {
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

  test("wraps around at its ends", () => {
    expect([nextTab(3, 2, 1), nextTab(3, 0, -1), nextTab(3, 0, 1)]).toEqual([0, 2, 1]);
  });
});
