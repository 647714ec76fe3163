import { describe, expect, it } from "vitest";
import { endpoints } from "../../../../src/catalogue/index.ts";
import { DEFAULT_KEY_LABELS } from "../../../../src/ui/navigation/keys/bindings.ts";
import { noRowsLines } from "../../../../src/ui/widgets/list/status.ts";
import { failureReason, transactionCell } from "../../../../src/ui/widgets/transaction-cells.ts";
import { route, USDC, WALLET } from "./samples.ts";

const messageOf = (name: string, params: Readonly<Record<string, unknown>> = {}) =>
  noRowsLines(
    { endpoint: route(name), params },
    { presetParams: ["address", "block"], noun: undefined },
    120,
    DEFAULT_KEY_LABELS,
  )
    .map((spans) => spans.map(({ text }) => text).join(""))
    .join(" ")
    .trim();

describe("a list without rows", () => {
  it.each([
    [
      "v2-token-transfer",
      { address: USDC, flow: "in" },
      "No transfers of EPjF…Dt1v with these filters · X remove filters · F edit filters",
    ],
    ["v2-account-token-accounts", { address: WALLET, page: 1 }, "No token accounts of 5Q54…e4j1 · r refresh"],
    ["v2-account-defi-activities", { address: WALLET }, "No DeFi activities of 5Q54…e4j1 · r refresh"],
    ["v2-token-holders", { address: USDC }, "No holders of EPjF…Dt1v · r refresh"],
    ["v2-nft-activities", {}, "No activities · r refresh"],
    ["v2-transaction-detail-multi", {}, "No transactions in detail · r refresh"],
    ["v2-token-latest", {}, "No tokens · r refresh"],
    ["v2-block-transactions", { block: 281844070 }, "No transactions of 281844070 · r refresh"],
  ])("has a one-sentence message for %s", (name, params, sentence) => {
    expect(messageOf(name, params)).toBe(sentence);
  });

  it("has a noun for the rows of every endpoint", () => {
    for (const { route: name } of endpoints) expect(messageOf(name)).toMatch(/^No [a-zA-Z][\w' ,-]*\w · r refresh$/);
  });
});

describe("transaction errors", () => {
  it("names the reason that a node gives, short in the cells of a table", () => {
    const error = {
      message: "Instruction 2 failed: slippage (custom error 6001)",
      reason: "slippage (6001)",
      value: {},
    };
    expect(failureReason(error)).toBe("Instruction 2 failed: slippage (custom error 6001)");
    const cell = transactionCell(
      { status: "Fail", error },
      "status",
      "Fail",
      { kind: "status", description: "" },
      () => undefined,
    );
    expect(cell).toMatchObject({ text: "✖ slippage (6001)", role: "bad" });
  });

  it.each([
    [{ InstructionError: [0, "InsufficientFunds"] }, "Instruction 1 failed: insufficient funds"],
    [{ InstructionError: [2, { Custom: 6001 }] }, "Instruction 3 failed: custom error 6001"],
    [{ InsufficientFundsForRent: { account_index: 3 } }, "Account 4 would be left below the rent-exempt minimum"],
    ["AccountNotFound", "The fee payer does not exist"],
    [null, undefined],
    [{}, undefined],
    [{ a: 1, b: 2 }, undefined],
    [{ InstructionError: "x" }, "Instruction error"],
    ["\u001B[2j", "‹U+001B›[2j"],
  ])("%j", (error, text) => {
    expect(failureReason(error)).toBe(text);
  });
});
