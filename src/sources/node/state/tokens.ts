/** Answers about tokens: metadata and holders. */
import { compareDecimals, type JsonObject, omitUndefined, parseDecimal } from "../../../base/index.ts";
import { emptyData, NATIVE_SOL } from "../../../catalogue/index.ts";
import {
  addressAt,
  amountOf,
  isMethodRefused,
  listOf,
  objectOf,
  PROGRAM,
  textOf,
} from "../../../chain/solana/index.ts";
import type { AnswerContext, NodeAnswer } from "../answer.ts";
import { readAccounts, tokenAccountOf } from "./accounts.ts";
import { type MintState, readMint, readMints, SOL_DECIMALS } from "./mints.ts";
import { exactNumber } from "./values.ts";

/** Reads a token: a mint, or SOL itself. */
async function readToken(context: AnswerContext, address: string): Promise<MintState | undefined> {
  if (address !== NATIVE_SOL) return await readMint(context, address);
  const { node, sending } = context;
  const options = { commitment: node.commitment, excludeNonCirculatingAccountsList: true };
  const result = objectOf(await node.call("getSupply", [options], sending), "result");
  return {
    address,
    program: "",
    supply: amountOf(objectOf(result.value, "result.value").total, "total"),
    decimals: SOL_DECIMALS,
    mintAuthority: null,
    freezeAuthority: null,
    extensions: undefined,
    name: "SOL",
    symbol: "SOL",
    uri: undefined,
  };
}

const metaJson = (token: MintState): JsonObject =>
  omitUndefined({
    address: token.address,
    name: token.name,
    symbol: token.symbol,
    decimals: token.decimals,
    supply: String(token.supply),
    metadata_uri: token.uri ?? "",
    mint_authority: token.mintAuthority,
    freeze_authority: token.freezeAuthority,
    extensions: token.extensions,
    onchain_extensions: token.extensions,
  });

/** `/token/meta`. */
export const meta: NodeAnswer = async (context) => {
  const token = await readToken(context, context.params.required("address"));
  return { data: token ? metaJson(token) : {} };
};

/** `/token/meta/multi`: tokens in the order of the request; addresses that are no mints are omitted. */
export const metaMulti: NodeAnswer = async (context) => {
  const addresses = [...new Set(context.params.list("address"))];
  const mints = await readMints(context, addresses);
  return { data: addresses.flatMap((address) => mints.get(address) ?? []).map(metaJson) };
};

/** Legacy `/token/meta`. */
export const legacyMeta: NodeAnswer = async (context) => {
  const token = await readToken(context, context.params.required("tokenAddress"));
  if (!token) return { data: {} };
  return {
    data: omitUndefined({
      symbol: token.symbol,
      address: token.address,
      name: token.name,
      decimals: token.decimals,
      tokenAuthority: token.mintAuthority,
      supply: String(token.supply),
      type: "token_address",
    }),
  };
};

/** A token account with a balance. */
interface Holding {
  readonly address: string;
  readonly owner: string;
  readonly amount: bigint;
}

/** Holders, the largest first. */
interface HolderList {
  readonly holdings: readonly Holding[];
  /** Whether these are all; else the largest ones. */
  readonly isComplete: boolean;
}

/** Accounts that `getTokenLargestAccounts` returns. */
const LARGEST = 20;

/** Offsets in the data of a token account, and its size without extensions. */
const OWNER_OFFSET = 32;
const AMOUNT_OFFSET = 64;
const BASIC_SIZE = 165;

/**
 * Reads the holders of a token: the largest 20 where these suffice, else all accounts of the token program with this
 * mint, which large tokens and public nodes do not allow.
 */
async function readHolders(context: AnswerContext, token: MintState, count: number): Promise<HolderList> {
  const { session } = context;
  const all = () => session.once(`holders ${token.address}`, () => readAllHolders(context, token));
  if (count > LARGEST) return await all();
  try {
    const largest = await readLargestHolders(context, token);
    return { holdings: largest, isComplete: largest.length < LARGEST };
  } catch (error) {
    if (!isMethodRefused(error)) throw error;
    return await all();
  }
}

async function readLargestHolders(context: AnswerContext, { address }: MintState): Promise<readonly Holding[]> {
  const { node, sending } = context;
  const options = { commitment: node.commitment };
  const result = objectOf(await node.call("getTokenLargestAccounts", [address, options], sending), "result");
  const rows = listOf(result.value, "result.value")
    .map((row) => objectOf(row, "a row of the result"))
    .map((row) => ({ address: textOf(row.address, "address"), amount: amountOf(row.amount, "amount") }))
    .filter(({ amount }) => amount > 0n);
  const accounts = await readAccounts(
    context,
    rows.map((row) => row.address),
  );
  return rows.flatMap((row, at) => {
    const account = accounts[at];
    const owner = account && tokenAccountOf(account)?.owner;
    // An account can be closed between the two calls.
    return owner === undefined ? [] : [{ ...row, owner }];
  });
}

async function readAllHolders(context: AnswerContext, { address, program }: MintState): Promise<HolderList> {
  const { node, sending } = context;
  const ofMint = { memcmp: { offset: 0, bytes: address } };
  // Token-2022 accounts differ in size; nothing else of that program begins with the mint.
  const isAccount = program === PROGRAM.token2022 ? [] : [{ dataSize: BASIC_SIZE }];
  const options = {
    commitment: node.commitment,
    encoding: "base64",
    filters: [ofMint, ...isAccount],
    dataSlice: { offset: OWNER_OFFSET, length: AMOUNT_OFFSET + 8 - OWNER_OFFSET },
  };
  const holdings = listOf(await node.call("getProgramAccounts", [program, options], sending), "result")
    .map((row) => objectOf(row, "a row of the result"))
    .map(({ pubkey, account }) => {
      const [text] = listOf(objectOf(account, "account").data, "account.data");
      const bytes = Buffer.from(textOf(text, "account.data"), "base64");
      return {
        address: textOf(pubkey, "pubkey"),
        owner: addressAt(bytes, 0),
        amount: bytes.readBigUInt64LE(AMOUNT_OFFSET - OWNER_OFFSET),
      };
    })
    .filter(({ amount }) => amount > 0n)
    .sort((a, b) => (a.amount === b.amount ? (a.address < b.address ? -1 : 1) : a.amount < b.amount ? 1 : -1));
  return { holdings, isComplete: true };
}

/** Returns whether an amount is in a range of decimal texts, both ends included. */
function isInRange(amount: bigint, from: string | undefined, to: string | undefined): boolean {
  const decimal = { negative: false, digits: amount, scale: 0 };
  const [low, high] = [from, to].map((text) => (text === undefined ? undefined : parseDecimal(text)));
  return !(low && compareDecimals(decimal, low) < 0) && !(high && compareDecimals(decimal, high) > 0);
}

/** The requested part of the holders of a token. */
interface HolderPage {
  readonly rows: readonly (Holding & { readonly rank: number })[];
  /** Undefined when only the largest are known. */
  readonly total: number | undefined;
}

/** Returns holders with an amount in a range; ranks count within the range. */
async function holderPage(
  context: AnswerContext,
  token: MintState,
  [from, to]: readonly (string | undefined)[],
  [offset, limit]: readonly [number, number],
): Promise<HolderPage> {
  const isFiltered = from !== undefined || to !== undefined;
  const { holdings, isComplete } = await readHolders(
    context,
    token,
    isFiltered ? Number.POSITIVE_INFINITY : offset + limit,
  );
  const matching = holdings.filter(({ amount }) => isInRange(amount, from, to));
  const rows = matching.slice(offset, offset + limit).map((holding, at) => ({ ...holding, rank: offset + at + 1 }));
  return { rows, total: isComplete ? matching.length : undefined };
}

/** `/token/holders`. */
export const holders: NodeAnswer = async (context) => {
  const { params, endpoint } = context;
  const token = await readMint(context, params.required("address"));
  if (!token) return { data: emptyData(endpoint.returns) };
  const size = params.integer("page_size") ?? 10;
  const offset = ((params.integer("page") ?? 1) - 1) * size;
  const range = [params.text("from_amount"), params.text("to_amount")];
  const { rows, total } = await holderPage(context, token, range, [offset, size]);
  const items = rows.map(({ address, owner, amount, rank }) => ({
    address,
    amount: exactNumber(amount),
    amount_str: String(amount),
    decimals: token.decimals,
    owner,
    rank,
    percentage: token.supply === 0n ? 0 : (Number(amount) / Number(token.supply)) * 100,
  }));
  return { data: omitUndefined({ total, items }) };
};

/** Legacy `/token/holders`. */
export const legacyHolders: NodeAnswer = async (context) => {
  const { params, endpoint } = context;
  const token = await readMint(context, params.required("tokenAddress"));
  if (!token) return { data: emptyData(endpoint.returns) };
  const range = [params.text("fromAmount"), params.text("toAmount")];
  const slice = [params.integer("offset") ?? 0, params.integer("limit") ?? 10] as const;
  const { rows, total } = await holderPage(context, token, range, slice);
  const data = rows.map(({ address, owner, amount, rank }) => ({
    address,
    amount: exactNumber(amount),
    decimals: token.decimals,
    owner,
    rank,
  }));
  return { data: omitUndefined({ total, data }) };
};
