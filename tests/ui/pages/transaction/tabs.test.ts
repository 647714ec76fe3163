/** The tabs of a transaction: pure functions from answers to rows. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isObject, type Json } from "../../../../src/base/json.ts";
import { NATIVE_SOL, WRAPPED_SOL } from "../../../../src/catalogue/samples.ts";
import { transactionErrorText } from "../../../../src/chain/solana/errors.ts";
import { span } from "../../../../src/ui/navigation/theme/text-line.ts";
import { summaryLines } from "../../../../src/ui/pages/entity/header.ts";
import { accountRows, balanceChanges, balanceRows } from "../../../../src/ui/pages/transaction/balances.ts";
import { failedInstruction, failureOf, logDepths, logRows } from "../../../../src/ui/pages/transaction/calls.ts";
import { createFormatter } from "../../../../src/ui/pages/transaction/formatter.ts";
import {
  calledInstructions,
  drawBranches,
  instructionDetailRows,
  instructionRows,
  mainRow,
} from "../../../../src/ui/pages/transaction/instructions.ts";
import { priceLookup } from "../../../../src/ui/pages/transaction/page.tsx";
import { sentence, stepKind, stepLine } from "../../../../src/ui/pages/transaction/steps.ts";
import { alignPoints, storyRows } from "../../../../src/ui/pages/transaction/story.ts";
import { failureLines, transactionFacts } from "../../../../src/ui/pages/transaction/summary.ts";
import { CLOCK, FAILED, linesOf, SWAP, type TransactionAnswers, textOf } from "./fixture.ts";

const formatter = createFormatter(SWAP.detail, SWAP.metadata, CLOCK);
const inputOf = ({ detail, actions }: TransactionAnswers) => ({ detail, actions });
const summary = (detail: Json | undefined, width = 120) =>
  summaryLines(transactionFacts(detail, { formatter, now: CLOCK.now, unicode: true }), width, 5).map(textOf);
const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const SOL_PRICES = { token_address: WRAPPED_SOL, prices: [{ date: 20250208, price: 150 }] };
const listOfLogs = (detail: Json) => (isObject(detail) ? (detail.log_message as readonly string[]) : []);
const changed = (detail: Json, more: object) => ({ ...(isObject(detail) ? detail : {}), ...more }) as Json;

describe("the summary", () => {
  test("shows status, time and cost", () => {
    const text = summary(SWAP.detail).join(" ").replaceAll(/ +/g, " ");
    expect(text).toContain("status ✔ success · finalized");
    expect(text).toContain("time 2025-02-08 14:55:54 UTC");
    expect(text).toContain("fee 0.000006 SOL");
    expect(text).toContain("units 54,859 of 200,000");
    expect(text).toContain("signed by 5Q54…e4j1");
  });

  test("shows the value of the fee where the price of SOL is known", () => {
    const priced = createFormatter(SWAP.detail, SWAP.metadata, CLOCK, { priceOf: priceLookup([SOL_PRICES]) });
    const format = { formatter: priced, now: CLOCK.now, unicode: true };
    const feeOf = (fee: number) =>
      transactionFacts(changed(SWAP.detail, { fee }), format).find(({ label }) => label === "fee")?.value ?? [];
    expect(textOf(feeOf(20_000_000))).toBe("0.02 SOL ($3.00)");
    expect(textOf(feeOf(5000))).toBe("0.000005 SOL (<$0.01)");
  });

  test("shows the requested limit of compute units, not what a log line says remains of it", () => {
    const log_message = ["Program P consumed 54859 of 199700 compute units"];
    const limited = { activity_type: "compute_unit_limit", data: { compute_unit_limit: 81_000 } };
    expect(summary(changed(SWAP.detail, { log_message })).join(" ")).toMatch(/54,859 of 200,000/);
    expect(summary(changed(SWAP.detail, { log_message, activities: [limited] })).join(" ")).toMatch(/54,859 of 81,000/);
  });

  test("starts with the cost in a narrow window, without notes in parentheses", () => {
    const format = { formatter, now: CLOCK.now, unicode: true, isBrief: true };
    const lines = summaryLines(transactionFacts(SWAP.detail, format), 60, 3).map(textOf);
    expect(lines.join(" ").replaceAll(/ +/g, " ")).toMatch(
      /^status ✔ success · finalized fee 0.000006 SOL time .* signed by 5Q54…e4j1/,
    );
    expect(lines.join(" ")).not.toContain("(");
  });

  test("shows a failure as one sentence, on as many lines as it needs", () => {
    const failure = failureOf(FAILED.detail, formatter);
    expect(failureLines(failure, 120, true).map(textOf)).toEqual([
      "✖ Instruction 2 (transfer) of Token Program failed: insufficient funds (1)",
    ]);
    const narrow = failureLines(failure, 40, true).map(textOf);
    expect(narrow.length).toBeGreaterThan(1);
    expect(narrow.map((text) => text.slice(2)).join(" ")).toBe(failure);
    for (const text of narrow) expect(text.length).toBeLessThanOrEqual(40);
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
  const JUPITER = "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4";
  const SYSTEM = "11111111111111111111111111111111";
  const call = (program_id: string, type: string, inner: readonly Json[] = []) => ({
    program_id,
    type,
    inner_instructions: inner,
  });
  const failing = (parsed_instructions: readonly Json[], ...log_message: readonly string[]) =>
    failureOf({ status: 0, parsed_instructions, log_message }, formatter);

  test("is the program's own error, with the instruction that failed", () => {
    const message =
      "Program log: AnchorError occurred. Error Code: SlippageToleranceExceeded. Error Number: 6001. Error Message: Slippage tolerance exceeded.";
    const failure = failing(
      [call(SYSTEM, "transfer"), call(JUPITER, "route")],
      `Program ${SYSTEM} invoke [1]`,
      `Program ${SYSTEM} success`,
      `Program ${JUPITER} invoke [1]`,
      message,
      `Program ${JUPITER} failed: custom program error: 0x1771`,
    );
    expect(failure).toBe("Instruction 2 (route) of Jupiter v6 failed: Slippage tolerance exceeded (6001)");
  });

  test("names the inner program that failed first", () => {
    const failure = failing(
      [call(JUPITER, "route", [call(SYSTEM, "transfer")])],
      `Program ${JUPITER} invoke [1]`,
      `Program ${SYSTEM} invoke [2]`,
      `Program ${SYSTEM} failed: custom program error: 0x1`,
      `Program ${JUPITER} failed: custom program error: 0x1`,
    );
    expect(failure).toBe("Instruction 1 (route) of Jupiter v6 failed in System Program: insufficient lamports (1)");
  });

  test("is the error of the node without a code, and unknown without an error", () => {
    const lines = [`Program ${SYSTEM} invoke [1]`, `Program ${SYSTEM} failed: Computational budget exceeded`];
    expect(failing([call(SYSTEM, "transfer")], ...lines)).toBe(
      "Instruction 1 (transfer) of System Program failed: Computational budget exceeded",
    );
    expect(failing([], ...lines)).toBe("System Program failed: Computational budget exceeded");
    expect(failing([])).toBe("unknown reason");
    const rent = { message: transactionErrorText("InvalidRentPayingAccount"), value: "InvalidRentPayingAccount" };
    expect(failureOf({ status: 0, error: rent, log_message: [] }, formatter)).toBe(
      "An account would be left below the rent-exempt minimum",
    );
    expect(failureOf({ status: 1, log_message: [] }, formatter)).toBeUndefined();
  });

  test("belongs to an instruction", () => {
    expect(failedInstruction(FAILED.detail)).toBe(1);
    expect(failedInstruction(SWAP.detail)).toBeUndefined();
  });
});

describe("the story", () => {
  test("shows who gives what to whom, the fees, the balance changes, and links", () => {
    const priced = createFormatter(SWAP.detail, SWAP.metadata, CLOCK, { priceOf: priceLookup([SOL_PRICES]) });
    expect(linesOf(storyRows(inputOf(SWAP), priced))).toEqual([
      "Value flow",
      "5Q54…e4j1: 4.355 USDC → 0.02938 wSOL ($4.41) via Raydium AMM · pool HEAm…KEKR",
      "",
      "Fees",
      "base      0.000005 SOL (<$0.01)",
      "priority  0.000001 SOL (<$0.01)",
      "",
      "Balance changes",
      "5Q54…e4j1  -4.354998  USDC  -$4.35",
      "           -0.000006  SOL   <$0.01",
      "",
      "Details",
      "signature F16MuS9H67iSTdHqtfRXF4e6DaVVdQSnuBYRzGcFYXrJhgFS3zxmKeRpGNFjYrewT2738u59NA6wXfp2t7KwDSd",
      "block     319312375",
      "signers   5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1",
      "programs  Raydium AMM, Token Program",
      "version   0",
    ]);
  });

  test("links to the wallet, the token, the program and the pool; the row opens what is no signer", () => {
    const trade = storyRows(inputOf(SWAP), formatter).find(({ key }) => key === "flow 0");
    const line = typeof trade?.line === "function" ? trade.line(80) : (trade?.line ?? []);
    expect(line.flatMap(({ target }) => (target?.kind === "entity" ? [target.entity] : []))).toEqual([
      "account",
      "token",
      "token",
      "program",
      "market",
    ]);
    expect(trade?.target).toMatchObject({ entity: "program" });
  });

  test("aligns transfers, and omits the value of dollars", () => {
    const transfer = (destination: string, token_address: string, amount_str: string) => ({
      activity_type: "ACTIVITY_SPL_TRANSFER",
      data: { source: "Alice", destination, token_address, token_decimals: 6, amount_str },
    });
    const body = [transfer("Bob", USDC, "1500000000"), transfer("Carol", USDC, "2500000")];
    const actions = { summaries: [{ title: { activity_type: "INTERACTION", data: {} }, body }] };
    expect(linesOf(storyRows({ detail: {}, actions }, formatter))).toEqual([
      "Value flow",
      "Alice → 1,500 USDC → Bob",
      "Alice →   2.5 USDC → Carol",
    ]);
  });

  test("shows tips and rent as fees, apart from the flow", () => {
    const TIP = "DttWaMuVvTiduZRnguLF7jNxTgiMBZ1hyAumKUiL2KRL";
    const sol = { token_address: NATIVE_SOL, token_decimals: 9 };
    const body = [
      {
        activity_type: "ACTIVITY_SPL_CREATE_ACCOUNT",
        data: { source: "me", new_account: "new", init_amount: 2_039_280, ...sol },
      },
      { activity_type: "ACTIVITY_SPL_TRANSFER", data: { source: "me", destination: TIP, amount: 10_000, ...sol } },
    ];
    const actions = { summaries: [{ title: { activity_type: "INTERACTION", data: {} }, body }] };
    const lines = linesOf(storyRows({ detail: { fee: 5000 }, actions }, formatter));
    expect(lines.slice(-4)).toEqual([
      "Fees",
      "network   0.000005 SOL",
      "rent      0.002039 SOL → new",
      "tip       0.00001 SOL → Jito Tip Account",
    ]);
  });

  test("does not count lamports of wrapped SOL twice", () => {
    const [owner, vault] = ["owner", "vault"];
    const detail = {
      sol_bal_change: [{ address: vault, pre_balance: "2039280", post_balance: "1002039280" }],
      token_bal_change: [
        {
          address: vault,
          owner,
          token_address: WRAPPED_SOL,
          decimals: 9,
          pre_balance: "0",
          post_balance: "1000000000",
        },
      ],
    };
    const changes = balanceChanges(detail, formatter).map((one) => [one.owner, one.change, one.token.text]);
    expect(changes).toEqual([[owner, "+1", "wSOL"]]);
  });

  test("of a failed transaction shows the transfers that were rolled back, and no trade", () => {
    const info = {
      source: "a",
      destination: "b",
      authority: "Alice",
      mint: USDC,
      tokenAmount: { amount: "5000000", decimals: 6 },
    };
    const parsed_instructions = [{ type: "transferChecked", data_raw: { info } }];
    const detail = changed(FAILED.detail, { parsed_instructions });
    const lines = linesOf(storyRows({ ...inputOf(FAILED), detail }, formatter));
    expect(lines.slice(0, 2)).toEqual(["Rolled back", "Alice → 5 USDC → b"]);
    expect(lines).toContain("Balance changes");
    expect(lines.join("\n")).not.toContain("via");
  });

  test("falls back to the details without actions", () => {
    const detail = changed(SWAP.detail, {
      transfers: [{ transfer_type: "spl_transfer", amount_str: "5", decimals: 1, source: "x", destination: "y" }],
    });
    expect(linesOf(storyRows({ detail, actions: undefined }, formatter))[1]).toBe("x → 0.5 of an unknown token → y");
  });

  test("does not repeat a venue that is its own pool", () => {
    const data = { account: "me", token_1: "a", amount_1: 1, token_decimal_1: 0, amm_id: "prog" };
    const line = (program: string) => textOf(stepLine({ type: "ACTIVITY_TOKEN_SWAP", program, data }, formatter));
    expect(line("prog")).toMatch(/ via prog$/);
    expect(line("other")).toMatch(/ via other · pool prog$/);
  });

  test("shows the nested routes of a swap as branches", () => {
    const route = { amm_id: "pool", program_id: "prog", token_1: "a", token_decimal_1: 0, amount_1: 3 };
    const data = { account: "me", routers: [{ ...route, child_routers: [route, route] }] };
    const actions = { summaries: [{ title: { activity_type: "ACTIVITY_AGG_TOKEN_SWAP", data }, body: [] }] };
    const lines = linesOf(storyRows({ detail: {}, actions }, formatter));
    expect(lines.slice(2, 5)).toEqual([
      "└ 3 a via prog · pool pool",
      "  ├ 3 a via prog · pool pool",
      "  └ 3 a via prog · pool pool",
    ]);
  });

  test("contains memos as safe text, at any call depth", () => {
    const memo = (text: string) => ({ program: "spl-memo", data_raw: { info: { memo: text }, type: "memo" } });
    const detail = { parsed_instructions: [{ inner_instructions: [memo("\u001B[2Jhello")] }, memo("x".repeat(9000))] };
    const lines = linesOf(storyRows({ detail, actions: undefined }, formatter), 60);
    expect(lines.join("\n")).toContain("“‹U+001B›[2Jhello”");
    expect(lines.find((text) => text.includes("xxx"))?.length).toBeLessThan(2100);
  });

  test("reports a transaction without effects", () => {
    const text = linesOf(storyRows({ detail: {}, actions: { summaries: [] } }, formatter)).join("\n");
    expect(text).toContain("No transfers and no trades.");
  });

  test("aligns the points of numbers", () => {
    expect(alignPoints(["-4.12", "+1,000", "-0.002"])).toEqual(["    -4.12 ", "+1,000    ", "    -0.002"]);
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
  test("are a tree of calls with their compute units", () => {
    expect(linesOf(instructionRows(SWAP.detail, formatter), 72)).toEqual([
      "1 Raydium AMM › swapBaseIn                                 54,859 █▋",
      "└ 1.1 Token › transferChecked",
    ]);
  });

  test("show their effects where there is space", () => {
    expect(linesOf(instructionRows(SWAP.detail, formatter), 140)[1]).toContain("5Q54…e4j1 → 4.355 USDC → HEAm…KEKR");
  });

  test("of a failed transaction show what was executed, what failed and what was not reached", () => {
    expect(linesOf(instructionRows(FAILED.detail, formatter), 60).map((text) => text.trimEnd())).toEqual([
      "✔ 1 Raydium AMM › swapBaseIn",
      "✖ 2 Token › transfer",
      "· 3 Token › closeAccount",
    ]);
    expect(mainRow(FAILED.detail)).toBe("2");
    expect(mainRow(SWAP.detail)).toBe("1");
  });

  test("have branches to those that they call", () => {
    expect(drawBranches([0, 1, 2, 2, 1, 0])).toEqual(["", "├ ", "│ ├ ", "│ └ ", "└ ", ""]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 30 }), (depths) => {
        for (const [at, branch] of drawBranches(depths).entries()) expect(branch.length).toBe(2 * (depths[at] ?? 0));
      }),
    );
  });

  const detailLines = (detail: Json | undefined, number: string, width = 100) => {
    const one = calledInstructions(detail).find((each) => each.number === number);
    return one ? linesOf(instructionDetailRows(one, formatter, width), width) : [];
  };

  test("have effects, arguments, log and accounts", () => {
    const lines = detailLines(SWAP.detail, "1");
    expect(lines.map((text) => text.trim()).filter((text) => text !== "")).toEqual([
      "5Q54…e4j1: 4.355 USDC → 0.02938 wSOL via Raydium AMM · pool HEAm…KEKR",
      "Arguments",
      "amountIn   4354998",
      "inputMint  USDC EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
      "▾ pools      1 entry",
      "1  HEAm8KgovbUvvoviKWARK6DLv6Ygq9qdJvLWCEuQKEKR",
      "Log",
      "Instruction: SwapBaseIn",
      "54,859 of 200,000 available compute units used",
      "Accounts",
      "1  5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1",
      "2  HEAm8KgovbUvvoviKWARK6DLv6Ygq9qdJvLWCEuQKEKR",
    ]);
    expect(detailLines(SWAP.detail, "1.1").join("\n")).toContain("data, not decoded  3Bxs4h");
  });

  test("that failed start with the log, and those after it say that they were not executed", () => {
    const lines = detailLines(FAILED.detail, "2");
    expect(lines.slice(0, 2)).toEqual(["Log", "failed: custom program error: 0x1"]);
    expect(detailLines(FAILED.detail, "3")[0]).toBe("Not executed.");
  });

  test("wrap long log lines", () => {
    const log_message = [...listOfLogs(FAILED.detail).slice(0, 3), `Program log: ${"word ".repeat(40)}end`];
    for (const text of detailLines(changed(FAILED.detail, { log_message }), "2", 30)) {
      expect(text.length).toBeLessThanOrEqual(30);
    }
  });

  test("without name, program and data have placeholders", () => {
    const detail = { parsed_instructions: [{}, { program: "unknown", data_raw: null }] };
    const text = linesOf(instructionRows(detail, formatter)).join("\n");
    expect(text).toContain("an unknown program › unnamed instruction");
    expect(text).not.toMatch(/null|undefined|object/);
    expect(detailLines(detail, "1")).toEqual(["No arguments and no log."]);
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
      "Program Raydium AMM invoke [1]",
      "  Program log: Instruction: SwapBaseIn",
      "  Program Token invoke [2]",
      "  Program Token success",
      "  Program Raydium AMM consumed 54859 of 200000 compute units",
      "Program Raydium AMM success",
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
      "0  5Q54…e4j1    -0.000006 SOL  signer, fee payer, writable",
      "1  HEAm…KEKR                   writable, lookup table",
      "2  Raydium AMM                 program",
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
  const OTHER = "4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6T";
  const of = (tokens: Readonly<Record<string, Json>>) => createFormatter(undefined, { tokens }, CLOCK);

  test("that share a symbol are distinguished by their mints", () => {
    const both = of({ [OTHER]: { token_symbol: "OTTER" }, [TWIN]: { token_symbol: "otter" } });
    expect(both.token(TWIN).text).toMatch(/^otter \(.+X6S\)$/);
    expect(both.token(OTHER).text).not.toBe(both.token(TWIN).text);
  });

  test("that imitate a famous symbol are marked, with their mint", () => {
    const both = of({ [RAY]: { token_symbol: "RAY" }, [TWIN]: { token_symbol: "ray" } });
    const [genuine, pretender] = [both.token(RAY), both.token(TWIN)];
    expect([genuine.text, genuine.role]).toEqual(["RAY", "token"]);
    expect(pretender.text).toMatch(/^⚠ ray \(4k3D.+X6S\)$/);
    expect(pretender.role).toBe("warning");
    expect(formatter.token("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v").text).toBe("USDC");
  });
});
