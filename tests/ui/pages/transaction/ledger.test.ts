/** Properties of the page of every transaction in the sandbox. */
import { beforeAll, describe, expect, test } from "vitest";
import { parseDecimal, sumDecimals } from "../../../../src/base/decimal.ts";
import { isObject } from "../../../../src/base/json.ts";
import { listOf } from "../../../../src/base/json-fields.ts";
import { accountRows, balanceChanges, balanceRows } from "../../../../src/ui/pages/transaction/balances.ts";
import { failureOf, logRows } from "../../../../src/ui/pages/transaction/calls.ts";
import { createFormatter, type TransactionFormatter } from "../../../../src/ui/pages/transaction/formatter.ts";
import { instructionRows } from "../../../../src/ui/pages/transaction/instructions.ts";
import { storyRows } from "../../../../src/ui/pages/transaction/story.ts";
import type { TreeRow } from "../../../../src/ui/widgets/tree/rows.ts";
import { tinyLedger, worldLedger } from "../../../support/ledger.ts";
import { allRows, answersFor, CLOCK, signaturesOf, type TransactionAnswers, textOf } from "./fixture.ts";

interface LoadedTransaction extends TransactionAnswers {
  readonly formatter: TransactionFormatter;
  readonly failure: string | undefined;
}

describe.each(["tiny", "world"])("the %s ledger", (name) => {
  let all: readonly LoadedTransaction[];
  beforeAll(async () => {
    const { reader } = name === "tiny" ? await tinyLedger() : await worldLedger();
    all = signaturesOf(reader, 120).map((tx) => {
      const one = answersFor(reader, tx);
      const formatter = createFormatter(one.detail, one.metadata, CLOCK);
      return { ...one, formatter, failure: failureOf(one.detail, formatter) };
    });
  });

  const textsOf = (rows: readonly TreeRow[]) =>
    allRows(rows).map(({ line }) => textOf(typeof line === "function" ? line(120) : line));
  const amountOf = (text: string) =>
    parseDecimal(text.replaceAll(/[+,]/g, "")) ?? { negative: false, digits: 0n, scale: 0 };

  test("the changes of SOL add up to the fee", () => {
    for (const { detail, formatter } of all) {
      const changes = allRows(balanceRows(detail, formatter)).filter(
        ({ key }) => key.startsWith("sol ") && key !== "sol head",
      );
      const texts = changes.map(({ line }) => textOf(typeof line === "function" ? line(120) : line));
      const sum = sumDecimals(texts.map((text) => amountOf(text.trimEnd().split(" ").at(-1) ?? "")));
      const fee = isObject(detail) ? Number(detail.fee) : Number.NaN;
      expect(Number(sum.digits) * (sum.negative ? -1 : 1) * 10 ** (9 - sum.scale)).toBeCloseTo(-fee, 6);
      expect(textsOf(balanceRows(detail, formatter)).some((text) => text.includes("total (fee)"))).toBe(true);
    }
  });

  test("a failed transaction costs its signer only the fee, and has a reason", () => {
    const failed = all.filter(({ failure }) => failure !== undefined);
    expect(failed.length > 0 || name === "tiny").toBe(true);
    for (const { detail, formatter, failure } of failed) {
      expect(balanceChanges(detail, formatter)).toHaveLength(1);
      if (name === "world") expect(failure).not.toBe("unknown reason");
    }
  });

  test("every amount that is transferred is in the story", () => {
    for (const { detail, actions, formatter, failure } of all) {
      if (failure !== undefined || !isObject(actions)) continue;
      const story = textsOf(storyRows({ detail, actions }, formatter)).join("\n");
      for (const each of listOf(actions.transfers)) {
        if (!isObject(each) || each.transfer_type !== "ACTIVITY_SPL_TRANSFER") continue;
        const money = formatter.money(each.amount_str ?? each.amount, each.token_address, each.decimals);
        expect(story).toContain(textOf(money));
      }
    }
  });

  test("no text contains placeholders or control characters", () => {
    for (const { detail, actions, formatter } of all) {
      const texts = [
        storyRows({ detail, actions }, formatter),
        storyRows({ detail, actions: undefined }, formatter),
        instructionRows(detail, formatter),
        balanceRows(detail, formatter),
        logRows(detail, formatter),
        accountRows(detail, formatter),
      ].flatMap(textsOf);
      for (const text of texts) expect(text).not.toMatch(/\bundefined\b|\bNaN\b|\[object|\p{Cc}|\?/u);
    }
  });

  test("the keys of rows are unique in their panel", () => {
    for (const { detail, actions, formatter } of all) {
      for (const rows of [
        storyRows({ detail, actions }, formatter),
        instructionRows(detail, formatter),
        balanceRows(detail, formatter),
      ]) {
        const keys = allRows(rows).map(({ key }) => key);
        expect(new Set(keys).size).toBe(keys.length);
      }
    }
  });
});
