/** The page of a transaction in use. */
import { describe, expect, test } from "vitest";
import { SolxError } from "../../../../src/base/errors.ts";
import { isObject, type Json } from "../../../../src/base/json.ts";
import { OTHER_WALLET } from "../../../../src/catalogue/index.ts";
import type { Route } from "../../../../src/ui/navigation/route.ts";
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
  test("shows the story, and Enter opens what the row or its selected link is about", async () => {
    const window = openKnown(SWAP);
    await window.waitFor("Value flow");
    expect(window.frame()).toContain("✔ success");
    await window.press("enter");
    await window.waitFor(/program Raydium AMM/);
    await window.press("[");
    await window.waitFor("Value flow");
    await window.press("l", "enter");
    await window.waitFor(/account 5Q54…e4j1/);
  });

  test("shows all links of a row as a menu", async () => {
    const window = openKnown(SWAP);
    await window.waitFor("Value flow");
    await window.press("O");
    expect(await window.waitFor(/Enter open {2}↓ next/)).toMatch(/market HEAm…KEKR/);
  });

  test("has a tab per view, which is restored", async () => {
    const window = openKnown(SWAP);
    await window.waitFor("Value flow");
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
    await window.waitFor("Value flow");
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
    await window.waitFor("No rows match the filters.");
  });

  test("shows what the selected instruction did below the tree, in the tab of instructions", async () => {
    const window = openKnown(SWAP);
    await window.waitFor("Value flow");
    await window.press("2");
    await window.waitFor(/inputMint {2}USDC EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v/);
    await window.press("j");
    await window.waitFor(/─ 1\.1 Token Program › transferChecked/);
    await window.waitFor("data, not decoded  3Bxs4h");
    await window.press("k", "l", "G", "enter");
    await window.waitFor(/account HEAm…KEKR/);
  });

  test("shows its tabs as panes in a wide window, of which keys reach all", async () => {
    const window = openKnown(SWAP, { width: 140, height: 40 });
    await window.waitFor(/╭─ 1 overview .*╭─ 3 balances/);
    await window.waitFor(/╭─ 2 instructions [\s\S]*╭─ 6 cost/);
    await window.press("tab");
    await window.waitFor(/l details/);
    await window.press("j");
    await window.waitFor("─ 1.1 Token Program › transferChecked ─");
    await window.press("l");
    await window.waitFor(/h instructions/);
    await window.press("h", "enter");
    await window.waitFor(/program Token Program/);
  });

  test("compares its fee with the fees of its block, and requests these for the pane alone", async () => {
    const block = { total: 3, transactions: [5000, 12_000, 20_000].map((fee) => ({ fee })) };
    const data = fakeData({
      "v2-transaction-detail": SWAP.detail,
      "v2-transaction-actions": SWAP.actions,
      "v2-block-transactions": block,
    });
    const window = renderExplorer({ route, data, width: 100, height: 40 });
    await window.waitFor("Value flow");
    expect(data.requests.map(({ endpoint }) => endpoint.route)).not.toContain("v2-block-transactions");
    await window.press("6");
    await window.waitFor(/0\.5× the median; 33% paid less/);
    expect(data.requests.at(-1)?.params).toEqual({ block: 319312375, exclude_vote: true, page_size: 100 });
  });

  test("that failed says why in one sentence and selects the instruction that failed", async () => {
    const window = openKnown(FAILED, { width: 140, height: 40 });
    await window.waitFor("✖ Instruction 2 (transfer) of Token Program failed: insufficient funds (1)");
    await window.waitFor("─ 2 Token Program › transfer ─");
    expect(window.frame()).toContain("failed: custom program error: 0x1");
    expect(window.frame()).not.toContain("undefined");
  });

  test("falls back to its details when its actions are unavailable", async () => {
    const { window, data } = open({ detail: SWAP.detail, actions: new SolxError("server", "The API failed.") });
    await window.waitFor("Details");
    expect(window.frame()).toMatch(/r retry/);
    data.setAnswers({ "v2-transaction-actions": SWAP.actions });
    await window.press("r");
    await window.waitFor(/4\.355 \S+ → 0\.02938 wSOL/);
    expect(window.frame()).not.toMatch(/r retry/);
  });

  test("that cannot be loaded is reported with the key that retries", async () => {
    const { window, data } = open({ detail: new SolxError("notFound", "Transaction not found."), actions: undefined });
    await window.waitFor(/Transaction not found\./);
    expect(window.frame()).toMatch(/r retry/);
    data.setAnswers({ "v2-transaction-detail": SWAP.detail, "v2-transaction-actions": SWAP.actions });
    await window.press("r");
    await window.waitFor("Value flow");
  });

  test("with thousands of instructions and log lines can be scrolled to the end", async () => {
    const many = (make: (at: number) => Json) => Array.from({ length: 5000 }, (_, at) => make(at));
    const detail = {
      ...(isObject(SWAP.detail) ? SWAP.detail : {}),
      parsed_instructions: many((at) => ({ program: "memo", program_id: OTHER_WALLET, type: `memo ${at}` })),
      log_message: many((at) => `Program log: line ${at}`),
    };
    const window = openKnown({ ...SWAP, detail });
    await window.waitFor("Value flow");
    await window.press("2", "G");
    await window.waitFor("5000 memo › memo 4999");
    await window.press("4", "G");
    await window.waitFor("line 4999");
    expect(window.frame()).toMatch(/of 5000/);
  });

  test("fits the smallest window", async () => {
    const window = openKnown(SWAP, { width: 60, height: 15 });
    for (const key of ["1", "2", "3", "4", "5"]) {
      await window.press(key);
      await window.waitFor(/5Q54…e4j1|Program|Raydium/);
      const lines = window.frame().split("\n");
      expect(lines.length).toBeLessThanOrEqual(15);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(60);
    }
  });

  describe("that is not final", () => {
    const statusOf = (tx_status: string) => ({ ...(isObject(SWAP.detail) ? SWAP.detail : {}), tx_status });

    test("is followed until it is, and says at what pace and cost", async () => {
      const { window, data } = open(
        { detail: statusOf("confirmed"), actions: SWAP.actions },
        { width: 120, height: 40 },
      );
      await window.waitFor("Value flow");
      await window.press("a");
      await window.waitFor(/● every \d+[sm] · [\d,]+ units\/h · a stop/);
      data.setAnswers({ "v2-transaction-detail": statusOf("finalized") });
      await window.press("r");
      await window.waitFor("✔ success · finalized");
      await expect.poll(window.frame).not.toContain("● every");
    });

    test("stops being followed by the same key", async () => {
      const { window } = open({ detail: statusOf("confirmed"), actions: SWAP.actions }, { width: 60, height: 20 });
      await window.waitFor("Value flow");
      await window.press("a");
      await window.waitFor(/● every/);
      await window.press("a");
      await expect.poll(window.frame).not.toContain("● every");
    });
  });

  test("that is final cannot be followed", async () => {
    const window = openKnown(SWAP);
    await window.waitFor("Value flow");
    await window.press("a");
    expect(window.frame()).not.toContain("● every");
  });
});
