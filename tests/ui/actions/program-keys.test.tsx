/** Programs of the user: their arguments, and what the explorer shows of them. */
import { describe, expect, test } from "vitest";
import { WALLET as ADDRESS, USDC, WRAPPED_SOL } from "../../../src/catalogue/samples.ts";
import { programWords } from "../../../src/ui/actions/program-keys.tsx";
import type { ProgramKey } from "../../../src/ui/navigation/keys/custom-keys.ts";
import { readCustomKeys } from "../../../src/ui/navigation/keys/read-custom-keys.ts";
import type { Route } from "../../../src/ui/navigation/route.ts";
import type { RunProgram } from "../../../src/ui/navigation/services.ts";
import { fakeData, renderExplorer } from "../support.tsx";

const TOKENS: Route = { kind: "endpoint", endpointRoute: "v2-token-list", params: {} };
const WALLET: Route = { kind: "entity", entity: "account", id: ADDRESS };
const keyOf = (run: ProgramKey["run"], kinds: ProgramKey["kinds"] = []): ProgramKey => ({
  ...{ key: "Y", terminal: false, kinds, run },
});
const wordsOf = (run: ProgramKey["run"], row: object) =>
  programWords(keyOf(run), { route: WALLET, subject: { row: row as never } });

describe("the arguments of a program", () => {
  test.each(["$(touch owned)", "`id`; rm -rf / #", "a' b\" c", "{id} {symbol}", "..\\..\\%PATH%"])(
    "have the value %j as a part of one argument",
    (symbol) => {
      expect(wordsOf(["echo", "name={symbol}!", "{id}"], { symbol })).toEqual({
        words: ["echo", `name=${symbol}!`, ADDRESS],
      });
    },
  );

  test.each([
    ["-rf", "symbol would be an option: -rf"],
    ["a\nb", "symbol has control characters"],
    ["\u0000", "symbol has control characters"],
    [undefined, "no field symbol here"],
  ])("never have the value %j", (symbol, problem) => {
    expect(wordsOf(["echo", "{symbol}"], { symbol })).toEqual({ words: [], problem });
  });

  test("are about an entity of the kinds", () => {
    const view = { route: WALLET, subject: undefined };
    expect(programWords(keyOf(["x", "{kind}"], ["token", "account"]), view).words).toEqual(["x", "account"]);
    expect(programWords(keyOf(["x"], ["token", "block"]), view)).toEqual({
      words: [],
      problem: "no token or block here",
    });
  });
});

describe("a key for a program", () => {
  const setup = (hotkeys: readonly object[], runProgram: RunProgram) => {
    const keys = readCustomKeys(undefined, hotkeys as never);
    expect(keys.problems).toEqual([]);
    const customization = { keys, hotkeyRoutes: new Map(), theme: undefined, styles: {}, problems: [] };
    const rows = [
      { address: USDC, symbol: "USDC", price: 1 },
      { address: WRAPPED_SOL, symbol: "SOL", price: 150 },
    ];
    const data = fakeData({ "v2-token-list": rows });
    return renderExplorer({ route: TOKENS, data, services: { customization, runProgram } });
  };

  test("runs it on the row, and shows its code and its output, which is inert", async () => {
    const calls: unknown[] = [];
    const window = setup([{ key: "Y", run: ["tell", "{symbol}", "{id}"], kinds: ["token"] }], async (...call) => {
      calls.push(call);
      return { ok: false, message: "tell ended with code 3", output: "first\n\u001b[31msecond\n" };
    });
    await window.waitFor(/USDC/);
    await window.press("j", "Y");
    expect(await window.waitFor("first")).toMatch(/tell ended with code 3[\s\S]*first *\n.*second/);
    expect(calls).toEqual([[["tell", "SOL", WRAPPED_SOL], false]]);
    await window.press("esc");
    await window.waitFor(/USDC/);
  });

  test("gives it the terminal where it asks for it, and returns to the screen", async () => {
    const window = setup([{ key: "Y", run: ["edit", "{id}"], terminal: true, label: "edit it" }], async () => ({
      ...{ ok: true, message: "edit ended with code 0", output: "" },
    }));
    await window.waitFor(/USDC/);
    await window.press("?");
    await window.press("edit it");
    await window.waitFor(/Y +edit it/);
    await window.press("esc");
    await window.waitFor(/USDC/);
    await window.press("Y");
    await window.waitFor("edit ended with code 0");
    await window.press("j");
    await window.waitFor(/USDC/);
  });

  test("says what it lacks", async () => {
    const window = setup([{ key: "Y", run: ["x"], kinds: ["block"] }], () => expect.unreachable());
    await window.waitFor(/USDC/);
    await window.press("Y");
    await window.waitFor("no block here");
  });
});
