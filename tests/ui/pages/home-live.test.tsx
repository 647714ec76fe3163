import { Text } from "ink";
import { useState } from "react";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/base/json.ts";
import { lineWidth, span, type TextLine } from "../../../src/ui/navigation/theme/text-line.ts";
import type { ChainGauge } from "../../../src/ui/pages/home/gauges.ts";
import { findChanges, NO_CHANGES, useChanges } from "../../../src/ui/pages/home/section-panel.tsx";
import { CARD_HEIGHT, gaugeCards, gaugeLine } from "../../../src/ui/pages/home/summary.tsx";
import { waitFor } from "../../support/wait-for.ts";
import { HandClock } from "../data/setup.ts";
import { renderInTerminal } from "../support.tsx";

const BLOCKS = { id: "slot", fields: [] };
const TOKENS = { id: "mint", fields: ["price"] };

describe("the changes of a list", () => {
  it("are none for the first answer and for an equal one", () => {
    const rows = [{ slot: 2 }, { slot: 1 }];
    expect(findChanges([], rows, BLOCKS)).toBe(NO_CHANGES);
    expect(findChanges(rows, [{ slot: 2 }, { slot: 1 }], BLOCKS)).toBe(NO_CHANGES);
  });

  it("are the rows that arrived, of which those at the top slide in", () => {
    const rows = [{ slot: 5 }, { slot: 4 }, { slot: 2 }, { slot: 3 }];
    const changes = findChanges([{ slot: 3 }, { slot: 2 }], rows, BLOCKS);
    expect([...changes.added]).toEqual([5, 4]);
  });

  it("are the directions of quantities, by row", () => {
    const before = [
      { mint: "a", price: 1 },
      { mint: "b", price: 2 },
      { mint: "c", price: 3 },
    ];
    const after = [
      { mint: "c", price: 3 },
      { mint: "b", price: 1.5 },
      { mint: "a", price: 1.01 },
      { mint: "d", price: 9 },
    ];
    const { trend, added } = findChanges(before, after, TOKENS);
    expect(after.map((row) => trend(row, "price"))).toEqual([undefined, -1, 1, undefined]);
    expect([...added]).toEqual(["d"]);
  });
});

const text = (line: TextLine | undefined) => (line ?? []).map((one) => one.text).join("");
const series: ChainGauge["drawing"] = { isFirst: false, max: 30, line: (width) => [span("#".repeat(width))] };
const GAUGES: readonly ChainGauge[] = [
  { title: "epoch 903", value: [span("25%")], note: [span("ends soon")], drawing: { ...series, isFirst: true } },
  { title: "unknown", value: [] },
  { title: "TPS", value: [span("32")], drawing: series },
  { title: "slot", value: [span("390,204,414")] },
];

describe("the gauges of the home page", () => {
  it("are as many as fit into a line, without those that have no value", () => {
    expect(text(gaugeLine(GAUGES, 80))).toBe("epoch 903 ######## 25%   TPS 32 ########   slot 390,204,414");
    expect(text(gaugeLine(GAUGES, 44))).toBe("epoch 903 ######## 25%   TPS 32 ########");
  });

  it("are cards that fill the width; drawings grow before values", () => {
    for (const width of [60, 100, 163]) {
      const lines = gaugeCards(GAUGES, width, true);
      expect(lines).toHaveLength(CARD_HEIGHT);
      for (const line of lines) expect(lineWidth(line)).toBe(width);
    }
    expect(gaugeCards(GAUGES, 60, true).map(text)).toEqual([
      "╭─ epoch 903 ─────────╮╭─ TPS ──────────────╮╭─ slot ──────╮",
      "│ ############### 25% ││ 32 ############### ││ 390,204,414 │",
      "│ ends soon           ││                    ││             │",
      "╰─────────────────────╯╰────────────────────╯╰─────────────╯",
    ]);
  });
});

describe("a list that changes", () => {
  /** Draws the rows of a list, those that are highlighted in brackets. */
  function List({ rows, clock }: { rows: readonly JsonObject[]; clock: HandClock }) {
    const changes = useChanges(rows, BLOCKS, clock);
    return <Text>{rows.map(({ slot }) => (changes.added.has(slot) ? `[${slot}]` : slot)).join(" ")}</Text>;
  }
  const slots = (...all: readonly number[]) => all.map((slot) => ({ slot }));

  it("highlights new rows for a moment, and then rests", async () => {
    const clock = new HandClock();
    const answer = { set: (_: readonly JsonObject[]) => {} };
    function Page() {
      const [rows, set] = useState<readonly JsonObject[]>(slots(2, 1));
      answer.set = set;
      return <List rows={rows} clock={clock} />;
    }
    const terminal = renderInTerminal(<Page />, 40, 5);
    await terminal.waitFor(/^2 1$/);
    expect(clock.count).toBe(0);
    answer.set(slots(4, 3, 2, 1));
    await terminal.waitFor(/^\[4\] \[3\] 2 1$/);
    await waitFor(() => expect(clock.count).toBe(1));
    clock.advance(1200);
    await terminal.waitFor(/^4 3 2 1$/);
    expect(clock.count).toBe(0);
  });
});
