/** Issuers of tokens with a transfer fee, an extension of Token-2022; they send the transfers of their users. */
import type { Actor, WorldContext } from "../context.ts";
import { arweaveUri } from "../data/uris.ts";
import type { Account, Token, TokenSpec } from "../economy/accounts.ts";
import { createMint } from "../economy/mints.ts";
import { lamports } from "./wallets.ts";

const TOKENS = [
  { name: "Harborline Credits", symbol: "HLC", decimals: 6, basisPoints: 150 },
  { name: "Meridian Loyalty", symbol: "MLOY", decimals: 2, basisPoints: 300 },
] as const;

const MAX_SUPPLY = 1_000_000_000;

/** Returns the state of the extension in a mint. */
function feeExtension(
  authority: string,
  epoch: number,
  transferFeeBasisPoints: number,
): NonNullable<TokenSpec["extensions"]>[number] {
  const fee = { epoch, maximumFee: 18446744073709551615n.toString(), transferFeeBasisPoints };
  const state = {
    transferFeeConfigAuthority: authority,
    withdrawWithheldAuthority: authority,
    withheldAmount: 0,
    olderTransferFee: fee,
    newerTransferFee: fee,
  };
  return { extension: "transferFeeConfig", state };
}

/** Returns the issuers: they distribute their tokens and send transfers between users. */
export function createFeeTokenIssuers({ economy, wallets, random: root }: WorldContext): Actor[] {
  const random = root.fork("fee tokens");
  const issued: { readonly issuer: Account; readonly token: Token; readonly users: Account[] }[] = [];
  const issue = ({ name, symbol, decimals, basisPoints }: (typeof TOKENS)[number]): void => {
    const issuer = economy.wallet();
    wallets.fund(issuer, lamports(80));
    const icon = arweaveUri(random);
    const spec = {
      kind: "fungible",
      name,
      symbol,
      decimals,
      icon,
      metadataUri: arweaveUri(random),
      metadata: { name, symbol, image: icon },
      extensions: [feeExtension(issuer.address, economy.epoch, basisPoints)],
      reputation: 70,
    } as const;
    const tx = economy.begin(issuer, { priority: 5000 });
    const token = createMint(economy, tx, { spec, creator: issuer, program: economy.programs.token2022 });
    tx.mint(token, issuer, token.toBaseUnits(MAX_SUPPLY));
    if (tx.commit()) issued.push({ issuer, token, users: [] });
  };
  return [
    {
      weight: 10,
      open() {
        for (const each of TOKENS) issue(each);
      },
      act() {
        if (issued.length === 0) return;
        const { issuer, token, users } = random.pick(issued);
        const from = users.length > 3 && random.chance(0.7) ? random.pick(users) : issuer;
        const to = wallets.pickOtherUser(from);
        const balance = from.balance(token);
        const part = from === issuer ? random.integer(1, 40) : random.integer(1000, 9000);
        const amount = (balance * BigInt(part)) / 10_000n;
        if (amount === 0n) return;
        const tx = economy.begin(wallets.ensureFunds(issuer, lamports(1)), { priority: 2000, lookup: true });
        // The fee is rounded up.
        tx.transferWithFee(from, to, token, amount, (amount * token.transferFeeBps + 9999n) / 10_000n);
        if (tx.commit() && !users.includes(to)) users.push(to);
      },
    },
  ];
}
