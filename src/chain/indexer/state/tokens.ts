/** Reads what accounts say about tokens: mints, and metadata of Metaplex or of the mint itself. */
import type { TokenFact } from "../../ledger/index.ts";
import { type ChainAccount, metadataAddress, type NodeConnection, readMintAccount } from "../../solana/index.ts";
import { newToken } from "../facts/tokens.ts";
import { readAccounts, type StateOptions } from "./accounts.ts";

/** A token with its supply in base units. */
export interface TokenState {
  readonly token: TokenFact;
  readonly supply: bigint;
}

/** Returns the tokens of mints and the slot of their state; addresses that are no mints are missing. */
export async function readTokens(
  node: NodeConnection,
  mints: readonly string[],
  options: StateOptions = {},
): Promise<{ readonly slot: number; readonly tokens: readonly TokenState[] }> {
  const metadata = new Map(await Promise.all(mints.map(async (mint) => [mint, await metadataAddress(mint)] as const)));
  const { slot, accounts } = await readAccounts(node, [...metadata].flat(), options);
  const byAddress = new Map(accounts.map((account) => [account.address, account]));
  const tokens = mints.flatMap((mint) => {
    return tokenState(byAddress.get(mint), byAddress.get(metadata.get(mint) ?? "")) ?? [];
  });
  return { slot, tokens };
}

/** Standards of tokens that are unique. */
const UNIQUE = /NonFungible/;

function tokenState(account: ChainAccount | undefined, metadata: ChainAccount | undefined): TokenState | undefined {
  const mint = readMintAccount(account, metadata);
  if (!mint) return undefined;
  const { name, symbol, uri } = mint.metadata ?? {};
  return {
    supply: mint.supply,
    token: {
      ...newToken(mint.address),
      kind: UNIQUE.test(mint.standard ?? "") ? "nft" : "fungible",
      ...(name !== undefined && { name }),
      ...(symbol !== undefined && { symbol }),
      ...(uri !== undefined && { metadataUri: uri }),
      decimals: mint.decimals,
      program: mint.program,
      mintAuthority: mint.mintAuthority,
      freezeAuthority: mint.freezeAuthority,
      ...(mint.metadata && { metadata: { name, symbol, uri } }),
      ...(mint.extensions && mint.extensions.length > 0 && { extensions: mint.extensions }),
    },
  };
}
