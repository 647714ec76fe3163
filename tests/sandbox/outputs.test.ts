/** What programs of simulated chains write into the log: events and returned values agree with the transaction. */
import { Buffer } from "node:buffer";
import { describe, expect, test } from "vitest";
import { encodeBase58, type JsonObject } from "../../src/base/index.ts";
import { EVENT_CALL } from "../../src/chain/ledger/interfaces/interface.ts";
import { type InstructionOutput, outputsOf } from "../../src/chain/ledger/interfaces/outputs.ts";
import type { AccountData } from "../../src/chain/ledger/queries/account/account-data.ts";
import { readAccountData } from "../../src/chain/ledger/queries/account/data.ts";
import { readState } from "../../src/chain/ledger/queries/account/state.ts";
import { nodeTransaction } from "../../src/chain/ledger/queries/transaction/node-transaction.ts";
import { PROGRAMS } from "../../src/chain/world/data/programs.ts";
import { worldLedger } from "../support/ledger.ts";
import { queryData } from "../support/query.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers of nodes are read as they are
type Any = any;

const bits = (type: string): number => Number(/^[iu](\d+)$/.exec(type)?.[1] ?? 0);

/** Reads the fields of a value, with nothing left. */
function decode(output: InstructionOutput, base64: string): JsonObject {
  const bytes = Buffer.from(base64, "base64");
  let at = output.tag.length / 2;
  expect(bytes.subarray(0, at).toString("hex")).toBe(output.tag);
  const take = (size: number): Buffer => {
    at += size;
    expect(at).toBeLessThanOrEqual(bytes.length);
    return bytes.subarray(at - size, at);
  };
  const read = (type: string) => {
    if (type === "pubkey") return encodeBase58(take(32));
    if (type === "bool") return take(1)[0] === 1;
    if (type === "string") return take(take(4).readUInt32LE()).toString();
    const hex = Buffer.from(take(bits(type) / 8))
      .reverse()
      .toString("hex");
    const value = BigInt(`0x${hex}`);
    return String(type.startsWith("i") ? BigInt.asIntN(bits(type), value) : value);
  };
  const fields = Object.fromEntries(output.fields.map(([name, type]) => [name, read(type)]));
  expect(at).toBe(bytes.length);
  return fields;
}

const outputOf = (program: string, type: string): InstructionOutput =>
  outputsOf(program, type)[0] ?? expect.fail(`${program} ${type} writes nothing`);

interface Written {
  readonly fields: JsonObject;
  readonly accounts: readonly string[];
  readonly lines: readonly string[];
  readonly transaction: Any;
}

/** Returns what the successful instructions of a kind wrote, the newest first. */
async function readWritten(program: keyof typeof PROGRAMS, name: string, type: string, limit: number) {
  const { reader: db } = await worldLedger({ seed: "solx" });
  const rows = db.all(
    `SELECT DISTINCT i.id / 1024 AS id FROM instructions i JOIN instruction_kinds k ON k.id = i.kind_id
    JOIN transactions x ON x.id = i.id / 1024 JOIN programs p ON p.account_id = k.program_id
    WHERE p.name = ? AND k.type = ? AND x.error IS NULL ORDER BY i.id DESC LIMIT ?`,
    ...[name, type, limit],
  );
  const output = outputOf(name, type);
  const { address } = PROGRAMS[program];
  const prefix = output.isReturned ? `Program return: ${address} ` : output.prefix;
  const written = rows.flatMap(({ id }): Written[] => {
    const [transaction] = nodeTransaction(db, Number(id), "json") as Any;
    const { logMessages: lines, loadedAddresses } = transaction.meta;
    const { accountKeys } = transaction.transaction.message;
    const accounts = [...accountKeys, ...loadedAddresses.writable, ...loadedAddresses.readonly];
    const values = lines.filter(
      (line: string, at: number) => line.startsWith(prefix) && programAt(lines, at, output.isReturned) === address,
    );
    return values
      .map((line: string) => line.slice(prefix.length))
      .filter((value: string) => Buffer.from(value, "base64").toString("hex").startsWith(output.tag))
      .map((value: string) => ({ fields: decode(output, value), accounts, lines, transaction }));
  });
  expect(written.length, `${name} ${type}`).toBeGreaterThan(0);
  return { written, db };
}

/** Returns the program that writes a line. */
function programAt(lines: readonly string[], at: number, isReturned: boolean): string | undefined {
  if (isReturned) return lines[at]?.split(" ")[2];
  const open: string[] = [];
  for (const line of lines.slice(0, at)) {
    const [, program = "", what = ""] = line.split(" ");
    if (what === "invoke") open.push(program);
    if (what === "success" || what === "failed:") open.pop();
  }
  return open.at(-1);
}

const LIMIT = 40;

describe("the log of a simulated transaction", () => {
  test.each([
    ["pump", "pump", "buy"],
    ["pump", "pump", "sell"],
    ["pump", "pump", "createV2"],
    ["pump", "pump", "migrate"],
    ["pumpSwap", "pump_amm", "sell"],
    ["whirlpool", "whirlpool", "swapV2"],
    ["raydiumClmm", "raydium_amm_v3", "swapV2"],
  ] as const)("has the events of %s: %s %s, about its accounts, amounts and time", async (program, name, type) => {
    const { written } = await readWritten(program, name, type, LIMIT);
    for (const { fields, accounts, transaction } of written) {
      const output = outputOf(name, type);
      for (const [field, kind, source] of output.fields) {
        const isKnown = kind !== "pubkey" || source === "0" || field === "creator";
        if (!isKnown) expect(accounts, field).toContain(fields[field]);
        if (field === "timestamp") expect(fields[field]).toBe(String(transaction.blockTime));
        if (/[aA]mount(0|1|In|Out)?$|SqrtPrice|(pool|virtual)\w+Reserves$/.test(field))
          expect(Number(fields[field]), field).toBeGreaterThan(0);
      }
    }
  });

  test("says what a curve has after its last trade", async () => {
    const { written, db } = await readWritten("pump", "pump", "buy", 400);
    const sales = await readWritten("pump", "pump", "sell", 400);
    const trades = [...written, ...sales.written].toSorted((a, b) => b.transaction.slot - a.transaction.slot);
    const mints = [...new Set(trades.map(({ fields }) => fields.mint))].slice(0, 5);
    for (const mint of mints) {
      const last: Any = trades.find(({ fields }) => fields.mint === mint)?.fields;
      const curve = db.get(
        "SELECT p.account_id AS id FROM pools p JOIN tokens t ON t.id IN (p.token1_id, p.token2_id) WHERE t.id = ? ORDER BY p.created LIMIT 1",
        db.idOf(String(mint)) as number,
      );
      const { decode: read } = readAccountData(
        db,
        readState(db, db.addressOf(Number(curve?.id))),
      ) as Required<AccountData>;
      const { data } = read() as Any;
      if (data.complete) continue;
      expect([
        last.virtualSolReserves,
        last.virtualTokenReserves,
        last.realSolReserves,
        last.realTokenReserves,
      ]).toEqual([
        data.virtualQuoteReserves,
        data.virtualTokenReserves,
        data.realQuoteReserves,
        data.realTokenReserves,
      ]);
    }
  });

  test("has the line of Raydium's pools, which hold what their vaults held", async () => {
    const { written } = await readWritten("raydiumAmm", "raydium_amm", "swapBaseIn", LIMIT);
    for (const { fields } of written) {
      const { amountIn, outAmount, minimumOut, direction, poolCoin, poolPc } = fields as Record<string, string>;
      expect(Number(minimumOut)).toBeLessThanOrEqual(Number(outAmount));
      const [reserve, other] = direction === "1" ? [poolPc, poolCoin] : [poolCoin, poolPc];
      const expected = (Number(other) * Number(amountIn)) / (Number(reserve) + Number(amountIn));
      expect(Number(outAmount) / expected).toBeGreaterThan(0.9);
      expect(Number(outAmount) / expected).toBeLessThanOrEqual(1);
    }
  });

  test("has returned values before the success of the program, the last one as data of the transaction", async () => {
    const sizes = await readWritten("token2022", "spl-token-2022", "getAccountDataSize", LIMIT);
    for (const { fields } of sizes.written) expect(Number(fields.size)).toBeGreaterThanOrEqual(170);
    const { written } = await readWritten("jupiter", "jupiter_v6", "sharedAccountsRoute", LIMIT);
    for (const { lines, transaction } of written) {
      const at = lines.findIndex((line) => line.startsWith(`Program return: ${PROGRAMS.jupiter.address} `));
      expect(lines[at + 1]).toBe(`Program ${PROGRAMS.jupiter.address} success`);
      const { returnData } = transaction.meta;
      const isLast = lines.slice(at).every((line) => !line.includes(" invoke "));
      if (isLast) expect(lines[at]).toBe(`Program return: ${returnData.programId} ${returnData.data[0]}`);
    }
    expect(written.some(({ transaction }) => transaction.meta.returnData !== undefined)).toBe(true);
  });
});

test.each([
  ["meteora_dlmm", "lbPair", "amountIn", "amountOut"],
  ["jupiter_v6", "amm", "inputAmount", "outputAmount"],
] as const)("calls of %s to itself log what the swap before them moved", async (name, pool, paid, received) => {
  const { reader: db } = await worldLedger({ seed: "solx" });
  const rows = db.all(
    `SELECT DISTINCT x.signature FROM instructions i JOIN instruction_kinds k ON k.id = i.kind_id
    JOIN transactions x ON x.id = i.id / 1024 JOIN programs p ON p.account_id = k.program_id
    WHERE p.name = ? AND k.type = ? AND x.error IS NULL ORDER BY i.id DESC LIMIT 20`,
    ...[name, EVENT_CALL],
  );
  let checked = 0;
  for (const { signature } of rows) {
    const visit = (swap: Any): void => {
      for (const [at, call] of swap.inner_instructions.entries()) {
        visit(call);
        if (call.type !== EVENT_CALL || call.program !== name) continue;
        const before = swap.inner_instructions[at - 1];
        const subject = before.inner_instructions.length > 0 ? before : swap;
        const moves = subject.inner_instructions.flatMap((inner: Any) => inner.transfers);
        const { data_raw, idl_data } = call;
        const values = Object.fromEntries(
          Object.entries(idl_data.input_args).map(([field, { data }]: Any) => [field, data]),
        );
        expect([subject.program_id, ...subject.accounts]).toContain(values[pool]);
        expect([values[paid], values[received]]).toEqual([moves[0].amount, moves.at(-1).amount]);
        expect(data_raw.info.eventAuthority).toBe(call.accounts[0]);
        checked += 1;
      }
    };
    const { parsed_instructions } = queryData(db, "v2-transaction-detail", { tx: String(signature) }) as Any;
    for (const instruction of parsed_instructions) visit(instruction);
  }
  expect(checked).toBeGreaterThan(10);
});

test("the event of a swap that Raydium wrote on mainnet has this layout", () => {
  const base64 =
    "QMbN6CYIceLGSzq4mmyjYTSQT2wECCBM/iPRFQ445XjSfjB0aItbF3jDKrg8ER4OnL6dd+nBlbzg7xR9pUZXsuT4gJrJc/Dw17/BOW3XhDzc/fOJEpcjSLOCEp9RB7wSdeWzBg6ApUvivt6J7ccoleUqhxaNEUqRlWeq7Z0XJUfhiBU3EOnk8wCj4REAAAAAAAAAAAAAAABB2dASvAAAAAAAAAAAAAAAAXFCbTamv1DcMwAAAAAAAAApzr4ZgQsAAAAAAAAAAAAAfzQBAA==";
  expect(decode(outputOf("raydium_amm_v3", "swapV2"), base64)).toMatchObject({
    poolState: "EM4Fvu4G3qLuSNdBeturuHzqh871hh1evxY7RLBoF6ZL",
    sender: "98QXkwe6DThTsTq7tukKF4g9Wc6WnRbZyTBZ1iBupY39",
    amount0: "300000000",
    amount1: "807769528641",
    zeroForOne: true,
  });
});
