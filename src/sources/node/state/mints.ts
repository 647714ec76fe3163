/** Mints and their metadata on the chain. */
import { NATIVE_SOL, WRAPPED_SOL } from "../../../catalogue/index.ts";
import { type ChainAccount, type Mint, metadataAddress, readMintAccount } from "../../../chain/solana/index.ts";
import { type ReadContext, readAccounts } from "./accounts.ts";

/** A mint with its names. */
export interface MintState extends Omit<Mint, "metadata" | "standard"> {
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  readonly uri: string | undefined;
}

/** Decimals of SOL. */
export const SOL_DECIMALS = 9;

/** The names of SOL: native SOL is no token, and the wrapped token has no metadata on the chain. */
const NAMES: Readonly<Record<string, Pick<MintState, "name" | "symbol">>> = {
  [NATIVE_SOL]: { name: "SOL", symbol: "SOL" },
  [WRAPPED_SOL]: { name: "Wrapped SOL", symbol: "WSOL" },
};

/** Reads mints with their metadata; those that are no mints are missing in the result. */
export async function readMints(
  context: ReadContext,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, MintState>> {
  const mints = [...new Set(addresses)];
  // Mint and metadata are neighbours, so that one call reads both.
  const accounts = await readAccounts(
    context,
    (await Promise.all(mints.map(async (mint) => [mint, await metadataAddress(mint)]))).flat(),
  );
  return new Map(
    mints.flatMap((mint, at) => {
      const state = mintOf(accounts[at * 2], accounts[at * 2 + 1]);
      return state ? [[mint, state] as const] : [];
    }),
  );
}

/** Reads a mint; undefined when the address is no mint. */
export async function readMint(context: ReadContext, address: string): Promise<MintState | undefined> {
  return (await readMints(context, [address])).get(address);
}

function mintOf(account: ChainAccount | undefined, metadata: ChainAccount | undefined): MintState | undefined {
  const mint = readMintAccount(account, metadata);
  return (
    mint && {
      ...mint,
      ...(mint.metadata ?? { name: undefined, symbol: undefined, uri: undefined, ...NAMES[mint.address] }),
    }
  );
}
