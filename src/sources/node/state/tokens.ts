/** Answers about tokens: metadata, holders, and the NFTs of a collection. */
import { compareDecimals, type JsonObject, omitUndefined, parseDecimal, UsageError } from "../../../base/index.ts";
import { emptyData, isAddress, NATIVE_SOL, WRAPPED_SOL } from "../../../catalogue/index.ts";
import {
  addressAt,
  type ChainAccount,
  decodeBase58,
  decodeCoreAsset,
  decodeMetadata,
  encodeBase58,
  isCallDenied,
  Member,
  PROGRAM,
} from "../../../chain/solana/index.ts";
import {
  type AnswerContext,
  exactNumber,
  type NodeAnswer,
  type NodeAnswersByRoute,
  pageRange,
  slicePage,
} from "../answer.ts";
import {
  callFor,
  type MintState,
  readAccounts,
  readMint,
  readMints,
  readProgramAccounts,
  SOL_DECIMALS,
  tokenAccountOf,
} from "../calls/accounts.ts";

/** Reads a token: a mint, or SOL itself. */
async function readToken(context: AnswerContext, address: string): Promise<MintState | undefined> {
  if (address !== NATIVE_SOL) return await readMint(context, address);
  const options = { commitment: context.node.commitment, excludeNonCirculatingAccountsList: true };
  const supply = await callFor(context, "getSupply", [options]);
  return {
    address,
    program: "",
    supply: supply.at("value").at("total").lamports(),
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
const meta: NodeAnswer = async (context) => {
  const token = await readToken(context, context.params.required("address"));
  return { data: token ? metaJson(token) : {} };
};

/** `/token/meta/multi`: tokens in the order of the request; addresses that are no mints are omitted. */
const metaMulti: NodeAnswer = async (context) => {
  const addresses = [...new Set(context.params.list("address"))];
  const mints = await readMints(context, addresses);
  return { data: addresses.flatMap((address) => mints.get(address) ?? []).map(metaJson) };
};

/** Legacy `/token/meta`. */
const legacyMeta: NodeAnswer = async (context) => {
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
  /** Why some may be missing, as a sentence. */
  readonly doubt?: string | undefined;
}

/** Accounts that `getTokenLargestAccounts` returns. */
const LARGEST = 20;

/** Offsets in the data of a token account, which begins with its mint, and its size without extensions. */
const OWNER_OFFSET = 32;
const AMOUNT_OFFSET = 64;
const SLICE_SIZE = AMOUNT_OFFSET + 8;
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
    return await readLargestHolders(context, token);
  } catch (error) {
    if (!isCallDenied(error)) throw error;
    return await all();
  }
}

async function readLargestHolders(context: AnswerContext, token: MintState): Promise<HolderList> {
  const options = { commitment: context.node.commitment };
  const result = await callFor(context, "getTokenLargestAccounts", [token.address, options]);
  const rows = result.at("value").list();
  const addresses = [...new Set(rows.map((row) => row.at("address").address()))];
  const accounts = await readAccounts(context, addresses);
  const holdings = accounts.flatMap((account, at) => {
    const holding = account && tokenAccountOf(account);
    // An account can be closed between the two calls.
    if (!holding) return [];
    if (holding.mint !== token.address)
      throw new Member(holding.mint, "mint").malformed(`the requested ${token.address}`);
    return [{ address: addresses[at] ?? "", owner: holding.owner, amount: holding.amount }];
  });
  return checkHolders(context, token, holdings, rows.length < LARGEST);
}

async function readAllHolders(context: AnswerContext, token: MintState): Promise<HolderList> {
  const { address, program } = token;
  const ofMint = { memcmp: { offset: 0, bytes: address } };
  // Token-2022 accounts differ in size; nothing else of that program begins with the mint.
  const isAccount = program === PROGRAM.token2022 ? [] : [{ dataSize: BASIC_SIZE }];
  const options = {
    commitment: context.node.commitment,
    encoding: "base64",
    filters: [ofMint, ...isAccount],
    // The mint shows that the node regards the filters.
    dataSlice: { offset: 0, length: SLICE_SIZE },
  };
  const rows = (await callFor(context, "getProgramAccounts", [program, options])).list();
  const holdings = rows.map((row) => {
    const account = row.at("account");
    const data = account.at("data");
    const bytes = Buffer.from((data.list()[0] ?? data).base64());
    const isHolder = bytes.length >= SLICE_SIZE && addressAt(bytes, 0) === address;
    if (!isHolder || account.at("owner").text() !== program) throw row.malformed(`a token account of ${address}`);
    return {
      address: row.at("pubkey").address(),
      owner: addressAt(bytes, OWNER_OFFSET),
      amount: bytes.readBigUInt64LE(AMOUNT_OFFSET),
    };
  });
  const unique = [...new Map(holdings.map((holding) => [holding.address, holding])).values()];
  return checkHolders(context, token, unique, true);
}

/** Mints of wrapped SOL: their supply is always zero. */
const NATIVE_MINTS: ReadonlySet<string> = new Set([WRAPPED_SOL, "9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXej9"]);
/** Extensions of mints whose accounts hold more than their balances say. */
const HIDES_AMOUNTS = /^transferFeeConfig$|^confidential/;

/**
 * Returns holders, the largest first, and whether some may be missing: the balances of all add up to the supply, those of
 * some to no more. The supply before and after the list bound what it was meanwhile.
 */
async function checkHolders(
  context: AnswerContext,
  { address, supply, extensions = [] }: MintState,
  all: readonly Holding[],
  isComplete: boolean,
): Promise<HolderList> {
  const holdings = all
    .filter(({ amount }) => amount > 0n)
    .sort((a, b) => (a.amount === b.amount ? (a.address < b.address ? -1 : 1) : a.amount < b.amount ? 1 : -1));
  const sum = holdings.reduce((total, { amount }) => total + amount, 0n);
  const mayBeLess = !isComplete || extensions.some(({ extension }) => HIDES_AMOUNTS.test(String(extension)));
  const isSupply = (low: bigint, high: bigint) => sum <= high && (sum >= low || mayBeLess);
  if (NATIVE_MINTS.has(address) || isSupply(supply, supply)) return { holdings, isComplete };
  const now = (await readMint(context, address))?.supply ?? 0n;
  const [low, high] = now < supply ? [now, supply] : [supply, now];
  if (isSupply(low, high)) return { holdings, isComplete };
  const doubt = `The balances of the holders add up to ${sum}, the supply is ${now}: holders may be missing or wrong.`;
  return { holdings, isComplete: false, doubt };
}

/** Returns whether an amount is in a range of decimal texts, both ends included. */
function isInRange(amount: bigint, from: string | undefined, to: string | undefined): boolean {
  const decimal = { negative: false, digits: amount, scale: 0 };
  const [low, high] = [from, to].map((text) => (text === undefined ? undefined : parseDecimal(text)));
  return !(low && compareDecimals(decimal, low) < 0) && !(high && compareDecimals(decimal, high) > 0);
}

/** Returns the answer with a page of holders, by the names of the parameters and of the list. */
const holderAnswer =
  (
    names: Readonly<Record<"mint" | "from" | "to" | "rows", string>>,
    more: (amount: bigint, token: MintState) => JsonObject,
  ): NodeAnswer =>
  async (context) => {
    const { params, endpoint } = context;
    const token = await readMint(context, params.required(names.mint));
    if (!token) return { data: emptyData(endpoint.returns) };
    const [from, to] = [params.text(names.from), params.text(names.to)];
    const { start, size } = pageRange(context);
    const count = from === undefined && to === undefined ? start + size : Number.POSITIVE_INFINITY;
    const { holdings, isComplete, doubt } = await readHolders(context, token, count);
    if (doubt !== undefined) context.report?.({ type: "coverage", text: doubt });
    const matching = holdings.filter(({ amount }) => isInRange(amount, from, to));
    const rows = matching.slice(start, start + size).map(({ address, owner, amount }, at) => {
      // Ranks count within the range of amounts.
      const row = { address, amount: exactNumber(amount), decimals: token.decimals, owner, rank: start + at + 1 };
      return { ...row, ...more(amount, token) };
    });
    // The total is not known when only the largest are.
    return { data: omitUndefined({ total: isComplete ? matching.length : undefined, [names.rows]: rows }) };
  };

/** `/token/holders`. */
const holders = holderAnswer(
  { mint: "address", from: "from_amount", to: "to_amount", rows: "items" },
  (amount, { supply }) => ({
    amount_str: String(amount),
    percentage: supply === 0n ? 0 : (Number(amount) / Number(supply)) * 100,
  }),
);

/** Legacy `/token/holders`. */
const legacyHolders = holderAnswer(
  { mint: "tokenAddress", from: "fromAmount", to: "toAmount", rows: "data" },
  () => ({}),
);

/** Where metadata names the collection: after the creators, of which there are at most five. */
const COLLECTION_OFFSETS = [330, 368, 402, 436, 470, 504];
/** Where an asset of Metaplex Core has its type and its update authority, and their values in a collection. */
const CORE_ASSET = "2";
const CORE_AUTHORITY_OFFSET = 33;
const CORE_COLLECTION = 2;

/** `/nft/collection/items`, by address. */
const collectionItems: NodeAnswer = async (context) => {
  const { params, session } = context;
  const collection = params.required("collection");
  if (!isAddress(collection)) {
    const problem = "A Solana node knows collections by their address only, not by the identifier of the service.";
    throw new UsageError(problem, { code: "COLLECTION_IDENTIFIER", hint: "Give the mint of the collection." });
  }
  const items = await session.once(`collection ${collection}`, () => readItems(context, collection));
  return { data: slicePage(items, context).map((info) => ({ info })) };
};

/** Reads all NFTs of a collection, sorted by name. */
async function readItems(context: AnswerContext, collection: string): Promise<readonly JsonObject[]> {
  const accountsWith = (program: string, ...filters: readonly JsonObject[]) =>
    readProgramAccounts(context, program, "base64", filters);
  const memcmp = (offset: number, bytes: string) => ({ memcmp: { offset, bytes } });
  const authority = encodeBase58(Uint8Array.of(CORE_COLLECTION, ...decodeBase58(collection)));
  const [assets, ...lists] = await Promise.all([
    accountsWith(PROGRAM.mplCore, memcmp(0, CORE_ASSET), memcmp(CORE_AUTHORITY_OFFSET, authority)),
    ...COLLECTION_OFFSETS.map((offset) => accountsWith(PROGRAM.tokenMetadata, memcmp(offset, collection))),
  ]);
  const all = [...assets.flatMap(coreItem), ...lists.flat().flatMap((account) => metadataItem(account, collection))];
  const items = [...new Map(all.map((item) => [item.address, item])).values()];
  return items.sort((a, b) => NAME_ORDER.compare(String(a.token_name), String(b.token_name)));
}

/** Sorts `#2` before `#10`. */
const NAME_ORDER = new Intl.Collator("en", { numeric: true });

function coreItem({ address, data }: ChainAccount): readonly JsonObject[] {
  const asset = data && decodeCoreAsset(data);
  return asset ? [omitUndefined({ address, token_name: asset.name, data: { name: asset.name, uri: asset.uri } })] : [];
}

function metadataItem({ data }: ChainAccount, collection: string): readonly JsonObject[] {
  const metadata = data && decodeMetadata(data);
  // The bytes at the offset can be something else that equals the address.
  if (metadata?.collection?.address !== collection || !metadata.collection.verified) return [];
  const { mint, name, symbol, uri, sellerFeeBasisPoints, creators } = metadata;
  return [
    {
      address: mint,
      token_name: name,
      token_symbol: symbol,
      data: {
        name,
        symbol,
        uri,
        sellerFeeBasisPoints,
        creators: creators.map((creator) => ({ ...creator, verified: creator.verified ? 1 : 0 })),
      },
    },
  ];
}

/** Answers about tokens. */
export const tokenAnswers: NodeAnswersByRoute = {
  "v2-token-meta": meta,
  "v2-token-meta-multi": metaMulti,
  "v2-token-holders": holders,
  "v2-nft-collection-items": collectionItems,
  "token-meta": legacyMeta,
  "token-holders": legacyHolders,
};
