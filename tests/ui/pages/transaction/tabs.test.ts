/** The tabs of a transaction: pure functions from answers to rows. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isObject, type Json } from "../../../../src/base/json.ts";
import { span } from "../../../../src/ui/app/theme/text-line.ts";
import { summaryLines } from "../../../../src/ui/pages/entity/summary.ts";
import { accountRows } from "../../../../src/ui/pages/transaction/accounts.ts";
import { balanceChanges, balanceRows } from "../../../../src/ui/pages/transaction/balances.ts";
import { failedInstruction, failureOf } from "../../../../src/ui/pages/transaction/failure.ts";
import { createFormatter } from "../../../../src/ui/pages/transaction/formatter.ts";
import { instructionRows } from "../../../../src/ui/pages/transaction/instructions.ts";
import { logDepths, logRows } from "../../../../src/ui/pages/transaction/logs.ts";
import { overviewRows } from "../../../../src/ui/pages/transaction/overview.ts";
import { sentence } from "../../../../src/ui/pages/transaction/sentence.ts";
import { stepKind, stepLine } from "../../../../src/ui/pages/transaction/steps.ts";
import { transactionFacts } from "../../../../src/ui/pages/transaction/summary.ts";
import { allRows, CLOCK, FAILED, linesOf, SWAP, type TransactionAnswers, textOf } from "./fixture.ts";

const formatter = createFormatter(SWAP.detail, SWAP.metadata, CLOCK);
const inputOf = ({ detail, actions }: TransactionAnswers) => ({
  detail,
  actions,
  failure: failureOf(detail, formatter),
});
const summary = (detail: Json | undefined, width = 120) =>
  summaryLines(
    transactionFacts(detail, { failure: failureOf(detail, formatter), formatter, now: CLOCK.now, unicode: true }),
    width,
    5,
  ).map(textOf);
const changed = (detail: Json, more: object) => ({ ...(isObject(detail) ? detail : {}), ...more }) as Json;

describe("the summary", () => {
  test("shows status, time and cost", () => {
    const text = summary(SWAP.detail).join(" ").replaceAll(/ +/g, " ");
    expect(text).toContain("status ✔ success");
    expect(text).toContain("time 2025-02-08 14:55:54 UTC");
    expect(text).toContain("fee 0.000006 SOL (0.000001 for priority)");
    expect(text).toContain("units 54,859 of 200,000");
    expect(text).toContain("signed by 5Q54…e4j1");
  });

  test("shows the requested limit of compute units, not what a log line says remains of it", () => {
    const log_message = ["Program P consumed 54859 of 199700 compute units"];
    const limited = { activity_type: "compute_unit_limit", data: { compute_unit_limit: 81_000 } };
    expect(summary(changed(SWAP.detail, { log_message })).join(" ")).toMatch(/54,859 of 200,000/);
    expect(summary(changed(SWAP.detail, { log_message, activities: [limited] })).join(" ")).toMatch(/54,859 of 81,000/);
  });

  test("starts with the cost in a narrow window, without notes in parentheses", () => {
    const facts = transactionFacts(SWAP.detail, {
      failure: undefined,
      formatter,
      now: CLOCK.now,
      unicode: true,
      isBrief: true,
    });
    const lines = summaryLines(facts, 60, 2).map(textOf);
    expect(lines.join(" ")).toMatch(/^status ✔ success {3}fee 0.000006 SOL {1,3}time .* signed by 5Q54…e4j1/);
    expect(lines.join(" ")).not.toContain("priority");
  });

  test("shows the reason of a failure on a separate line", () => {
    expect(summary(FAILED.detail)[0]).toBe("status ✖ failed: spl-token: insufficient tokens");
  });

  test("marks unknown facts", () => {
    const text = summary({ tx_hash: "x", block_time: null, fee: null }).join(" ").replaceAll(/ +/g, " ");
    expect(text).toContain("status unknown");
    expect(text).toContain("time unknown");
    expect(text).toContain("slot unknown");
    expect(text).toContain("fee unknown");
    expect(text).not.toMatch(/null|undefined|NaN|object/);
  });
});

describe("the reason of a failure", () => {
  const failing = (...lines: readonly string[]) => failureOf({ status: 0, log_message: lines }, formatter);

  test("is the error of the innermost program", () => {
    const message =
      "Program log: AnchorError occurred. Error Code: SlippageToleranceExceeded. Error Number: 6001. Error Message: Slippage tolerance exceeded.";
    expect(
      failing(
        "Program JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4 invoke [1]",
        message,
        "Program JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4 failed: custom program error: 0x1771",
      ),
    ).toBe("JUP6…TaV4: Slippage tolerance exceeded (custom program error 6001 (0x1771))");
  });

  test("is the error of the node without a code, and unknown without an error", () => {
    const program = "Program 11111111111111111111111111111111";
    expect(failing(`${program} invoke [1]`, `${program} failed: Computational budget exceeded`)).toContain(
      "Computational budget exceeded",
    );
    expect(failing()).toBe("unknown reason");
    expect(failureOf({ status: 1, log_message: [] }, formatter)).toBeUndefined();
  });

  test("belongs to an instruction", () => {
    expect(failedInstruction(FAILED.detail)).toBe(1);
    expect(failedInstruction(SWAP.detail)).toBeUndefined();
  });
});

describe("the overview", () => {
  test("shows the purpose, the balance changes, and the steps with links", () => {
    expect(linesOf(overviewRows(inputOf(SWAP), formatter))).toEqual([
      "  5Q54…e4j1 swapped 4.354998 USDC for 0.02938215 wSOL on raydium_amm, pool HEAm…KEKR",
      "",
      "  Balance changes of the signer",
      "  5Q54…e4j1  -4.354998 USDC",
      "             -0.000006 SOL",
      "",
      "  Steps",
      "▾ 1. 5Q54…e4j1 swapped 4.354998 USDC for 0.02938215 wSOL on raydium_amm, pool HEAm…KEKR",
      "    5Q54…e4j1 sent 4.354998 USDC to HEAm…KEKR",
      "",
      "  Related",
      "  signature F16MuS9H67iSTdHqtfRXF4e6DaVVdQSnuBYRzGcFYXrJhgFS3zxmKeRpGNFjYrewT2738u59NA6wXfp2t7KwDSd",
      "  block     319312375",
      "  signers   5Q54…e4j1",
      "  programs  raydium_amm, spl-token",
    ]);
  });

  test("links to the wallet, the token, the pool and the program", () => {
    const [head] = overviewRows(inputOf(SWAP), formatter);
    const line = typeof head?.line === "function" ? head.line(80) : (head?.line ?? []);
    expect(line.flatMap(({ target }) => (target?.kind === "entity" ? [target.entity] : []))).toEqual([
      "account",
      "token",
      "token",
      "program",
      "market",
    ]);
  });

  test("of a failed transaction shows what was attempted, and which instruction failed", () => {
    const text = linesOf(overviewRows(inputOf(FAILED), formatter)).join("\n");
    expect(text).toContain("Charged despite the failure");
    expect(text).toContain("1. called raydium_amm: swapBaseIn\n");
    expect(text).toContain("2. called spl-token: transfer, failed");
    expect(text).toContain("3. called spl-token: closeAccount, not executed");
    expect(text).not.toContain("swapped");
  });

  test("falls back to the details without actions", () => {
    const detail = changed(SWAP.detail, {
      transfers: [{ transfer_type: "spl_transfer", amount_str: "5", decimals: 1, source: "x", destination: "y" }],
    });
    expect(linesOf(overviewRows({ detail, actions: undefined, failure: undefined }, formatter)).join("\n")).toContain(
      "x sent 0.5 of an unknown token to y",
    );
  });

  test("does not repeat a venue that is its own pool", () => {
    const data = { account: "me", token_1: "a", amount_1: 1, token_decimal_1: 0, amm_id: "prog" };
    const line = (program: string) => textOf(stepLine({ type: "ACTIVITY_TOKEN_SWAP", program, data }, formatter));
    expect(line("prog")).toMatch(/ on prog$/);
    expect(line("other")).toMatch(/ on other, pool prog$/);
  });

  test("shows the nested routes of a swap", () => {
    const route = {
      amm_id: "pool",
      program_id: "prog",
      token_1: "a",
      token_decimal_1: 0,
      amount_1: 3,
      child_routers: [],
    };
    const data = { account: "me", routers: [{ ...route, child_routers: [route] }] };
    const actions = { summaries: [{ title: { activity_type: "ACTIVITY_AGG_TOKEN_SWAP", data }, body: [] }] };
    const lines = linesOf(overviewRows({ detail: {}, actions, failure: undefined }, formatter));
    expect(lines.filter((text) => text.includes("through prog, pool pool: 3 a"))).toHaveLength(2);
  });

  test("contains memos as safe text, at any call depth", () => {
    const memo = (text: string) => ({ program: "spl-memo", data_raw: { info: { memo: text }, type: "memo" } });
    const detail = { parsed_instructions: [{ inner_instructions: [memo("\u001B[2Jhello")] }, memo("x".repeat(9000))] };
    const lines = linesOf(overviewRows({ detail, actions: undefined, failure: undefined }, formatter), 60);
    expect(lines.join("\n")).toContain("“‹U+001B›[2Jhello”");
    expect(lines.find((text) => text.includes("xxx"))?.length).toBeLessThan(2100);
  });

  test("reports a transaction without effects", () => {
    const text = linesOf(overviewRows({ detail: {}, actions: { summaries: [] }, failure: undefined }, formatter)).join(
      "\n",
    );
    expect(text).toContain("No transfers and no trades.");
  });
});

describe("steps", () => {
  test("have one normalized kind for both naming schemes", () => {
    expect(stepKind("ACTIVITY_SPL_CREATE_ACCOUNT")).toBe(stepKind("spl_createaccount"));
    expect(stepKind("ACTIVITY_TOKEN_SWAP")).toBe(stepKind("defi_token_swap"));
    expect(stepKind("ACTIVITY_SPL_TOKEN_STAKE")).toBe(stepKind("defi_token_stake"));
  });

  test("of unknown kinds use a readable form of the kind, as safe text", () => {
    const step = { type: "ACTIVITY_\u001B[31mNEW_THING", program: undefined, data: { amount: 5 } };
    expect(textOf(stepLine(step, formatter))).toMatch(/new thing/);
    expect(textOf(stepLine(step, formatter))).not.toContain("\u001B");
    expect(textOf(stepLine({ type: null, program: undefined, data: undefined }, formatter))).toBe("unknown action");
  });

  test("omit brackets with missing names, and mark missing names elsewhere", () => {
    const named = (name: string) => (name === "a" ? [span("A")] : undefined);
    expect(textOf(sentence("{a} and {b}[ with {b}][ of {a}]", named))).toBe("A and ? of A");
  });
});

describe("the instructions", () => {
  test("are a tree of calls with their effects", () => {
    expect(linesOf(instructionRows(SWAP.detail, formatter))).toEqual([
      "▾ 1 raydium_amm swapBaseIn  5Q54…e4j1 swapped 4.354998 USDC for 0.02938215 wSOL on raydium_amm, pool HEAm…KEKR",
      "  ▸ inputs",
      "  ▸ 1.1 spl-token transferChecked  5Q54…e4j1 sent 4.354998 USDC to HEAm…KEKR",
    ]);
  });

  test("contain their inputs, linked addresses and undecoded data", () => {
    const texts = allRows(instructionRows(SWAP.detail, formatter)).map(({ line }) =>
      textOf(typeof line === "function" ? line(100) : line),
    );
    expect(texts).toContain("inputMint EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v");
    expect(texts).toContain("accounts (2)");
    expect(texts).toContain("data, not decoded 3Bxs4h");
  });

  test("without name, program and data have placeholders", () => {
    const rows = allRows(
      instructionRows({ parsed_instructions: [{}, { program: "unknown", data_raw: null }] }, formatter),
    );
    const text = rows.map(({ line }) => textOf(typeof line === "function" ? line(100) : line)).join("\n");
    expect(text).toContain("an unknown program unnamed instruction");
    expect(text).toContain("no data");
    expect(text).not.toMatch(/null|undefined|object/);
  });
});

describe("the balances", () => {
  test("are exact, signed, and add up to the fee", () => {
    const lines = linesOf(balanceRows(SWAP.detail, formatter));
    expect(lines).toContain("▸ 1 account unchanged");
    expect(lines.find((text) => text.includes("total"))).toMatch(/total \(fee\)\s+-0\.000006$/);
    expect(lines.find((text) => text.includes("USDC"))).toContain("18,446,744,073,709.551615");
    expect(lines.find((text) => text.includes("USDC"))).toMatch(/-4\.354998$/);
  });

  test("show whole addresses when they fit, in aligned columns", () => {
    for (const width of [60, 80, 120, 200]) {
      const lines = linesOf(balanceRows(SWAP.detail, formatter), width).filter((text) =>
        /change$|total|61,7/.test(text),
      );
      expect(new Set(lines.filter((text) => !text.includes("owner")).map((text) => text.length)).size).toBe(1);
    }
    expect(linesOf(balanceRows(SWAP.detail, formatter), 120).join("\n")).toContain(
      "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1",
    );
    expect(linesOf(balanceRows(SWAP.detail, formatter), 60).join("\n")).toContain("5Q54…e4j1");
  });

  test("always show every change, and name the columns that do not fit", () => {
    const changes = linesOf(balanceRows(SWAP.detail, formatter), 200).flatMap(
      (text) => / ([+-][\d,.]+)$/.exec(text)?.[1] ?? [],
    );
    expect(changes.length).toBeGreaterThan(2);
    for (const width of [30, 40, 50, 60, 70]) {
      const lines = linesOf(balanceRows(SWAP.detail, formatter), width);
      expect(lines.flatMap((text) => / ([+-][\d,.]+)$/.exec(text)?.[1] ?? [])).toEqual(changes);
    }
    expect(linesOf(balanceRows(SWAP.detail, formatter), 30).join("\n")).toContain(
      "SOL · too narrow for before and after",
    );
    expect(linesOf(balanceRows(SWAP.detail, formatter), 200).join("\n")).not.toContain("too narrow");
  });

  test("are summed over the accounts of an owner", () => {
    const row = { owner: "me", token_address: "mint", decimals: 2, pre_balance: "0", post_balance: "150" };
    const detail = {
      token_bal_change: [row, { ...row, post_balance: "50" }, { ...row, owner: "you", post_balance: "0" }],
    };
    expect(balanceChanges(detail, formatter).map(({ owner, change }) => [owner, change])).toEqual([["me", "+2"]]);
  });

  test("report that nothing changed", () => {
    const text = linesOf(balanceRows({}, formatter)).join("\n");
    expect(text).toContain("No SOL balance changed.");
    expect(text).toContain("No token balance changed.");
  });
});

describe("the logs", () => {
  test("are indented by call depth", () => {
    expect(linesOf(logRows(SWAP.detail, formatter))).toEqual([
      "Program raydium_amm invoke [1]",
      "  Program log: Instruction: SwapBaseIn",
      "  Program spl-token invoke [2]",
      "  Program spl-token success",
      "  Program raydium_amm consumed 54859 of 200000 compute units",
      "Program raydium_amm success",
    ]);
  });

  test("have the depth of any well-formed sequence of calls", () => {
    // true starts a call, false ends one.
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 40 }), (choices) => {
        const [lines, depths]: [string[], number[]] = [[], []];
        let depth = 0;
        const end = () => {
          depth -= 1;
          lines.push("Program X success");
          depths.push(depth);
        };
        for (const begins of choices) {
          if (begins) {
            depth += 1;
            lines.push(`Program X invoke [${depth}]`, "Program log: x");
            depths.push(depth - 1, depth);
          } else if (depth > 0) end();
        }
        while (depth > 0) end();
        expect(logDepths(lines)).toEqual(depths.map((each) => Math.min(each, 16)));
      }),
    );
  });

  test("highlight errors and survive invalid lines", () => {
    const rows = logRows(
      { log_message: ["Program 1 failed: no", "Log truncated", null, "\u001B]0;x\u0007", "a".repeat(9000)] },
      formatter,
    );
    const lines = rows.map(({ line }) => (typeof line === "function" ? line(80) : line));
    expect(lines[0]?.some(({ role }) => role === "bad")).toBe(true);
    expect(lines[1]?.some(({ role }) => role === "bad")).toBe(true);
    expect(lines.map(textOf).join("")).not.toContain("\u001B");
    expect(textOf(lines[4] ?? [])).toContain("9000 characters in total");
    expect(linesOf(logRows({ log_message: null }, formatter))).toEqual(["No logs available for this transaction."]);
  });
});

describe("the accounts", () => {
  test("show their roles in the transaction", () => {
    expect(linesOf(accountRows(SWAP.detail, formatter), 70)).toEqual([
      "0  5Q54…e4j1  -0.000006 SOL  signer, fee payer, writable",
      "1  HEAm…KEKR                 writable, lookup table",
      "2  675k…1Mp8                 program",
    ]);
  });

  test("come from the balances in older answers, and are empty when there are none", () => {
    const older = changed(SWAP.detail, { account_keys: undefined });
    expect(linesOf(accountRows(older, formatter), 70)[0]).toContain("signer, fee payer");
    expect(linesOf(accountRows({}, formatter))).toEqual(["No accounts."]);
  });
});

describe("tokens", () => {
  const RAY = "4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R";
  const TWIN = "4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6S";
  const of = (tokens: Readonly<Record<string, Json>>) => createFormatter(undefined, { tokens }, CLOCK);

  test("that share a symbol are distinguished by their mints", () => {
    const both = of({ [RAY]: { token_symbol: "RAY" }, [TWIN]: { token_symbol: "ray" } });
    expect(both.token(RAY).text).toMatch(/^RAY \(.+X6R\)$/);
    expect(both.token(RAY).text).not.toBe(both.token(TWIN).text);
  });

  test("that imitate a famous symbol are marked, with their mint", () => {
    const pretender = of({ [RAY]: { token_symbol: "USDC" } }).token(RAY);
    expect([pretender.text, pretender.role]).toEqual(["⚠ USDC (4k3D…kX6R)", "warning"]);
    expect(formatter.token("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v").text).toBe("USDC");
  });
});
