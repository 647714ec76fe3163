/** The dashboard of rules. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createEmitter } from "../../../src/base/emitter.ts";
import { UsageError } from "../../../src/base/errors.ts";
import { SIGNATURE, USDC, WALLET } from "../../../src/catalogue/samples.ts";
import type { FoundEvent, RulesState, RuleTexts, RuleWatch } from "../../../src/ui/navigation/rule-watch.ts";
import type { Look } from "../../../src/ui/navigation/view.ts";
import { runPlainExplorer } from "../../../src/ui/plain/session.ts";
import { fakeData, fakeServices, NOW, renderExplorer } from "../support.tsx";

const MINUTE = 60_000;
const route = (endpointRoute: string, address: string) =>
  ({ kind: "endpoint", endpointRoute, params: { address } }) as const;
const transfer = (id: number, age: number): FoundEvent => ({
  ...{ id, found: NOW - age, rule: "moves", subject: "feed", input: WALLET, key: `k${id}` },
  event: {
    trans_id: SIGNATURE,
    flow: "in",
    amount: id * 1_000_000,
    token_decimals: 6,
    token_address: USDC,
    from_address: WALLET,
  },
});
const STATE: RulesState = {
  mode: "watching",
  problem: undefined,
  isFailing: false,
  rules: [
    {
      name: "moves",
      texts: { what: `account transfer ${WALLET}`, every: "60s", exec: "notify-send" },
      actions: ["exec"],
    },
    { name: "price", texts: { what: "token meta USDC", changes: "price", file: "out" }, actions: ["file"] },
  ],
  subjects: [
    {
      ...{ name: "feed", rule: "moves", route: route("v2-account-transfer", WALLET), isFeed: true, summary: undefined },
      ...{ points: [], seen: { at: NOW - 5 * MINUTE, points: [1], key: "k1" } },
      ...{ cost: { requests: 60, units: 6000 }, problem: undefined },
    },
    {
      ...{ name: "price", rule: "price", route: route("v2-token-meta", USDC), isFeed: false },
      ...{ summary: { text: "price $1.50", value: 1.5 }, points: [1.3, 1.5] },
      ...{
        seen: { at: NOW - 60 * MINUTE, points: [1, 1.25] },
        cost: { requests: 60, units: 6000 },
        problem: undefined,
      },
    },
  ],
  events: [
    transfer(1, 10 * MINUTE),
    {
      ...{ id: 2, found: NOW - 6 * MINUTE, rule: "price", subject: "price", input: USDC, key: "k2" },
      event: { key: USDC, change: "changed", field: "price", old: 1.3, new: 1.5, difference: 0.2, change_pct: 15.38 },
    },
    transfer(3, 2 * MINUTE),
    transfer(4, 1 * MINUTE),
  ],
  parked: [],
  totals: { delivered: 12, pending: 1 },
};
const PARKED = {
  ...transfer(9, 3 * MINUTE),
  action: "moves webhook 1a2b3",
  attempts: 10,
  error: "host responded with 500",
};

function open(state: Partial<RulesState> = {}, { width = 120, height = 36, unicode = true, refuses = "" } = {}) {
  let now: RulesState = { ...STATE, ...state };
  const changes = createEmitter();
  const calls: (readonly unknown[])[] = [];
  let looks: ReadonlyMap<string, Look> = new Map();
  const drawn = new Set<string>();
  const watch: RuleWatch = {
    file: "rules.yaml",
    fields: [
      { name: "what", description: "A command line" },
      { name: "every", description: "Time between polls", default: "60s" },
      { name: "file", description: "A file" },
    ],
    now: () => NOW,
    state: () => now,
    nextPoll(subject) {
      drawn.add(subject);
      return NOW + (subject === "feed" ? 30_000 : 59_000);
    },
    subscribe: changes.on,
    start: (again = false) => calls.push(["start", again]),
    async saveRule(name: string, texts: RuleTexts | undefined) {
      if (refuses !== "") throw new UsageError(refuses);
      calls.push(["save", name, texts]);
      return async () => void calls.push(["restore", name]);
    },
    async settle(id, fate) {
      calls.push(["settle", id, fate]);
    },
    remember: (all) => {
      looks = all;
    },
  };
  const services = { rules: async () => watch, unicode };
  const window = renderExplorer({ route: { kind: "page", page: "watch" }, data: fakeData(), width, height, services });
  const set = (change: Partial<RulesState>) => {
    now = { ...now, ...change };
    changes.emit();
  };
  return { window, calls, set, watch, drawn, looks: () => looks };
}
const lineOf = (frame: string, pattern: RegExp) => frame.split("\n").find((line) => pattern.test(line)) ?? "";

describe("the dashboard of rules", () => {
  test("shows what each subject is, since the last look, and its next poll and cost, with the events below", async () => {
    const { window, calls, looks } = open();
    const frame = await window.waitFor("price $1.50");
    expect(frame).toMatch(
      /rules\.yaml +watching 2 subjects: 120 requests, 12,000 units per hour +12 delivered +1 pending/,
    );
    expect(lineOf(frame, /transfers +3 events/)).toMatch(/3 events in 24h +2 new in 5m .*1m ago +in 30s +6,000/);
    expect(lineOf(frame, /price \$1\.50/)).toMatch(
      /USDC +price \$1\.50 +▲ 20% in 1h +[\u2800-\u28ff]{12} +6m ago +in 59s/,
    );
    expect(lineOf(frame, /6m ago +price/)).toMatch(/price 1\.3 → 1\.5 +▲ 15\.38%/);
    expect(lineOf(frame, /1m ago +moves/)).toMatch(/amount 4 .*USDC/);
    expect(calls).toEqual([["start", false]]);
    await window.press("H");
    await window.waitFor(/^solx home/);
    expect(looks().get("feed")).toEqual({ at: NOW, points: [1, 3], key: "k4" });
    expect(looks().get("price")?.points).toEqual([1, 1.25, 1.5]);
  });

  test("opens what is watched, and the transaction of an event", async () => {
    const { window } = open();
    await window.waitFor("price $1.50");
    await window.press("down", "enter");
    await window.waitFor(/^solx.*token/);
    await window.press("esc");
    await window.waitFor("price $1.50");
    await window.press("tab", "enter");
    await window.waitFor(/^solx.*transaction/);
  });

  test("delivers what is parked again, or drops it, which can be taken back", async () => {
    const { window, calls } = open({ parked: [PARKED] });
    const frame = await window.waitFor("host responded with 500");
    expect(lineOf(frame, /500/)).toMatch(/3m ago +moves webhook +host responded with 500 .* 10/);
    await window.press("tab", "tab", "R", "d", "u");
    expect(calls.slice(1)).toEqual([
      ["settle", 9, "due"],
      ["settle", 9, "dropped"],
      ["settle", 9, "parked"],
    ]);
  });

  test("deletes a rule, which can be taken back", async () => {
    const { window, calls } = open();
    await window.waitFor("price $1.50");
    await window.press("3", "down", "d");
    await window.waitFor("Deleted rule price · u undo");
    await window.press("u");
    const expected = [
      ["save", "price", undefined],
      ["restore", "price"],
    ];
    await expect.poll(() => calls.slice(1)).toEqual(expected);
  });

  test("adds a rule by its form, which stays open while the rule is refused", async () => {
    const { window, calls } = open();
    await window.waitFor("price $1.50");
    await window.press("n");
    await window.waitFor("New rule");
    await window.press("enter");
    await window.waitFor("A rule has a name");
    await window.press("moves");
    await window.waitFor("There is a rule moves");
    await window.press("2", "tab", "account detail X", "enter");
    await window.waitFor("Saved rule moves2");
    expect(calls.at(-1)).toEqual(["save", "moves2", { what: "account detail X" }]);
    const refused = open({}, { refuses: "rules.yaml:3: rule x: no" });
    await refused.window.waitFor("price $1.50");
    await refused.window.press("F");
    await refused.window.waitFor("Rule moves");
    await refused.window.press("enter");
    await refused.window.waitFor("rules.yaml:3: rule x: no");
    expect(refused.window.frame()).toContain("Rule moves");
  });

  test.each<[Partial<RulesState>, readonly RegExp[]]>([
    [{ mode: "missing", subjects: [], events: [], rules: [] }, [/no rules yet/, /n writes the first rule/]],
    [
      { mode: "stopped", subjects: [], problem: { message: "rules.yaml:7: rule x: unknown", hint: "Look at it" } },
      [/not watched/, /rules\.yaml:7: rule x: unknown/, /Look at it/, /r reads the file again/],
    ],
    [{ mode: "elsewhere", parked: [PARKED] }, [/watched by another solx process, read-only here/, /host responded/]],
    [{ isFailing: true }, [/Polls fail at present/]],
  ])("says what is the matter: %j", async (state, texts) => {
    const { window, calls } = open(state);
    for (const one of texts) await window.waitFor(one);
    if (state.mode !== "elsewhere") return;
    await window.press("tab", "tab", "R", "d", "n");
    expect(calls).toEqual([["start", false]]);
    expect(window.frame()).not.toContain("New rule");
  });

  test("follows what changes", async () => {
    const { window, set } = open();
    await window.waitFor("price $1.50");
    set({ events: [...STATE.events, transfer(5, 0)] });
    await window.waitFor("4 events in 24h");
  });

  test("draws only the subjects on the screen, below their headings, however many there are", async () => {
    const [feed] = STATE.subjects as [RulesState["subjects"][number]];
    const subjects = Array.from({ length: 500 }, (_, at) => ({ ...feed, name: `feed ${at}`, problem: `no ${at}!` }));
    const { window, drawn } = open({ subjects, events: [] });
    await window.waitFor("no 0!");
    expect(drawn.size).toBeLessThan(36);
    await window.press("G");
    const frame = await window.waitFor("no 499!");
    expect(frame).toMatch(/subject +now +change +course +last event +next poll/);
    expect(drawn.size).toBeLessThan(72);
  });

  test("fills windows of every size, in ASCII too", async () => {
    const sizes = fc.record({ width: fc.integer({ min: 60, max: 300 }), height: fc.integer({ min: 15, max: 80 }) });
    await fc.assert(
      fc.asyncProperty(sizes, fc.boolean(), fc.boolean(), async ({ width, height }, unicode, isParked) => {
        const { window } = open(isParked ? { parked: [PARKED] } : {}, { width, height, unicode });
        const frame = await window.waitFor("price $1");
        const lines = frame.split("\n");
        expect(lines.length).toBeLessThanOrEqual(height);
        for (const line of lines) expect([...line].length).toBeLessThanOrEqual(width);
        if (!unicode) expect(frame).toMatch(/^[\x20-\x7e\n]*$/);
        window.unmount();
      }),
      {
        numRuns: 15,
        examples: [
          [{ width: 60, height: 15 }, true, true],
          [{ width: 300, height: 80 }, false, true],
        ],
      },
    );
  });
});

test("plain mode prints the tables as lines", async () => {
  const { watch } = open({ parked: [PARKED] });
  let output = "";
  const write = (text: string) => {
    output += text;
  };
  const data = fakeData();
  await runPlainExplorer({
    ...{ services: fakeServices({ rules: async () => watch }), data, signal: new AbortController().signal },
    ...{ initialRoute: { kind: "page", page: "watch" } as const, write },
    lines: (async function* () {
      yield "q";
    })(),
  });
  expect(output).toMatch(/rules\.yaml +watching 2 subjects/);
  expect(output).toMatch(/\d+\. subject: .*USDC.*; now: price \$1\.50; change: \+20% in \d+[mh]; .*units\/h: 6,000/);
  expect(output).toMatch(/action: moves webhook; .*error: host responded with 500/);
});
