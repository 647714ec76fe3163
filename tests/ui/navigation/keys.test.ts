import fc from "fast-check";
import type { Key } from "ink";
import { describe, expect, test } from "vitest";
import { createKeyQueue } from "../../../src/ui/navigation/keys/key-queue.ts";
import {
  type Binding,
  createKeyMap,
  decodeKeyPresses,
  keyLabel,
  type Layer,
} from "../../../src/ui/navigation/keys/keymap.ts";

const NONE: Key = Object.fromEntries(
  [
    "upArrow downArrow leftArrow rightArrow pageDown pageUp home end return escape ctrl shift tab backspace delete",
    "meta super hyper capsLock numLock",
  ]
    .join(" ")
    .split(" ")
    .map((name) => [name, false]),
) as unknown as Key;

/** A binding that records its calls. */
function writes(into: string[], name: string, keys: readonly string[], more: Partial<Binding> = {}): Binding {
  return { keys, label: name, group: "view", run: (key) => into.push(`${name} ${key}`), ...more };
}

describe("keys", () => {
  test("go to the top layer with a handler", () => {
    const [map, log] = [createKeyMap(), [] as string[]];
    for (const layer of ["global", "screen", "panel"] as const) {
      map.set({}, { layer, bindings: [writes(log, layer, ["j"]), writes(log, layer, [layer])] });
    }
    for (const key of ["j", "screen", "global"]) map.press(key, key);
    expect(log).toEqual(["panel j", "screen screen", "global global"]);
    expect(map.press("x", "x")).toBe(false);
  });

  test("skip inactive bindings", () => {
    const [map, log] = [createKeyMap(), [] as string[]];
    map.set({}, { layer: "panel", bindings: [writes(log, "clear", ["esc"], { active: false })] });
    map.set({}, { layer: "global", bindings: [writes(log, "back", ["esc"])] });
    map.press("esc", undefined);
    expect(log).toEqual(["back esc"]);
  });

  test("stop at a modal layer, and characters go to its field", () => {
    const [map, log] = [createKeyMap(), [] as string[]];
    const field = {};
    map.set({}, { layer: "global", bindings: [writes(log, "quit", ["q"])] });
    map.set(field, {
      layer: "overlay",
      bindings: [writes(log, "close", ["esc"])],
      onText: (text) => log.push(`text ${text}`),
      modal: true,
    });
    for (const [key, text] of [["q", "q"], ["ctrl+d"], ["esc"]] as const) map.press(key, text);
    expect(log).toEqual(["text q", "close esc"]);
    expect(map.active().map(({ label }) => label)).toEqual(["close"]);
    map.remove(field);
    map.press("q", "q");
    expect(log.at(-1)).toBe("quit q");
  });

  test("are each listed once, for the binding that handles them", () => {
    const layer = fc.constantFrom<Layer>("overlay", "panel", "screen", "global");
    const binding = fc.record({
      keys: fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"), { minLength: 1 }),
      active: fc.boolean(),
    });
    const layers = fc.array(fc.record({ layer, bindings: fc.array(binding), modal: fc.boolean() }), { maxLength: 6 });
    fc.assert(
      fc.property(layers, (all) => {
        const map = createKeyMap();
        const ran: Binding[] = [];
        for (const [index, one] of all.entries()) {
          const bindings = one.bindings.map(
            (bindings, at): Binding => ({
              ...bindings,
              label: `${index}.${at}`,
              group: "view",
              run: () => ran.push({ ...bindings, label: `${index}.${at}`, group: "view", run: () => {} }),
            }),
          );
          map.set({}, { ...one, bindings });
        }
        const listed = map.active().flatMap(({ keys, label }) => keys.map((key) => [key, label]));
        expect(new Set(listed.map(([key]) => key)).size).toBe(listed.length);
        for (const key of ["a", "b", "c", "d"]) {
          ran.length = 0;
          const taken = map.press(key, undefined);
          expect(ran.map(({ label }) => [key, label])).toEqual(listed.filter(([name]) => name === key));
          expect(taken).toBe(ran.length === 1);
        }
      }),
    );
  });

  test("notify listeners only when the listed keys change", () => {
    const map = createKeyMap();
    const owner = {};
    let changes = 0;
    map.subscribe(() => {
      changes += 1;
    });
    const binding = writes([], "up", ["k"]);
    map.set(owner, { layer: "panel", bindings: [binding] });
    map.set(owner, { layer: "panel", bindings: [{ ...binding, run: () => {} }] });
    expect(changes).toBe(1);
    map.set(owner, { layer: "panel", bindings: [{ ...binding, active: false }] });
    expect(changes).toBe(2);
  });
});

describe("names of keys", () => {
  const named = (input: string, key: Partial<Key> = {}) =>
    decodeKeyPresses(input, { ...NONE, ...key }).map(({ name }) => name);

  test("are those used in bindings", () => {
    expect(named("j")).toEqual(["j"]);
    expect(named("J", { shift: true })).toEqual(["J"]);
    expect(named(" ")).toEqual(["space"]);
    expect(named("d", { ctrl: true })).toEqual(["ctrl+d"]);
    expect(named("", { tab: true, shift: true })).toEqual(["shift+tab"]);
    expect(named("", { return: true })).toEqual(["enter"]);
    expect(named("", { escape: true, meta: true })).toEqual(["esc"]);
  });

  test("characters that arrive together are separate keys, without control characters", () => {
    expect(named("jj:")).toEqual(["j", "j", ":"]);
    const codes = fc.array(fc.integer({ min: 0, max: 0x10_ff_ff }), { maxLength: 20 });
    fc.assert(
      fc.property(codes, (points) => {
        const input = String.fromCodePoint(...points);
        expect(/[\p{Cc}\p{Cf}]/u.test(named(input).join(""))).toBe(false);
      }),
    );
  });

  test("control characters are keys in typed text, but not in a long text", () => {
    expect(named("us\r\t\u007F")).toEqual(["u", "s", "enter", "tab", "backspace"]);
    expect(named(`${"x".repeat(88)}\r`)).not.toContain("enter");
  });

  test("have display labels, in ASCII where nothing else can be drawn", () => {
    expect([keyLabel("ctrl+d"), keyLabel("up"), keyLabel("shift+tab"), keyLabel("+")]).toEqual([
      "Ctrl-D",
      "↑",
      "Shift-Tab",
      "+",
    ]);
    for (const key of ["up", "down", "left", "right", "space"]) expect(keyLabel(key, false)).toMatch(/^[!-~]+$/);
  });
});

describe("keys that arrive faster than the screen changes", () => {
  const names = (text: string) => [...text].map((name) => ({ name, text: name }));

  test("all keys arrive in order, and a different key waits for the changes of the previous one", async () => {
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[abc]{0,30}$/), async (typed) => {
        const log: string[] = [];
        const { promise, resolve } = Promise.withResolvers<void>();
        const end = { name: "end" };
        const queue = createKeyQueue(
          ({ name }) => {
            log.push(name);
            if (name === "end") resolve();
          },
          async () => {
            log.push("turn");
          },
        );
        for (const key of [...names(typed), end]) queue(key);
        await promise;
        expect(log.filter((entry) => entry.length === 1).join("")).toBe(typed);
        for (const [at, entry] of log.entries()) {
          const before = log[at - 1];
          if (before !== undefined && before !== "turn" && entry !== "turn") expect(entry).toBe(before);
        }
      }),
    );
  });

  test("a binding that throws does not stop the queue", async () => {
    const log: string[] = [];
    const faults: unknown[] = [];
    const receive = (error: unknown) => faults.push(error);
    const others = process.listeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection").on("unhandledRejection", receive);
    const queue = createKeyQueue(
      ({ name }) => {
        log.push(name);
        if (name === "a") throw new Error("a fault");
      },
      async () => {},
    );
    for (const key of names("ab")) queue(key);
    await expect.poll(() => [log.join(""), faults.length]).toEqual(["ab", 1]);
    process.off("unhandledRejection", receive);
    for (const listener of others) process.on("unhandledRejection", listener);
  });
});
