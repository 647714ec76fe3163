/**
 * Requests with every combination of filters on the busiest subjects of a ledger: each filter alone, all pairs, and all
 * filters together, with values that match much and values that match nothing.
 */
import type { Endpoint } from "../../src/catalogue/index.ts";
import { NATIVE_SOL, WRAPPED_SOL } from "../../src/catalogue/index.ts";
import type { Param } from "../../src/catalogue/param.ts";
import type { LedgerReader } from "../../src/chain/ledger/store/reader.ts";

type Values = readonly string[];

/** Wire values of a request by parameter. */
export type RequestValues = ReadonlyMap<string, Values>;

/** The subjects of a ledger with the most rows, and values for filters. */
export interface BusySubjects {
  readonly accounts: readonly string[];
  readonly tokens: readonly string[];
  readonly pools: readonly string[];
  readonly programs: readonly string[];
  readonly stakes: readonly string[];
  readonly validators: readonly string[];
  readonly tokenAccounts: readonly string[];
  /** A wallet and a token with few rows. */
  readonly quietWallet: string;
  readonly quietToken: string;
  readonly collection: string;
  readonly nft: string;
  readonly signature: string;
  readonly slot: string;
  /** Unix seconds of the first and the last block as callers see them. */
  readonly start: number;
  readonly end: number;
}

/** Finds the busiest subjects of a ledger. */
export function busySubjects(db: LedgerReader): BusySubjects {
  const first = (sql: string): string => String(Object.values(db.get(sql) ?? {})[0]);
  const busiest = (table: string, column: string, count = 1, where = "true"): readonly string[] =>
    db
      .all(
        `SELECT a.address FROM (SELECT ${column} AS id, count(*) AS n FROM ${table} WHERE ${where} GROUP BY 1
        ORDER BY 2 DESC LIMIT ${count}) JOIN accounts a USING (id)`,
      )
      .map(({ address }) => String(address));
  const tokenAccounts = busiest("balance_changes", "account_id", 1, "account_id <> owner_id");
  const programs = busiest("account_keys", "account_id", 2);
  const pools = busiest("routes", "pool_id");
  const accounts = [
    busiest("account_transfers", "account_id"),
    busiest("balance_changes", "owner_id"),
    busiest("defi", "from_id"),
    busiest("balances", "owner_id"),
    busiest("stake_accounts", "staker_id"),
    busiest("rewards", "account_id"),
    tokenAccounts,
    programs,
    pools,
  ].flat();
  const { shift, end } = db.clock;
  return {
    accounts: [...new Set(accounts)],
    tokens: [NATIVE_SOL, WRAPPED_SOL, ...busiest("balances", "token_id", 1, "token_id <> 1")],
    pools,
    programs,
    stakes: busiest("rewards", "account_id", 1, "kind = 'staking'"),
    validators: busiest("blocks", "leader_id"),
    tokenAccounts,
    quietWallet: first("SELECT address FROM accounts WHERE kind = 'system_account' ORDER BY id DESC LIMIT 1"),
    quietToken: first("SELECT address FROM tokens JOIN accounts USING (id) ORDER BY id DESC LIMIT 1"),
    collection: first(
      `SELECT hex FROM nft_activities JOIN nft_collections ON account_id = collection_id
      GROUP BY account_id ORDER BY count(*) DESC LIMIT 1`,
    ),
    nft: busiest("nft_activities", "nft_id")[0] ?? "",
    signature: first("SELECT signature FROM transactions WHERE id = (SELECT max(id) / 2 FROM transactions)"),
    slot: first("SELECT slot FROM blocks ORDER BY transactions DESC LIMIT 1"),
    start: Number(first("SELECT min(time) FROM blocks")) + shift,
    end: end + shift,
  };
}

const dateOf = (time: number) => new Date(time * 1000).toISOString().slice(0, 10).replaceAll("-", "");

const smallPage = ({ values, min = 1 }: Param): Values => [String(values?.[0] ?? Math.max(min, 3))];
const largePage = ({ values, max }: Param): Values => [String(values?.at(-1) ?? max ?? 50)];

/** Returns alternative values of a filter. */
function filterValues(name: string, param: Param, subjects: BusySubjects): readonly Values[] {
  const { start, end, quietWallet, quietToken, programs, pools } = subjects;
  const middle = Math.floor((start + end) / 2);
  const texts = (values: readonly (string | number)[]) => values.map((value) => [String(value)]);
  switch (param.role) {
    case "page":
      return texts([2]);
    case "offset":
      return texts([1000]);
    case "from":
      return texts(param.type === "date" ? [dateOf(start)] : [start, end - 3600]);
    case "to":
      return texts(param.type === "date" ? [dateOf(end)] : [end, middle]);
    default:
  }
  switch (param.type) {
    case "enum":
      return texts(
        (param.values ?? []).length > 6 ? [param.values?.[0] ?? "", param.values?.at(-1) ?? ""] : (param.values ?? []),
      );
    case "boolean":
      return texts(["true"]);
    case "date":
      return [[dateOf(start), dateOf(end)]];
    case "time":
      return param.arity === "range" ? [[String(start), String(end)]] : texts([start]);
    case "decimal":
    case "integer":
      return param.arity === "range"
        ? [
            ["123456789", "123456790"],
            ["0", "1000000000000000"],
          ]
        : texts(param.max === undefined ? [0, 1_000_000] : [param.max]);
    case "signature":
      return texts([subjects.signature]);
    case "slot":
      return texts([subjects.slot]);
    case "address":
      if (name === "token_account" || name === "address") return texts([...subjects.tokenAccounts, quietWallet]);
      if (/token|currency/.test(name)) return texts([WRAPPED_SOL, quietToken]);
      if (/program|platform|source/.test(name)) return texts([...programs.slice(0, 1), ...pools]);
      return texts([...subjects.accounts.slice(0, 1), quietWallet]);
    default:
      return name === "collection" ? texts([subjects.collection]) : [];
  }
}

/** Returns the identifiers that a request is about. */
function subjectValues({ group }: Endpoint, name: string, param: Param, subjects: BusySubjects): readonly Values[] {
  const { accounts, tokens, pools, programs, stakes } = subjects;
  if (name === "collection") return [[subjects.collection]];
  if (param.type === "signature") return [[subjects.signature]];
  if (param.type === "slot") return [[subjects.slot]];
  if (param.type === "text") return [["a"], ["usdc"]];
  const byGroup: Readonly<Record<string, readonly string[]>> = { token: tokens, market: pools, program: programs };
  const list = /token/i.test(name) ? tokens : (byGroup[group] ?? [...accounts, ...stakes]);
  return param.arity === "one" ? list.map((value) => [value]) : [list.slice(0, param.maxItems)];
}

const isSubject = (name: string, param: Param) =>
  param.positional ||
  param.in === "path" ||
  (param.required && param.default === undefined) ||
  /^(account|address)$/.test(name);

/** Filters above this number are alike, such as the bounds of metrics: the first and the last ones stand for all. */
const MAX_FILTERS = 30;

const sampled = <T>(list: readonly T[]): readonly T[] =>
  list.length <= MAX_FILTERS ? list : [...list.slice(0, MAX_FILTERS - 4), ...list.slice(-4)];

/** Yields the requests of an endpoint. The parameters of a pair are in the order of the catalogue. */
export function* filterCombinations(endpoint: Endpoint, subjects: BusySubjects): Generator<RequestValues> {
  const params = Object.entries(endpoint.query);
  const required = params.filter(([name, param]) => isSubject(name, param));
  const sizes = params.filter(([, { role }]) => role === "size");
  const small = sizes.map(([name, param]) => [name, smallPage(param)] as const);
  const large = sizes.map(([name, param]) => [name, largePage(param)] as const);
  const filters = sampled(params)
    .filter(([name, param]) => !isSubject(name, param) && param.role !== "cursor" && param.role !== "size")
    .map(([name, param]) => filterValues(name, param, subjects).map((values) => [name, values] as const))
    .filter((alternatives) => alternatives.length > 0);
  const alone = filters.flatMap((alternatives) => alternatives.map((one) => [one]));
  const pairs = filters.flatMap((first, at) =>
    filters.slice(at + 1).flatMap((second) => first.flatMap((a) => second.map((b) => [a, b]))),
  );
  const all = [0, -1].map((at) => filters.flatMap((alternatives) => alternatives.slice(at).slice(0, 1)));
  let targets: (readonly (readonly [string, Values])[])[] = [[]];
  for (const [name, param] of required) {
    const values =
      param.type === "enum" || param.type === "time"
        ? filterValues(name, param, subjects)
        : subjectValues(endpoint, name, param, subjects);
    targets = targets.flatMap((target) => values.map((value) => [...target, [name, value] as const]));
  }
  for (const target of targets) {
    // The size of a page changes no other part of a request, and large ones take their time.
    for (const combination of [...alone, ...pairs]) yield new Map([...small, ...target, ...combination]);
    for (const combination of [[], ...all]) yield new Map([...large, ...target, ...combination]);
  }
}
