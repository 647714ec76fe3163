/** Answers about single accounts: state, names, token accounts, portfolios and decoded data. */
import { type JsonObject, omitUndefined, toNumeric, toWholeUnits } from "../../../base/index.ts";
import { addressTitle, type ChainAccount, describeAccount, isOnCurve, loadIdl } from "../../../chain/solana/index.ts";
import {
  type AnswerContext,
  exactNumber,
  loadOptional,
  type NodeAnswer,
  type NodeAnswersByRoute,
  slicePage,
} from "../answer.ts";
import {
  kindOf,
  type MintState,
  readAccount,
  readAccounts,
  readMint,
  readMints,
  readRawAccount,
  readTokenAccounts,
  SOL_DECIMALS,
  type TokenAccountState,
  tokenAccountOf,
} from "../calls/accounts.ts";

/** `/account/detail`; what does not exist has no owner. */
const detail: NodeAnswer = async (context) => {
  const address = context.params.required("address");
  const account = await readAccount(context, address);
  return {
    data: omitUndefined({
      account: address,
      lamports: exactNumber(account?.lamports ?? 0n),
      type: kindOf(account),
      executable: account?.executable ?? false,
      owner_program: account?.owner,
      rent_epoch: account && exactNumber(account.rentEpoch),
      is_oncurve: isOnCurve(address),
    }),
  };
};

/** Legacy `/account/{account}`. */
const legacyDetail: NodeAnswer = async (context) => {
  const address = context.params.required("account");
  const account = await readAccount(context, address);
  const mint = account && (tokenAccountOf(account)?.mint ?? (kindOf(account) === "mint" ? address : undefined));
  const token = mint === undefined ? undefined : await readMint(context, mint);
  return {
    data: omitUndefined({
      account: address,
      lamports: exactNumber(account?.lamports ?? 0n),
      ownerProgram: account?.owner,
      type: kindOf(account),
      rentEpoch: account && exactNumber(account.rentEpoch),
      executable: account?.executable ?? false,
      tokenInfo: token && legacyTokenInfo(token),
    }),
  };
};

const legacyTokenInfo = (token: MintState): JsonObject =>
  omitUndefined({
    name: token.name,
    symbol: token.symbol,
    decimals: token.decimals,
    tokenAuthority: token.mintAuthority,
    supply: String(token.supply),
    type: isNft(token) ? "nft" : "token_address",
  });

/** `/account/metadata` and `/account/metadata/multi`. */
const metadata: NodeAnswer = async (context) => {
  const addresses = [...new Set(context.params.list("address"))];
  const accounts = await readAccounts(context, addresses);
  const holdings = accounts.map((account) => account && tokenAccountOf(account));
  const mints = await readMintsOf(context, holdings);
  const rows = addresses.map((address, at) => {
    const token = mints.get(holdings[at]?.mint ?? "");
    return omitUndefined({
      account_address: address,
      account_label: addressTitle(address),
      token_name: token?.name,
      token_symbol: token?.symbol,
      token_decimals: token?.decimals,
    });
  });
  return { data: context.endpoint.isMulti ? rows : (rows[0] ?? {}) };
};

const readMintsOf = (context: AnswerContext, holdings: readonly (TokenAccountState | undefined)[]) =>
  readMints(
    context,
    holdings.flatMap((holding) => holding?.mint ?? []),
  );

/** Whether a token is an NFT: one piece without decimals. */
const isNft = (token: MintState | undefined): boolean => token?.decimals === 0 && token.supply === 1n;

/** `/account/token-accounts`: open token accounts of a wallet, for tokens or for NFTs. */
const tokenAccounts: NodeAnswer = async (context) => {
  const { params } = context;
  const owner = params.required("address");
  const hidesEmpty = params.flag("hide_zero");
  const accounts = (await readTokenAccounts(context, owner)).filter(({ amount }) => !hidesEmpty || amount > 0n);
  const isWanted = await selectType(context, accounts, params.text("type"));
  const rows = slicePage(accounts.filter(isWanted), context);
  return {
    data: rows.map((account) => ({
      token_account: account.address,
      token_address: account.mint,
      amount: exactNumber(account.amount),
      amount_str: String(account.amount),
      token_decimals: account.decimals,
      owner,
    })),
  };
};

/** Returns a filter for tokens or NFTs. Only tokens without decimals can be NFTs, so only their mints are read. */
async function selectType(
  context: AnswerContext,
  accounts: readonly TokenAccountState[],
  type: string | undefined,
): Promise<(account: TokenAccountState) => boolean> {
  const whole = accounts.filter(({ decimals }) => decimals === 0);
  const mints = whole.length === 0 ? undefined : await readMintsOf(context, whole);
  return ({ mint }) => isNft(mints?.get(mint)) === (type === "nft");
}

/** `/account/portfolio`: SOL and the balances of fungible tokens over all token accounts, the largest balance first. */
const portfolio: NodeAnswer = async (context) => {
  const address = context.params.required("address");
  const [account, owned] = await Promise.all([readAccount(context, address), readTokenAccounts(context, address)]);
  const own = account && tokenAccountOf(account);
  const accounts = (own ? [own] : owned).filter(({ amount }) => amount > 0n);
  const mints = await readMintsOf(context, accounts);
  const tokens = [...Map.groupBy(accounts, ({ mint }) => mint)].flatMap(([mint, holdings]) => {
    const token = mints.get(mint);
    if (isNft(token)) return [];
    const amount = holdings.reduce((sum, holding) => sum + holding.amount, 0n);
    const decimals = holdings[0]?.decimals ?? 0;
    return [
      {
        size: Number(toWholeUnits(amount, decimals)),
        json: { token_address: mint, ...holdingJson(amount, decimals, token) },
      },
    ];
  });
  const native = { name: "SOL", symbol: "SOL" };
  return {
    data: {
      native_balance: holdingJson(account?.lamports ?? 0n, SOL_DECIMALS, native),
      tokens: tokens.sort((a, b) => b.size - a.size).map(({ json }) => json),
    },
  };
};

function holdingJson(
  amount: bigint,
  decimals: number,
  token: Partial<Pick<MintState, "name" | "symbol">> | undefined,
): JsonObject {
  const balance = toWholeUnits(amount, decimals);
  return omitUndefined({
    amount: exactNumber(amount),
    amount_str: String(amount),
    balance: toNumeric(balance),
    balance_str: balance,
    token_decimals: decimals,
    token_name: token?.name,
    token_symbol: token?.symbol,
  });
}

/** Legacy `/account/tokens`. */
const legacyTokens: NodeAnswer = async (context) => {
  const accounts = await readTokenAccounts(context, context.params.required("account"));
  const mints = await loadOptional(context, "names of tokens", () => readMintsOf(context, accounts));
  return {
    data: accounts.map(({ address, mint, amount, decimals, lamports, rentEpoch }) => {
      const token = mints?.get(mint);
      const whole = toWholeUnits(amount, decimals);
      return omitUndefined({
        tokenAddress: mint,
        tokenAmount: { amount: String(amount), decimals, uiAmount: Number(whole), uiAmountString: whole },
        tokenAccount: address,
        tokenName: token?.name,
        tokenSymbol: token?.symbol,
        rentEpoch: exactNumber(rentEpoch),
        lamports: exactNumber(lamports),
      });
    }),
  };
};

/** `/account/data-decoded`; without a known layout, only the bytes. */
const dataDecoded: NodeAnswer = async (context) => {
  const account = context.params.required("address");
  const state = await readRawAccount(context, account);
  const data = state?.data ?? new Uint8Array();
  const decoded = state && data.length > 0 ? await decode(context, state, data) : undefined;
  return {
    data: {
      account,
      ...(decoded && { data_decoded: decoded }),
      data_base64: Buffer.from(data.buffer, data.byteOffset, data.length).toString("base64"),
    },
  };
};

async function decode(
  context: AnswerContext,
  account: ChainAccount,
  data: Uint8Array,
): Promise<JsonObject | undefined> {
  const known = describeAccount(account.address, account.owner, data);
  if (known) return { ...known, idl_source: "inner_parser", idl_standard: "shank" };
  const { decodeAccountByIdl, fetchIdl, toDataDecoded } = await loadIdl();
  const lookup = await loadOptional(context, "decoded data", () => fetchIdl(context.node, account.owner));
  const decoded = lookup?.kind === "found" ? decodeAccountByIdl(lookup.idl, data) : undefined;
  return decoded && toDataDecoded(decoded);
}

/** Answers about accounts. */
export const accountAnswers: NodeAnswersByRoute = {
  "v2-account-detail": detail,
  "v2-account-data-decoded": dataDecoded,
  "v2-account-metadata": metadata,
  "v2-account-metadata-multi": metadata,
  "v2-account-portfolio": portfolio,
  "v2-account-token-accounts": tokenAccounts,
  "account-detail": legacyDetail,
  "account-tokens": legacyTokens,
};
