/**
 * Exchanges with public layouts: which instructions trade or change liquidity, and where among their accounts the pools
 * and vaults are. Amounts are not read from data: they follow from the transfers, which the balances confirm.
 */
import { sha256 } from "../../../base/index.ts";

/** A position among the accounts of an instruction; negative ones count from the end, which optional accounts precede. */
export type AccountIndex = number;

/** A pool of an instruction. */
export interface PoolLayout {
  readonly pool: AccountIndex;
  /** Token accounts of the pool. Of a range, the first and the last one. */
  readonly vaults: readonly AccountIndex[] | { readonly from: AccountIndex; readonly to: AccountIndex };
  /** An account whose lamports are a vault. */
  readonly lamports?: AccountIndex;
}

/** What an instruction does. */
export type ExchangeAction = "swap" | "add-liquidity" | "remove-liquidity" | "route";

/** Instructions with the same layout. */
export interface ExchangeLayout {
  readonly action: ExchangeAction;
  /** The names from which Anchor derives the first eight bytes of the data. */
  readonly methods?: string;
  /** The first byte of the data, for programs that are not written with Anchor. */
  readonly tags?: readonly number[];
  readonly pools: readonly PoolLayout[];
  /** Who trades; by default the owner of the token account that pays. */
  readonly owner?: AccountIndex;
  readonly through?: string;
  /** Of routes: the token account that pays, by default that of the first transfer. */
  readonly source?: AccountIndex;
  /** Of routes: the token accounts that receive; the address of the program stands for one that is absent. */
  readonly destinations?: readonly AccountIndex[];
}

/** A program. */
interface ExchangeProgram {
  readonly name: string;
  readonly platform: string;
  readonly layouts: readonly ExchangeLayout[];
}

type Options = Omit<ExchangeLayout, "action" | "pools" | "methods">;

const layout = (
  action: ExchangeAction,
  methods: string,
  pool: AccountIndex,
  vaults: PoolLayout["vaults"],
  options: Options = {},
): ExchangeLayout => ({
  action,
  ...(methods === "" ? {} : { methods }),
  pools: [{ pool, vaults }],
  ...options,
});

const swap = layout.bind(undefined, "swap");
const add = layout.bind(undefined, "add-liquidity");
const remove = layout.bind(undefined, "remove-liquidity");

const route = (
  methods: string,
  owner: AccountIndex,
  source: AccountIndex | undefined,
  destinations: readonly AccountIndex[],
) => ({
  action: "route" as const,
  methods,
  pools: [],
  owner,
  ...(source === undefined ? {} : { source }),
  destinations,
});

const exchange = (name: string, platform: string, ...layouts: readonly ExchangeLayout[]): ExchangeProgram => ({
  name,
  platform,
  layouts,
});

const METEORA_VAULT = "24Uqj9JCLxUeoC3hGfh5W3s9FM9uCHDS2SG3LYwBpyTi";

/** Programs by address. */
export const EXCHANGES: Readonly<Record<string, ExchangeProgram>> = {
  "675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8": exchange(
    "raydium_amm",
    "raydium",
    swap("", 1, [-13, -12], { tags: [9, 11], owner: -1 }),
    swap("", 1, [3, 4], { tags: [16, 17], owner: -1 }),
    add("", 1, [6, 7], { tags: [3], owner: 12 }),
    remove("", 1, [6, 7], { tags: [4] }),
  ),
  CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C: exchange(
    "raydium_cp_swap",
    "raydium",
    swap("swap_base_input swap_base_output", 3, [6, 7], { owner: 0 }),
    add("deposit", 2, [6, 7], { owner: 0 }),
    remove("withdraw", 2, [6, 7], { owner: 0 }),
  ),
  CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK: exchange(
    "raydium_amm_v3",
    "raydium",
    swap("swap swap_v2", 2, [5, 6], { owner: 0 }),
    add("increase_liquidity increase_liquidity_v2", 2, [9, 10], { owner: 0 }),
    remove("decrease_liquidity decrease_liquidity_v2", 3, [5, 6], { owner: 0 }),
  ),
  whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc: exchange(
    "whirlpool",
    "orca",
    swap("swap", 2, [4, 6], { owner: 1 }),
    swap("swap_v2", 4, [8, 10], { owner: 3 }),
    {
      action: "swap",
      methods: "two_hop_swap",
      pools: [
        { pool: 2, vaults: [5, 7] },
        { pool: 3, vaults: [9, 11] },
      ],
      owner: 1,
    },
    {
      action: "swap",
      methods: "two_hop_swap_v2",
      pools: [
        { pool: 0, vaults: [9, 10] },
        { pool: 1, vaults: [11, 12] },
      ],
      owner: 14,
    },
    add("increase_liquidity", 0, [7, 8], { owner: 2 }),
    remove("decrease_liquidity", 0, [7, 8], { owner: 2 }),
    add("increase_liquidity_v2", 0, [11, 12], { owner: 4 }),
    remove("decrease_liquidity_v2", 0, [11, 12], { owner: 4 }),
  ),
  LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo: exchange(
    "meteora_dlmm",
    "meteora",
    swap("swap swap2 swap_exact_out swap_exact_out2 swap_with_price_impact swap_with_price_impact2", 0, [2, 3], {
      owner: 10,
    }),
    add("add_liquidity add_liquidity2 add_liquidity_by_weight add_liquidity_by_weight2", 1, [5, 6]),
    add("add_liquidity_by_strategy add_liquidity_by_strategy2", 1, [5, 6]),
    add("add_liquidity_one_side add_liquidity_by_strategy_one_side", 1, [4]),
    add("add_liquidity_one_side_precise add_liquidity_one_side_precise2", 1, [4]),
    remove("remove_liquidity remove_liquidity2 remove_all_liquidity", 1, [5, 6]),
    remove("remove_liquidity_by_range remove_liquidity_by_range2", 1, [5, 6]),
  ),
  Eo7WjKq67rjJQSZxS6z3YkapzY3eMj6Xy8X5EQVn5UaB: exchange(
    "meteora_damm",
    "meteora",
    swap("swap", 0, [5, 6], { owner: 12, through: METEORA_VAULT }),
  ),
  cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG: exchange(
    "meteora_damm_v2",
    "meteora",
    swap("swap swap2", 1, [4, 5], { owner: 8 }),
    add("add_liquidity", 0, [4, 5], { owner: 9 }),
    remove("remove_liquidity remove_all_liquidity", 1, [5, 6]),
  ),
  "6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P": exchange("pump", "pumpfun", {
    action: "swap",
    methods: "buy buy_exact_sol_in sell",
    pools: [{ pool: 3, vaults: [4], lamports: 3 }],
    owner: 6,
  }),
  pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA: exchange(
    "pump_amm",
    "pumpfun",
    swap("buy buy_exact_quote_in sell", 0, [7, 8], { owner: 1 }),
    add("deposit", 0, [9, 10], { owner: 2 }),
    remove("withdraw", 0, [9, 10], { owner: 2 }),
  ),
  PhoeNiXZ8ByJGLkxNfZRnkUfjvmuYqLR89jjFHGqdXY: exchange(
    "phoenix",
    "phoenix",
    swap("", 2, [6, 7], { tags: [0], owner: 3 }),
  ),
  "2wT8Yq49kHgDzXuPxZSaeLaH1qbmGXtEyPy64bL7aD3c": exchange(
    "lifinity_amm_v2",
    "lifinity",
    swap("swap", 1, [5, 6], { owner: 2 }),
  ),
  obriQD1zbpyLz95G5n7nJe6a4DPjpFwa5XYPoNm113y: exchange("obric_v2", "obric", swap("swap", 0, [3, 4], { owner: 10 })),
  SSwpkEEcbUqx4vtoEByFjSkhKdCT862DNVb52nZg1UZ: exchange(
    "stable_swap",
    "saber",
    swap("", 0, [4, 5], { tags: [1], owner: 2 }),
  ),
  MERLuDFBMmsHnsBPZw2sDQZHvXFMwp8EdjudcU2HKky: exchange(
    "mercurial_stable_swap",
    "mercurial",
    swap("", 0, { from: 4, to: -3 }, { tags: [4], owner: 3 }),
  ),
  HyaB3W9q6XdA5xwpU4XnSZV94htfmbmqJXZcEbRaJutt: exchange(
    "invariant",
    "invariant",
    swap("swap", 1, [5, 6], { owner: 7 }),
  ),
  JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4: exchange(
    "jupiter_v6",
    "jupiter",
    route("route route_with_token_ledger exact_out_route", 1, 2, [4, 3]),
    route("shared_accounts_route shared_accounts_route_with_token_ledger shared_accounts_exact_out_route", 2, 3, [6]),
    route("route_v2 exact_out_route_v2", 0, 1, [7, 2]),
    route("shared_accounts_route_v2 shared_accounts_exact_out_route_v2", 1, 2, [5]),
  ),
  JUP4Fb2cqiRUcaTHdrPC8h2gNsA2ETXiPDD33WcGuJB: exchange("jupiter_v4", "jupiter", route("route", 1, undefined, [2])),
};

/** Layouts of a program by the first bytes of the data, in hexadecimal digits. */
const indexes = new Map<string, ReadonlyMap<string, ExchangeLayout>>();

/** Returns the layout of an instruction; undefined when it neither trades nor changes liquidity, or is not known. */
export function exchangeLayout(program: string, data: Uint8Array): ExchangeLayout | undefined {
  const exchange = Object.hasOwn(EXCHANGES, program) ? EXCHANGES[program] : undefined;
  if (exchange === undefined) return undefined;
  const index = indexes.get(program) ?? indexOf(exchange);
  indexes.set(program, index);
  return index.get(hexOf(data.subarray(0, 8))) ?? index.get(hexOf(data.subarray(0, 1)));
}

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

const indexOf = ({ layouts }: ExchangeProgram): ReadonlyMap<string, ExchangeLayout> =>
  new Map(
    layouts.flatMap((entry) => [
      ...(entry.methods?.split(" ") ?? []).map((method) => [sha256(`global:${method}`).slice(0, 16), entry] as const),
      ...(entry.tags ?? []).map((tag) => [hexOf(Uint8Array.of(tag)), entry] as const),
    ]),
  );
