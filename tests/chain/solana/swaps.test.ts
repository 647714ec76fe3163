/** Swaps: found by the layouts of programs, confirmed by balances. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isArray, isObject, type JsonObject, parseJson } from "../../../src/base/index.ts";
import { NATIVE_SOL, WRAPPED_SOL } from "../../../src/catalogue/index.ts";
import {
  type ChainInstruction,
  type ChainTransaction,
  decodeBlock,
  decodeTransaction,
  encodeBase58,
  loadSwaps,
  type PoolSwap,
  type Swap,
} from "../../../src/chain/solana/index.ts";

const { findExchanges } = await loadSwaps();

const findSwaps = (transaction: ChainTransaction) => findExchanges(transaction).swaps;

const fixtures = parseJson(
  readFileSync(new URL("../../fixtures/solana-swaps.json", import.meta.url), "utf8"),
) as JsonObject;
const fixture = (name: string): ChainTransaction => decodeTransaction(fixtures[name] ?? null) as ChainTransaction;

/** Returns swaps and the hops in them. */
const flatten = (swaps: readonly Swap[]): readonly Swap[] =>
  swaps.flatMap((swap) => [swap, ...(swap.kind === "route" ? flatten(swap.hops) : [])]);
const poolSwaps = (transaction: ChainTransaction): readonly PoolSwap[] =>
  flatten(findSwaps(transaction)).filter((swap) => swap.kind === "swap");

const summary = ({ name, in: input, out }: Swap) =>
  `${name} ${input.amount} ${input.mint.slice(0, 4)} > ${out.amount} ${out.mint.slice(0, 4)}`;

describe("transactions of mainnet", () => {
  test("a route of an aggregator has its hops, each with its pool", () => {
    const [route, ...others] = findSwaps(fixture("jupiterRoute"));
    expect(others).toEqual([]);
    expect(route && summary(route)).toBe("jupiter_v6 20000000 So11 > 20269704 So11");
    const hops = route?.kind === "route" ? route.hops : [];
    expect(hops.map(summary)).toEqual([
      "whirlpool 20000000 So11 > 266395535 947t",
      "meteora_damm 266395535 947t > 205453064902 5Laf",
      "raydium_amm 205453064902 5Laf > 20269704 So11",
    ]);
    expect(new Set(hops.map((hop) => hop.kind === "swap" && hop.pool)).size).toBe(3);
    expect(route?.owner).toBe(fixture("jupiterRoute").keys[0]?.address);
  });

  test("a bonding curve receives lamports; fees to others are not part of the swap", () => {
    const [, curve] = poolSwaps(fixture("jupiterPump"));
    expect(curve).toMatchObject({ name: "pump", platform: "pumpfun", in: { mint: NATIVE_SOL, amount: 72_380n } });
    expect(curve?.out).toMatchObject({ amount: 2_583_728_601n, fees: 0n });
  });

  test("two swaps at the top level of a legacy transaction", () => {
    expect(findSwaps(fixture("raydiumSerum")).map(summary)).toEqual([
      "raydium_amm 90871408 SRMu > 10771935087 So11",
      "raydium_amm 10766894605 So11 > 108404808 4k3D",
    ]);
  });

  test("a failed transaction has none", () => {
    expect(findSwaps({ ...fixture("pumpSwap"), error: { InstructionError: [0, "Custom"] } })).toEqual([]);
  });

  test("a vault whose balance contradicts the transfers, or is missing, confirms nothing", () => {
    for (const name of Object.keys(fixtures)) {
      const transaction = fixture(name);
      const swaps = poolSwaps(transaction);
      expect(swaps).not.toEqual([]);
      for (const { in: input, out, instruction } of swaps) {
        for (const vault of [input, out].filter(({ mint }) => mint !== NATIVE_SOL).map((leg) => leg.vault)) {
          const { tokenBalances } = transaction;
          const wrong = tokenBalances.map((row) => (row.account === vault ? { ...row, post: row.post + 1n } : row));
          const missing = tokenBalances.filter(({ account }) => account !== vault);
          for (const changed of [wrong, missing]) {
            const others = poolSwaps({ ...transaction, tokenBalances: changed });
            expect(others.map((swap) => swap.instruction)).not.toContain(instruction);
          }
        }
      }
    }
  });

  test("arbitrary changes of a transaction never throw, and what is found still equals the balances", () => {
    const change = fc.record({
      at: fc.nat(),
      data: fc.option(fc.uint8Array({ maxLength: 40 })),
      length: fc.nat(30),
      parent: fc.integer({ min: -1, max: 40 }),
      delta: fc.bigInt(-5n, 5n),
    });
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(fixtures)), fc.array(change, { minLength: 1 }), (name, changes) => {
        const transaction = fixture(name);
        const instructions = [...transaction.instructions];
        const tokenBalances = [...transaction.tokenBalances];
        for (const { at, data, length, parent, delta } of changes) {
          const position = at % instructions.length;
          const instruction = instructions[position];
          if (instruction === undefined) continue;
          const accounts = instruction.accounts?.slice(0, length);
          instructions[position] = { ...instruction, accounts, parent, ...(data === null ? {} : { data }) };
          const balance = tokenBalances[at % tokenBalances.length];
          if (balance) tokenBalances[at % tokenBalances.length] = { ...balance, post: balance.post + delta };
        }
        const changed = { ...transaction, instructions, tokenBalances };
        expectBalanced(changed, findSwaps(changed));
      }),
    );
  });
});

/** What a pool swap moves in a vault: positive when the pool receives. */
const vaultChanges = ({ in: input, out }: PoolSwap): readonly (readonly [string | undefined, bigint])[] => [
  [input.mint === NATIVE_SOL ? undefined : input.vault, input.amount - input.withheld - input.fees],
  [out.mint === NATIVE_SOL ? undefined : out.vault, -(out.amount + out.withheld + out.fees)],
];

/**
 * Checks that the swaps with a vault add up to the change of its balance. Vaults that other instructions use too are
 * skipped: their transfers would have to be counted here as they are in the code.
 */
function expectBalanced(transaction: ChainTransaction, swaps: readonly Swap[]): number {
  const sums = new Map<string, bigint>();
  const pools = flatten(swaps).filter((swap) => swap.kind === "swap");
  for (const [vault, amount] of pools.flatMap(vaultChanges)) {
    if (vault !== undefined) sums.set(vault, (sums.get(vault) ?? 0n) + amount);
  }
  let checked = 0;
  for (const [vault, sum] of sums) {
    const balance = transaction.tokenBalances.find(({ account }) => account === vault);
    const uses = transaction.instructions.filter((instruction) => isTransferOf(instruction, vault));
    const own = pools.flatMap(vaultChanges).filter(([address]) => address === vault);
    if (uses.length !== own.length) continue;
    checked += 1;
    expect(balance && balance.post - balance.pre).toBe(sum);
  }
  return checked;
}

/** Whether an instruction transfers tokens to or from an account. */
function isTransferOf({ program, accounts, data, parsed }: ChainInstruction, account: string): boolean {
  if (!program.startsWith("Token")) return false;
  if (parsed !== undefined) return parsed.type.startsWith("transfer") && Object.values(parsed.info).includes(account);
  const [tag, kind] = data ?? [];
  return (tag === 3 || tag === 12 || (tag === 26 && kind === 1)) && accounts?.includes(account) === true;
}

describe("transactions that are built by hand", () => {
  const WHIRLPOOL = "whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc";
  const PUMP = "6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P";
  const DLMM = "LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo";
  const JUPITER = "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4";
  const TOKEN_2022 = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb";
  const TOKEN = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
  /** First bytes of the data of instructions. */
  const TAG = {
    swap: "f8c69e91e17587c8",
    sell: "33e685a4017f83ad",
    route: "e517cb977ae3ad2a",
    oneSide: "5e9b6797465fdca5",
  };

  const addressOf = (name: string): string => {
    const bytes = new Uint8Array(32).fill(7);
    bytes.set(new TextEncoder().encode(name));
    return encodeBase58(bytes);
  };

  interface Step {
    readonly program: string;
    readonly parent?: number;
    readonly accounts: readonly string[];
    readonly data: string;
  }

  const transfer = (parent: number, from: string, to: string, amount: bigint, program = TOKEN): Step => ({
    program,
    parent,
    accounts: [from, to, "owner"],
    data: `03${Buffer.from(Uint8Array.from({ length: 8 }, (_, at) => Number((amount >> BigInt(at * 8)) & 0xffn))).toString("hex")}`,
  });

  /** A transaction with changes of token accounts by name, `mint change owner`, and of lamports. */
  function build(
    steps: readonly Step[],
    balances: Readonly<Record<string, readonly [mint: string, change: bigint, owner?: string]>>,
    lamports: Readonly<Record<string, bigint>> = {},
  ): ChainTransaction {
    const keys = ["owner", ...Object.keys(lamports)];
    return {
      ...fixture("pumpSwap"),
      keys: keys.map((name) => ({ address: addressOf(name), signer: false, writable: true, fromLookupTable: false })),
      preBalances: keys.map(() => 10n ** 12n),
      postBalances: keys.map((name) => 10n ** 12n + (lamports[name] ?? 0n)),
      instructions: steps.map(({ program, parent = -1, accounts, data }) => ({
        program,
        parent,
        height: 1,
        accounts: accounts.map((name) => (name.length > 30 ? name : addressOf(name))),
        data: Uint8Array.from(Buffer.from(data, "hex")),
        parsed: undefined,
      })),
      tokenBalances: Object.entries(balances).map(([name, [mint, change, owner = "pool"]]) => ({
        account: addressOf(name),
        mint: mint === WRAPPED_SOL ? mint : addressOf(mint),
        decimals: 6,
        ownerBefore: addressOf(owner),
        owner: addressOf(owner),
        program: undefined,
        pre: 1_000_000n,
        post: 1_000_000n + change,
        existedBefore: true,
        existsAfter: true,
      })),
    };
  }

  const whirlpool = (pool: string, a: string, b: string): Step => ({
    program: WHIRLPOOL,
    accounts: ["token", "owner", pool, "userA", a, "userB", b, "t", "t", "t", "o"],
    data: TAG.swap,
  });

  test("several swaps of a pool in one transaction are confirmed together", () => {
    const transaction = build(
      [
        whirlpool("pool", "vaultA", "vaultB"),
        transfer(0, "userA", "vaultA", 100n),
        transfer(0, "vaultB", "userB", 40n),
        whirlpool("pool", "vaultA", "vaultB"),
        transfer(3, "userB", "vaultB", 10n),
        transfer(3, "vaultA", "userA", 24n),
      ],
      {
        vaultA: ["A", 76n],
        vaultB: ["B", -30n],
        userA: ["A", -76n, "owner"],
        userB: ["B", 30n, "owner"],
      },
    );
    expect(findSwaps(transaction)).toMatchObject([
      { instruction: 0, pool: addressOf("pool"), in: { mint: addressOf("A"), amount: 100n }, out: { amount: 40n } },
      { instruction: 3, owner: addressOf("owner"), in: { mint: addressOf("B"), amount: 10n }, out: { amount: 24n } },
    ]);
    expect(expectBalanced(transaction, findSwaps(transaction))).toBe(2);
  });

  test("a transfer fee of the token is withheld from the receiver", () => {
    const transaction = build(
      [
        whirlpool("pool", "vaultA", "vaultB"),
        transfer(0, "userA", "vaultA", 1000n, TOKEN_2022),
        transfer(0, "vaultB", "userB", 500n, TOKEN_2022),
      ],
      { vaultA: ["A", 990n], vaultB: ["B", -500n], userA: ["A", -1000n, "owner"], userB: ["B", 497n, "owner"] },
    );
    expect(findSwaps(transaction)).toMatchObject([
      { in: { amount: 1000n, withheld: 10n }, out: { amount: 497n, withheld: 3n, fees: 0n } },
    ]);
  });

  test("fees that a pool pays to others are apart from what the user receives", () => {
    const transaction = build(
      [
        whirlpool("pool", "vaultA", "vaultB"),
        transfer(0, "userA", "vaultA", 1000n),
        transfer(0, "vaultB", "treasury", 600n),
        transfer(0, "vaultB", "userB", 500n),
      ],
      {
        vaultA: ["A", 1000n],
        vaultB: ["B", -1100n],
        userA: ["A", -1000n, "owner"],
        userB: ["B", 500n, "owner"],
        treasury: ["B", 600n, "platform"],
      },
    );
    expect(findSwaps(transaction)).toMatchObject([{ out: { amount: 500n, fees: 600n, account: addressOf("userB") } }]);
  });

  test("transfers of an order book that a pool uses are not part of its swap", () => {
    const transaction = build(
      [
        whirlpool("pool", "vaultA", "vaultB"),
        { program: addressOf("orderBook"), parent: 0, accounts: [], data: "05" },
        transfer(1, "marketA", "vaultA", 70n),
        transfer(1, "marketB", "vaultB", 30n),
        transfer(0, "userA", "vaultA", 100n),
        transfer(0, "vaultB", "userB", 40n),
      ],
      {
        vaultA: ["A", 170n],
        vaultB: ["B", -10n],
        marketA: ["A", -70n, "market"],
        marketB: ["B", -30n, "market"],
        userA: ["A", -100n, "owner"],
        userB: ["B", 40n, "owner"],
      },
    );
    expect(findSwaps(transaction)).toMatchObject([{ in: { amount: 100n }, out: { amount: 40n } }]);
  });

  const sell = (curve: string): Step => ({
    program: PUMP,
    accounts: ["global", "fees", "mint", curve, "vaultA", "userA", "owner", "system", "creator", "token"],
    data: TAG.sell,
  });

  test("a sale to a bonding curve pays lamports without a transfer", () => {
    const steps = [sell("curve"), transfer(0, "userA", "vaultA", 5000n)];
    const balances = { vaultA: ["A", 5000n], userA: ["A", -5000n, "owner"] } as const;
    const transaction = build(steps, balances, { curve: -2500n });
    expect(findSwaps(transaction)).toMatchObject([
      { name: "pump", in: { amount: 5000n }, out: { mint: NATIVE_SOL, amount: 2500n } },
    ]);
    expect(findSwaps(build(steps, balances, { curve: 0n }))).toEqual([]);
  });

  test("two sales to one curve are not reported: what each paid is not known", () => {
    const transaction = build(
      [sell("curve"), transfer(0, "userA", "vaultA", 1n), sell("curve"), transfer(2, "userA", "vaultA", 2n)],
      { vaultA: ["A", 3n], userA: ["A", -3n, "owner"] },
      { curve: -2500n },
    );
    expect(findSwaps(transaction)).toEqual([]);
  });

  test("a route through an exchange that is not known has amounts, and no hops", () => {
    const unknown = addressOf("unknown");
    const transaction = build(
      [
        {
          program: JUPITER,
          accounts: ["token", "owner", "userA", "temporary", JUPITER, "B", JUPITER, "event", JUPITER],
          data: TAG.route,
        },
        { program: unknown, parent: 0, accounts: [], data: "00" },
        transfer(1, "userA", "vaultA", 100n),
        transfer(1, "vaultB", "temporary", 40n),
      ],
      // The account that receives wrapped SOL is opened and closed in the transaction, and has no balance.
      { userA: ["A", -100n, "owner"], vaultA: ["A", 100n], vaultB: [WRAPPED_SOL, -40n] },
    );
    expect(findSwaps(transaction)).toMatchObject([
      { kind: "route", in: { amount: 100n }, out: { mint: WRAPPED_SOL, amount: 40n }, hops: [] },
    ]);
  });

  test("a deposit of one token", () => {
    const transaction = build(
      [
        {
          program: DLMM,
          accounts: ["position", "pool", "bitmap", "userA", "vaultA", "A", "low", "high", "owner"],
          data: TAG.oneSide,
        },
        transfer(0, "userA", "vaultA", 100n),
      ],
      { userA: ["A", -100n, "owner"], vaultA: ["A", 100n] },
    );
    expect(findSwaps(transaction)).toEqual([]);
    expect(findExchanges(transaction).liquidity).toMatchObject([
      {
        kind: "add-liquidity",
        name: "meteora_dlmm",
        pool: addressOf("pool"),
        owner: addressOf("owner"),
        legs: [{ mint: addressOf("A"), amount: 100n, account: addressOf("userA") }],
      },
    ]);
  });
});

const RECORDED = new URL("../../../shared/rpc-recorded/", import.meta.url);

describe.skipIf(!existsSync(RECORDED))("recorded transactions", () => {
  const transactions = (existsSync(RECORDED) ? readdirSync(RECORDED) : [])
    .filter((name) => /^get(Transaction|Block|ConfirmedBlock)-/.test(name))
    .flatMap((name): readonly ChainTransaction[] => {
      const { body } = parseJson(readFileSync(new URL(name, RECORDED), "utf8")) as JsonObject;
      const result = isObject(body) ? body.result : undefined;
      if (!isObject(result)) return [];
      if (isArray(result.transactions)) return decodeBlock(result, 0)?.transactions ?? [];
      return result.transaction === undefined ? [] : [decodeTransaction(result) as ChainTransaction];
    });

  test("swaps of all known programs are found, and equal the balances", () => {
    const names = transactions.flatMap((transaction) => flatten(findSwaps(transaction))).map(({ name }) => name);
    const numbers = Object.fromEntries(
      [...new Set(names)].map((name) => [name, names.filter((n) => n === name).length]),
    );
    // The number of instructions that trade in the recorded transactions that succeeded.
    expect(numbers).toEqual({
      raydium_amm: 16,
      whirlpool: 6,
      raydium_amm_v3: 4,
      meteora_dlmm: 2,
      meteora_damm: 1,
      pump: 1,
      pump_amm: 1,
      phoenix: 2,
      lifinity_amm_v2: 1,
      obric_v2: 2,
      stable_swap: 1,
      invariant: 1,
      jupiter_v6: 14,
    });
    const checked = transactions.map((transaction) => expectBalanced(transaction, findSwaps(transaction)));
    // One of 75 vaults takes part in other transfers: an order book settles with it.
    expect(checked.reduce((sum, count) => sum + count, 0)).toBe(74);
  });

  test("hops equal the events in which the aggregator reports them", () => {
    const events = transactions
      .filter(({ error }) => error === undefined)
      .flatMap((transaction) => transaction.instructions.flatMap(swapEvent).map((event) => ({ event, transaction })));
    const differing = events.filter(
      ({ event, transaction }) =>
        !poolSwaps(transaction).some(
          ({ program, in: input, out }) => [program, input.mint, input.amount, out.mint, out.amount].join() === event,
        ),
    );
    expect(events).toHaveLength(28);
    // One program without public layout; one curve whose event counts its fees; two orders that were filled in part.
    expect(differing.map(({ event }) => event.slice(0, 4))).toEqual(["6EF8", "ZERo", "Phoe", "Phoe"]);
  });

  test("arbitrary accounts in place of the recorded ones never throw", () => {
    const traded = transactions.filter((transaction) => findExchanges(transaction).swaps.length > 0);
    fc.assert(
      fc.property(fc.constantFrom(...traded), fc.nat(), fc.nat(), ({ instructions, ...rest }, at, shift) => {
        const changed = instructions.map((instruction, index) => {
          const { accounts = [] } = instruction;
          const cut = shift % (accounts.length + 1);
          return index === at % instructions.length
            ? { ...instruction, accounts: [...accounts.slice(cut), ...accounts.slice(0, cut)] }
            : instruction;
        });
        const transaction = { ...rest, instructions: changed };
        expectBalanced(transaction, findSwaps(transaction));
      }),
    );
  });
});

/** Returns what an event of the aggregator says: `program,mint,amount,mint,amount`. */
function swapEvent({ data }: ChainInstruction): readonly string[] {
  const bytes = Buffer.from(data ?? []);
  if (bytes.subarray(0, 16).toString("hex") !== "e445a52e51cb9a1d40c6cde8260871e2") return [];
  const key = (start: number) => encodeBase58(bytes.subarray(start, start + 32));
  return [[key(16), key(48), bytes.readBigUInt64LE(80), key(88), bytes.readBigUInt64LE(120)].join()];
}
