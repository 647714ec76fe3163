/** Making tokens. */
import { type Account, Token, type TokenSpec } from "./accounts.ts";
import type { Economy } from "./economy.ts";
import { TOP_LEVEL } from "./instructions.ts";
import type { Transaction } from "./transaction.ts";

/** Lamports that a mint holds for its rent. */
export const MINT_RENT = 1_461_600n;

/** How a token is made. */
export interface MintOptions {
  readonly spec: TokenSpec;
  readonly creator: Account;
  /** Who may mint; the creator where it is not given. */
  readonly authority?: Account;
  /** The token program; SPL Token where it is not given. */
  readonly program?: Account;
  readonly address?: string;
  /** Base58 digits that the address ends with. */
  readonly suffix?: string;
  /** Calling instruction. */
  readonly parent?: number;
}

/** Makes a token in a transaction; the payer bears the rent. Mint with {@link Transaction.mint} afterwards. */
export function createMint(economy: Economy, tx: Transaction, options: MintOptions): Token {
  const { spec, creator, authority = creator, program = economy.programs.token, parent = TOP_LEVEL } = options;
  const account = economy.account("mint", program.address, {
    address: options.address,
    onCurve: false,
    ...(options.suffix !== undefined && { suffix: options.suffix }),
  });
  const token = new Token(account, spec, program, creator, authority);
  economy.publishAccount(creator);
  economy.publishAccount(authority);
  tx.createAccount(tx.payer, account, MINT_RENT, parent);
  tx.instruction(program, "initializeMint2", "initializeMint", parent, { decimals: spec.decimals });
  token.created = tx.signature;
  tx.markChanged(token);
  return token;
}

/** Gives up the authority to mint: the supply is fixed from now on. */
export function revokeMintAuthority(tx: Transaction, token: Token, parent: number = TOP_LEVEL): void {
  tx.instruction(token.program, "setAuthority", "setAuthority", parent, { authorityType: "mintTokens" });
  const { authority } = token;
  token.authority = undefined;
  tx.onRollback(() => {
    token.authority = authority;
  });
  tx.markChanged(token);
}
