/** The page of a transaction in use. */
import { describe, expect, test } from "vitest";
import { SolxError } from "../../../../src/base/errors.ts";
import { isObject, type Json } from "../../../../src/base/json.ts";
import type { Route } from "../../../../src/ui/app/route.ts";
import { type FakeAnswer, fakeData, renderExplorer } from "../../support.tsx";
import { FAILED, SWAP, type TransactionAnswers } from "./fixture.ts";

const id = isObject(SWAP.detail) ? String(SWAP.detail.tx_hash) : "";
const route: Route = { kind: "entity", entity: "transaction", id };

function open(
  { detail, actions }: { readonly detail: FakeAnswer; readonly actions: FakeAnswer },
  size = { width: 100, height: 40 },
) {
  const data = fakeData({ "v2-transaction-detail": detail, "v2-transaction-actions": actions });
  return { data, window: renderExplorer({ route, data, ...size }) };
}
const openKnown = (known: TransactionAnswers, size?: { width: number; height: number }) => open(known, size).window;

describe("a transaction", () => {
  test("shows the overview, and Enter opens the selected link", async () => {
    const window = openKnown(SWAP);
    await window.waitFor("Steps");
    expect(window.frame()).toContain("✔ success");
    await window.press("enter");
    await window.waitFor(/account 5Q54…e4j1/);
    await window.press("[");
    await window.waitFor("Steps");
    await window.press("l", "l", "l", "enter");
    await window.waitFor(/program 675k…1Mp8/);
  });

  test("has a tab per view, which is restored", async () => {
    const window = openKnown(SWAP);
    await window.waitFor("Steps");
    await window.press("3");
    await window.waitFor("total (fee)");
    await window.press("4");
    await window.waitFor("Program log: Instruction: SwapBaseIn");
    await window.press("tab");
    await window.waitFor("signer, fee payer");
    await window.press("j", "enter");
    await window.waitFor(/account HEAm…KEKR/);
    await window.press("[");
    await window.waitFor("signer, fee payer");
  });

  test("filters logs and accounts, shortened addresses by any part", async () => {
    const window = openKnown(SWAP);
    await window.waitFor("Steps");
    await window.press("4");
    await window.waitFor("Program log: Instruction: SwapBaseIn");
    await window.press("/swapbase", "enter");
    const logs = await window.waitFor(/^\/swapbase {2}1 of \d+ · Esc clear/m);
    expect(logs).toContain("Program log: Instruction: SwapBaseIn");
    expect(logs).not.toContain("success\n");
    await window.press("esc");
    await window.waitFor("invoke [1]");
    await window.press("5/!fee payer", "enter");
    expect(await window.waitFor(/\/!fee payer {2}\d+ of \d+/)).not.toContain("signer, fee payer");
    await window.press("esc", "/nothing-like-it", "enter");
    await window.waitFor("No rows match the filter.");
  });

  test("unfolds an instruction to its inputs", async () => {
    const window = openKnown(SWAP);
    await window.waitFor("Steps");
    await window.press("2");
    await window.waitFor("▸ inputs");
    await window.press("j", "enter");
    await window.waitFor(/inputMint EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v/);
    await window.press("k", "z");
    expect(window.frame()).not.toContain("inputMint");
    await window.press("Z");
    await window.waitFor("accounts (2)");
    await window.press("Z");
    await window.waitFor("▸ 1 raydium_amm");
  });

  test("that failed is labelled so, with the reason", async () => {
    const window = openKnown(FAILED);
    await window.waitFor("Attempted, then rolled back");
    expect(window.frame()).toContain("✖ failed: spl-token: insufficient tokens");
  });

  test("falls back to its details when its actions are unavailable", async () => {
    const { window, data } = open({ detail: SWAP.detail, actions: new SolxError("server", "The API failed.") });
    await window.waitFor("Related");
    expect(window.frame()).toMatch(/r retry/);
    data.setAnswers({ "v2-transaction-actions": SWAP.actions });
    await window.press("r");
    await window.waitFor(/swapped 4\.354998/);
    expect(window.frame()).not.toMatch(/r retry/);
  });

  test("that cannot be loaded is reported with the key that retries", async () => {
    const { window, data } = open({ detail: new SolxError("notFound", "Transaction not found."), actions: undefined });
    await window.waitFor(/Transaction not found\./);
    expect(window.frame()).toMatch(/r retry/);
    data.setAnswers({ "v2-transaction-detail": SWAP.detail, "v2-transaction-actions": SWAP.actions });
    await window.press("r");
    await window.waitFor("Steps");
  });

  test("with thousands of instructions and log lines can be scrolled to the end", async () => {
    const many = (make: (at: number) => Json) => Array.from({ length: 5000 }, (_, at) => make(at));
    const detail = {
      ...(isObject(SWAP.detail) ? SWAP.detail : {}),
      parsed_instructions: many((at) => ({ program: "memo", program_id: "x", type: `memo ${at}` })),
      log_message: many((at) => `Program log: line ${at}`),
    };
    const window = openKnown({ ...SWAP, detail });
    await window.waitFor("Steps");
    await window.press("2", "G");
    await window.waitFor("memo 4999");
    await window.press("4", "G");
    await window.waitFor("line 4999");
    expect(window.frame()).toMatch(/of 5000/);
  });

  test("fits the smallest window", async () => {
    const window = openKnown(SWAP, { width: 60, height: 15 });
    for (const key of ["1", "2", "3", "4", "5"]) {
      await window.press(key);
      await window.waitFor(/5Q54…e4j1|Program|raydium/);
      const lines = window.frame().split("\n");
      expect(lines.length).toBeLessThanOrEqual(15);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(60);
    }
  });
});
