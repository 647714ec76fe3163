/** Answers about single accounts: state, names, token accounts and portfolios. */
import { type JsonObject, numericOf, omitUndefined, toWholeUnits } from "../../../base/index.ts";
import { addressTitle, isOnCurve, PROGRAM } from "../../../chain/solana/index.ts";
import type { AnswerContext, NodeAnswer } from "../answer.ts";
import {
  kindOf,
  readAccount,
  readAccounts,
  readTokenAccounts,
  type TokenAccountState,
  tokenAccountOf,
} from "./accounts.ts";
import { type MintState, readMint, readMints, SOL_DECIMALS } from "./mints.ts";
import { exactNumber, pageOf } from "./values.ts";

/** Rent epoch of rent-exempt accounts, and of those that do not exist. */
const RENT_EPOCH = 2n ** 64n - 1n;

/** `/account/detail`; what does not exist is an empty wallet. */
export const detail: NodeAnswer = async (context) => {
  const address = context.params.required("address");
  const account = await readAccount(context, address);
  return {
    data: {
      account: address,
      lamports: exactNumber(account?.lamports ?? 0n),
      type: kindOf(account),
      executable: account?.executable ?? false,
      owner_program: account?.owner ?? PROGRAM.system,
      rent_epoch: exactNumber(account?.rentEpoch ?? RENT_EPOCH),
      is_oncurve: isOnCurve(address),
    },
  };
};

/** Legacy `/account/{account}`. */
export const legacyDetail: NodeAnswer = async (context) => {
  const address = context.params.required("account");
  const account = await readAccount(context, address);
  const mint = account && (tokenAccountOf(account)?.mint ?? (kindOf(account) === "mint" ? address : undefined));
  const token = mint === undefined ? undefined : await readMint(context, mint);
  return {
    data: omitUndefined({
      account: address,
      lamports: exactNumber(account?.lamports ?? 0n),
      ownerProgram: account?.owner ?? PROGRAM.system,
      type: kindOf(account),
      rentEpoch: exactNumber(account?.rentEpoch ?? RENT_EPOCH),
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
const metadataOf = async (context: AnswerContext, addresses: readonly string[]): Promise<readonly JsonObject[]> => {
  const accounts = await readAccounts(context, addresses);
  const holdings = accounts.map((account) => account && tokenAccountOf(account));
  const mints = await readMints(
    context,
    holdings.flatMap((holding) => holding?.mint ?? []),
  );
  return addresses.map((address, at) => {
    const token = mints.get(holdings[at]?.mint ?? "");
    return omitUndefined({
      account_address: address,
      account_label: addressTitle(address),
      token_name: token?.name,
      token_symbol: token?.symbol,
      token_decimals: token?.decimals,
    });
  });
};

export const metadata: NodeAnswer = async (context) => {
  const [data = {}] = await metadataOf(context, [context.params.required("address")]);
  return { data };
};

export const metadataMulti: NodeAnswer = async (context) => ({
  data: await metadataOf(context, [...new Set(context.params.list("address"))]),
});

/** Whether a token is an NFT: one piece without decimals. */
const isNft = ({ decimals, supply }: Pick<MintState, "decimals" | "supply">): boolean =>
  decimals === 0 && supply === 1n;

/** `/account/token-accounts`: open token accounts of a wallet, for tokens or for NFTs. */
export const tokenAccounts: NodeAnswer = async (context) => {
  const { params } = context;
  const owner = params.required("address");
  const hidesEmpty = params.flag("hide_zero");
  const accounts = (await readTokenAccounts(context, owner)).filter(({ amount }) => !hidesEmpty || amount > 0n);
  const isWanted = await selectType(context, accounts, params.text("type"));
  const rows = pageOf(accounts.filter(isWanted), params.integer("page"), params.integer("page_size"));
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
  const whole = accounts.filter(({ decimals }) => decimals === 0).map(({ mint }) => mint);
  const mints = whole.length === 0 ? undefined : await readMints(context, whole);
  const isNftAccount = ({ mint }: TokenAccountState) => {
    const state = mints?.get(mint);
    return state !== undefined && isNft(state);
  };
  return (account) => isNftAccount(account) === (type === "nft");
}

/** `/account/portfolio`: SOL and the balances of fungible tokens over all token accounts, the largest balance first. */
export const portfolio: NodeAnswer = async (context) => {
  const address = context.params.required("address");
  const [account, owned] = await Promise.all([readAccount(context, address), readTokenAccounts(context, address)]);
  const own = account && tokenAccountOf(account);
  const accounts = (own ? [own] : owned).filter(({ amount }) => amount > 0n);
  const mints = await readMints(
    context,
    accounts.map(({ mint }) => mint),
  );
  const tokens = [...Map.groupBy(accounts, ({ mint }) => mint)].flatMap(([mint, holdings]) => {
    const token = mints.get(mint);
    if (token && isNft(token)) return [];
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
    balance: numericOf(balance),
    balance_str: balance,
    token_decimals: decimals,
    token_name: token?.name,
    token_symbol: token?.symbol,
  });
}

/** Legacy `/account/tokens`. */
export const legacyTokens: NodeAnswer = async (context) => {
  const accounts = await readTokenAccounts(context, context.params.required("account"));
  const mints = await readMints(
    context,
    accounts.map(({ mint }) => mint),
  );
  return {
    data: accounts.map(({ address, mint, amount, decimals, lamports, rentEpoch }) => {
      const token = mints.get(mint);
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
