/** What the numbers of custom errors mean: each program has its own. */
import { PROGRAM } from "../../../catalogue/index.ts";

const SYSTEM = [
  "an account with this address already exists",
  "insufficient lamports",
  "the account cannot be assigned to this program",
  "the account cannot have data of this length",
  "the seed is too long",
  "the address does not match the address derived from the seed",
  "a nonce can only be advanced with recent blockhashes",
  "the stored nonce is still a recent blockhash",
  "the nonce does not match the stored nonce",
];

const TOKEN = [
  "the balance of lamports is below the rent-exempt minimum",
  "insufficient funds",
  "invalid mint",
  "the account belongs to another mint",
  "the owner does not match",
  "the supply of the token is fixed",
  "the account is already in use",
  "invalid number of signers provided",
  "invalid number of signers required",
  "the account is not initialized",
  "native tokens are not supported by the instruction",
  "the account can only be closed when its balance is zero",
  "invalid instruction",
  "the state of the account is invalid for the instruction",
  "arithmetic overflow",
  "the account does not support this authority type",
  "the mint cannot freeze accounts",
  "the account is frozen",
  "the decimals differ from those of the mint",
  "non-native tokens are not supported by the instruction",
];

const TOKEN_2022 = [
  ...TOKEN,
  "the extension type does not match",
  "the extension does not match the type of the account",
  "the extension is already initialized",
  "the account has a confidential balance",
  "the account is not approved for confidential transfers",
  "the account does not accept deposits and transfers",
  "the ElGamal public key does not match",
  "the balance does not match",
  "the mint has a supply",
  "no authority exists for the instruction",
  "the transfer fee exceeds 10,000 basis points",
  "the mint is required: use transferChecked",
  "the fee does not match the expected fee",
  "the fee parameters do not match",
  "the owner of the account cannot be changed",
  "the account has withheld transfer fees",
  "no memo in the previous instruction, which the recipient requires",
  "the token cannot be transferred",
  "the mint needs accounts with an immutable owner",
  "too many pending confidential credits",
  "the deposit exceeds the maximum amount",
  "the CPI guard cannot be changed in a call",
  "the CPI guard blocks transfers by the owner",
  "the CPI guard blocks burns by the owner",
  "the CPI guard allows closing only to the owner",
  "the CPI guard blocks approvals",
  "the CPI guard blocks changes of the authority",
  "the CPI guard blocks changes of the owner",
  "the extension does not exist",
];

const ASSOCIATED_TOKEN = ["the owner of the token account does not match its address"];

const STAKE = [
  "no credits to redeem",
  "the lockup has not expired",
  "the stake is already deactivated",
  "only one redelegation is permitted per epoch",
  "the amount exceeds the stake",
  "a stake that is activating or deactivating cannot be merged",
  "the stakes have different authorities, lockups or states",
  "the custodian is missing",
  "the custodian has not signed",
  "the reference vote account does not have enough votes",
  "the stake is delegated to another vote account",
  "the vote account has not been delinquent for long enough",
  "the delegation is below the minimum",
  "a stake that is not fully active cannot be redelegated",
  "the stake is already delegated to this vote account",
  "a redelegated stake must be active before it is deactivated",
  "the rewards of the epoch are being distributed",
];

const VOTE = [
  "the vote is too old",
  "the slots do not match",
  "the slot hashes do not match",
  "the vote has no slots",
  "the timestamp is too old",
  "the authority was changed too recently",
  "the vote conflicts with a lockout",
  "the lockouts do not match",
  "the slots are not in order",
  "the confirmations are not in order",
  "a slot has no confirmations",
  "a slot has too many confirmations",
  "the root is older than the previous one",
  "a slot has fewer confirmations than before",
  "the slots are not newer than the previous ones",
  "the vote has too many slots",
  "all slots are too old",
  "the root is on another fork",
  "the vote account is active and cannot be closed",
  "the commission can only be changed in the first half of an epoch",
];

const LOOKUP: Readonly<Record<string, readonly string[]>> = {
  [PROGRAM.system]: SYSTEM,
  [PROGRAM.token]: TOKEN,
  [PROGRAM.token2022]: TOKEN_2022,
  [PROGRAM.associatedToken]: ASSOCIATED_TOKEN,
  [PROGRAM.stake]: STAKE,
  [PROGRAM.vote]: VOTE,
};

/** Errors of the framework Anchor, which most programs use, by the number of the first one of a row. */
const ANCHOR: readonly (readonly [first: number, texts: readonly string[]])[] = [
  [100, ["no instruction identifier", "unknown instruction", "invalid instruction data", "result too large"]],
  [1000, ["the program has no IDL instructions", "the program has an invalid IDL"]],
  [
    2000,
    [
      "an account must be writable",
      "an account does not match the one that another account names",
      "an account must sign",
      "a constraint of an account is violated",
      "an account has another owner than required",
      "an account must be rent exempt",
      "an account does not have the address derived from its seeds",
      "an account must be executable",
      "an account does not have the required state",
      "an account is not the associated one",
      "an associated account cannot be initialized",
      "an account cannot be closed to itself",
      "an account does not have the required address",
      "an account must be empty",
      "a token account has another mint than required",
      "a token account has another owner than required",
      "a mint has another mint authority than required",
      "a mint has another freeze authority than required",
      "a mint has other decimals than required",
      "an account has another size than required",
    ],
  ],
  [
    2500,
    [
      "a requirement is violated",
      "values must be equal",
      "addresses must be equal",
      "values must differ",
      "addresses must differ",
      "a value must be greater",
      "a value must be greater or equal",
    ],
  ],
  [
    3000,
    [
      "an account already has content",
      "an account has no discriminator",
      "an account is of another type than required",
      "an account cannot be read",
      "an account cannot be written",
      "too few accounts",
      "an account must be writable",
      "an account is owned by another program than required",
      "a program has another address than required",
      "a program is not executable",
      "an account must sign",
      "an account must be owned by the System Program",
      "an account is not initialized",
      "an account is not the data of a program",
      "an account is not the associated token account",
      "an account is not the required sysvar",
      "an account grows by more than a transaction allows",
      "an account is resized twice",
    ],
  ],
  [4100, ["the program is deployed at another address than declared", "the payer cannot be the new account"]],
];

/** Returns the meaning of a program's custom error; undefined when it is unknown. */
export function customErrorText(program: string, code: number): string | undefined {
  return LOOKUP[program]?.[code];
}

/** Returns the meaning of an error of the framework Anchor; undefined for other numbers. */
export function anchorErrorText(code: number): string | undefined {
  const [first, texts] = ANCHOR.findLast(([start]) => start <= code) ?? [];
  return first === undefined ? undefined : texts?.[code - first];
}
