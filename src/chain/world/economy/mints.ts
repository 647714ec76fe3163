/** Creation of tokens. */
import { type Account, Token, type TokenSpec } from "./accounts.ts";
import type { Economy } from "./economy.ts";
import { TOP_LEVEL } from "./instructions.ts";
import type { Transaction } from "./transaction.ts";

/** Lamports that a mint holds for its rent. */
export const MINT_RENT = 1_461_600n;

/** Options of {@link createMint}. */
export interface MintOptions {
  readonly spec: TokenSpec;
  readonly creator: Account;
  /** The mint authority; the creator by default. */
  readonly authority?: Account;
  /** The token program; SPL Token by default. */
  readonly program?: Account;
  readonly address?: string;
  /** Base58 digits at the end of the address. */
  readonly suffix?: string;
  /** Index of the calling instruction. */
  readonly parent?: number;
}

/** Creates a token; the payer pays the rent. Mint with {@link Transaction.mint} afterwards. */
export function createMint(economy: Economy, tx: Transaction, options: MintOptions): Token {
  const { spec, creator, authority = creator, program = economy.programs.token, parent = TOP_LEVEL } = options;
  const account = economy.account("mint", program.address, {
    address: options.address,
    ...(options.suffix !== undefined && { suffix: options.suffix }),
  });
  const token = new Token(account, spec, program, creator, authority);
  economy.publishAccount(creator);
  tx.createAccount(tx.payer, account, MINT_RENT, parent);
  const index = tx.instruction(program, "initializeMint2", "initializeMint", parent, { decimals: spec.decimals });
  for (const each of [account, authority]) tx.key(each, 0, index);
  token.created = tx.signature;
  tx.markChanged(token);
  return token;
}

/** Revokes the mint authority: the supply is fixed from then on. */
export const revokeMintAuthority = (tx: Transaction, token: Token, parent: number = TOP_LEVEL): void =>
  tx.setMintAuthority(token, undefined, parent);
