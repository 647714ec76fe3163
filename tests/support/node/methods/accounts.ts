/** Methods about accounts and tokens. */
import { getBase58Encoder } from "@solana/kit";
import { type Account, mintFields, TOKEN_PROGRAMS, tokenAccountFields } from "../account.ts";
import { encodeAccount } from "../encode.ts";
import { invalidParams, RpcError } from "../errors.ts";
import { uiTokenAmount } from "../token-amounts.ts";
import { isObjectWire, type Wire, type WireObject } from "../wire.ts";
import {
  accountsOf,
  addressAt,
  blockOf,
  checkAddress,
  type Method,
  type NodeContext,
  optionsAt,
  withContext,
} from "./request.ts";

const MAX_ACCOUNTS = 100;
const MAX_FILTERS = 4;
const MAX_ROWS = 20;

/** What account methods need: the state, and accounts in the requested encoding. */
function reader(context: NodeContext, options: WireObject) {
  const view = accountsOf(context, options);
  const { time } = blockOf(context, options);
  const encode = (account: Account | undefined): Wire =>
    account === undefined ? null : encodeAccount(account, options, { get: view.get, time });
  const rows = (accounts: readonly Account[]) =>
    accounts
      .toSorted((a, b) => (a.address < b.address ? -1 : 1))
      .map((account) => ({ pubkey: account.address, account: encode(account) }));
  return { view, time, encode, rows };
}

const getAccountInfo: Method = (context, params) => {
  const key = addressAt(params, 0);
  const { view, encode } = reader(context, optionsAt(params, 1));
  return withContext(view.slot, encode(view.get(key)));
};

const getMultipleAccounts: Method = (context, params) => {
  if (!Array.isArray(params[0])) throw invalidParams("Invalid params: invalid type: expected a sequence.");
  if (params[0].length > MAX_ACCOUNTS) throw invalidParams(`Too many inputs provided; max ${MAX_ACCOUNTS}`);
  const keys = params[0].map((key: Wire) => checkAddress(key));
  // Unlike the answer for one account, the default here is base64.
  const { view, encode } = reader(context, { encoding: "base64", ...optionsAt(params, 1) });
  return withContext(
    view.slot,
    keys.map((key) => encode(view.get(key))),
  );
};

const getBalance: Method = (context, params) => {
  const key = addressAt(params, 0);
  const view = accountsOf(context, optionsAt(params, 1));
  return withContext(view.slot, view.get(key)?.lamports ?? 0);
};

function checkIndexed({ limits }: NodeContext, key: string): void {
  if (!limits.excludedKeys?.includes(key)) return;
  throw new RpcError(-32010, `${key} excluded from account secondary indexes; this RPC method unavailable for key`);
}

/** Returns whether an account passes a filter of `getProgramAccounts`. */
function filterOf(filter: Wire): (account: Account) => boolean {
  if (filter === "tokenAccountState") return (account) => tokenAccountFields(account) !== undefined;
  if (!isObjectWire(filter)) throw invalidParams("Invalid params: invalid filter.");
  if (typeof filter.dataSize === "number") {
    const size = filter.dataSize;
    return ({ data }) => data.length === size;
  }
  const memcmp = filter.memcmp;
  if (!isObjectWire(memcmp) || typeof memcmp.bytes !== "string") {
    throw invalidParams("Invalid params: unknown filter.");
  }
  const { bytes: text, encoding = "base58" } = memcmp;
  const offset = Number(memcmp.offset);
  const bytes = Buffer.from(
    encoding === "base64" ? Buffer.from(text, "base64") : new Uint8Array(getBase58Encoder().encode(text as string)),
  );
  if (bytes.length > 128) throw invalidParams("Invalid param: encoded binary data should be less than 129 bytes.");
  return ({ data }) => bytes.equals(Buffer.from(data.subarray(offset, offset + bytes.length)));
}

const getProgramAccounts: Method = (context, params) => {
  const program = addressAt(params, 0);
  const options = optionsAt(params, 1);
  checkIndexed(context, program);
  const filters = (options.filters ?? []) as readonly Wire[];
  if (filters.length > MAX_FILTERS) throw invalidParams(`Too many filters provided; max ${MAX_FILTERS}`);
  const tests = filters.map(filterOf);
  const { view, rows } = reader(context, options);
  const matches = rows(view.ownedBy(program).filter((account) => tests.every((test) => test(account))));
  return options.withContext === true ? withContext(view.slot, matches) : matches;
};

/** Returns the token accounts of a mint or a program that a wallet owns, or may spend from. */
const tokenAccountsBy =
  (field: "owner" | "delegate"): Method =>
  (context, params) => {
    const key = addressAt(params, 0);
    const filter = optionsAt(params, 1);
    const options = optionsAt(params, 2);
    const { view, rows } = reader(context, options);
    const [mint, program] = [filter.mint, filter.programId];
    if (mint === undefined && program === undefined) throw invalidParams("Invalid params: expected mint or programId.");
    if (mint !== undefined && mintFields(view.get(checkAddress(mint))) === undefined) {
      throw invalidParams("Invalid param: could not find mint");
    }
    if (program !== undefined && !(TOKEN_PROGRAMS as readonly Wire[]).includes(program)) {
      throw invalidParams("Invalid param: unrecognized Token program id");
    }
    const accounts = (program === undefined ? TOKEN_PROGRAMS : [String(program)]).flatMap((each) => view.ownedBy(each));
    const matches = accounts.filter((account) => {
      const token = tokenAccountFields(account);
      return token?.[field] === key && (mint === undefined || token.mint === mint);
    });
    return withContext(view.slot, rows(matches));
  };

const getTokenSupply: Method = (context, params) => {
  const key = addressAt(params, 0);
  const { view, time } = reader(context, optionsAt(params, 1));
  const account = view.get(key);
  const mint = mintFields(account);
  if (account === undefined) throw invalidParams("Invalid param: could not find account");
  if (mint === undefined) throw invalidParams("Invalid param: not a Token mint");
  return withContext(view.slot, uiTokenAmount(mint.supply, account, time));
};

const getTokenAccountBalance: Method = (context, params) => {
  const key = addressAt(params, 0);
  const { view, time } = reader(context, optionsAt(params, 1));
  const account = view.get(key);
  if (account === undefined) throw invalidParams("Invalid param: could not find account");
  const token = tokenAccountFields(account);
  if (token === undefined) throw invalidParams("Invalid param: not a Token account");
  return withContext(view.slot, uiTokenAmount(token.amount, view.get(token.mint), time));
};

const getTokenLargestAccounts: Method = (context, params) => {
  const key = addressAt(params, 0);
  checkIndexed(context, key);
  const { view, time } = reader(context, optionsAt(params, 1));
  const mint = view.get(key);
  if (mintFields(mint) === undefined) throw invalidParams("Invalid param: not a Token mint");
  const holders = view
    .ownedBy(mint?.owner ?? "")
    .flatMap((account) => {
      const token = tokenAccountFields(account);
      return token?.mint === key ? [{ address: account.address, amount: token.amount }] : [];
    })
    .toSorted((a, b) => (a.amount === b.amount ? (a.address < b.address ? -1 : 1) : a.amount > b.amount ? -1 : 1));
  const rows = holders
    .slice(0, MAX_ROWS)
    .map(({ address, amount }) => ({ address, ...uiTokenAmount(amount, mint, time) }));
  return withContext(view.slot, rows);
};

/** Returns all accounts that the node can enumerate. */
function allAccounts(context: NodeContext, options: WireObject) {
  const view = accountsOf(context, options);
  return { view, accounts: [...context.chain.owners].flatMap((owner) => view.ownedBy(owner)) };
}

const getLargestAccounts: Method = (context, params) => {
  const { view, accounts } = allAccounts(context, optionsAt(params, 0));
  const rows = accounts
    .map(({ address, lamports }) => ({ address, lamports }))
    .toSorted((a, b) => (a.lamports === b.lamports ? 0 : a.lamports > b.lamports ? -1 : 1));
  return withContext(view.slot, rows.slice(0, MAX_ROWS));
};

const getSupply: Method = (context, params) => {
  const { view, accounts } = allAccounts(context, optionsAt(params, 0));
  const total = accounts.reduce((sum, { lamports }) => sum + lamports, 0n);
  return withContext(view.slot, { total, circulating: total, nonCirculating: 0, nonCirculatingAccounts: [] });
};

export const ACCOUNT_METHODS: Readonly<Record<string, Method>> = {
  getAccountInfo,
  getMultipleAccounts,
  getBalance,
  getProgramAccounts,
  getTokenAccountsByOwner: tokenAccountsBy("owner"),
  getTokenAccountsByDelegate: tokenAccountsBy("delegate"),
  getTokenSupply,
  getTokenAccountBalance,
  getTokenLargestAccounts,
  getLargestAccounts,
  getSupply,
};
