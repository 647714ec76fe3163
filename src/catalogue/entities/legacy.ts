/** The answers of the legacy families, as observed: the specification documents only their paths. */
import * as z from "zod";
import { cell, f, labelled } from "../fields.ts";
import type { FieldMeta } from "../kinds.ts";
import { TokenMarket } from "./token.ts";
import { failure } from "./transaction.ts";

const UiAmount = z.looseObject({
  amount: f.tokenAmountText("Amount in base units", "decimals"),
  decimals: f.count("Decimals of the token"),
  uiAmount: f.amount("Amount in whole units, rounded").nullable(),
  uiAmountString: f.amountText("Amount in whole units, exact").optional(),
});

const LegacyBlockBody = z.looseObject({
  blockHeight: f.ordinal("Block height; does not count skipped slots").nullish(),
  blockTime: f.unixTime("Time of the block").nullish(),
  blockhash: f.hash("Hash of the block").optional(),
  parentSlot: f.slot("Slot of the previous block").optional(),
  previousBlockhash: f.hash("Hash of the previous block").optional(),
  feeRewards: f.lamports("Fees earned by the leader").optional(),
  validator: f.address("Validator that produced the block").nullish(),
  transactionCount: f.count("Transactions, including votes").optional(),
  code: f.number("For a slot without a block: error code of the node, such as -32004").optional(),
  message: f.text("For a slot without a block: error message").optional(),
});

/** A slot and its block, or the reason why there is none. */
export const LegacyBlock = z.looseObject({
  currentSlot: f.slot("The slot"),
  result: f.object("The block", LegacyBlockBody),
});

const RpcMeta = z.looseObject({
  err: f.json("Error; null for success"),
  status: f.json("Ok or Err").optional(),
  fee: f.lamports("Fee"),
  computeUnitsConsumed: f.count("Compute units consumed").optional(),
  innerInstructions: f.json("Inner instructions").optional(),
  loadedAddresses: f.json("Addresses from lookup tables").optional(),
  logMessages: f.list("Log lines of the programs", f.text("Line")).nullish(),
  preBalances: f.list("Balances before, in the order of the account keys", f.lamports("Balance")),
  postBalances: f.list("Balances after", f.lamports("Balance")),
  preTokenBalances: f.json("Token balances before").optional(),
  postTokenBalances: f.json("Token balances after").optional(),
  returnData: f.json("Data that a program returned, and the program").optional(),
  rewards: f.json("Rewards").optional(),
});

const RpcMessage = z.looseObject({
  accountKeys: f.json("Accounts"),
  instructions: f.json("Instructions"),
  recentBlockhash: f.hash("Recent block hash of the transaction"),
  addressTableLookups: f.json("Lookup tables").optional(),
});

const RpcTransaction = z.looseObject({
  message: f.object("Signed message", RpcMessage),
  signatures: f.list("Signatures; the first identifies the transaction", f.signature("Signature")),
});

/** A transaction in the format of a Solana node. */
export const LegacyRpcTransaction = z.looseObject({
  meta: f.object("Result of the transaction", RpcMeta).nullable(),
  transaction: f.object("The transaction", RpcTransaction),
  blockTime: f.unixTime("Time of the block").nullable().optional(),
  slot: f.slot("Slot of the block").optional(),
  version: f.json("Version of the transaction: legacy or a number").optional(),
  error: failure,
});

const LegacyInstruction = z.looseObject({
  programId: f.program("Program"),
  program: f.text("Name of the program").optional(),
  type: f.text("Name of the instruction").optional(),
  name: f.text("Display name").optional(),
  data: f.json("Data").optional(),
  dataEncode: f.json("Encoded data").optional(),
  params: f.json("Arguments by name").optional(),
});

const transactionHead = {
  txHash: f.signature("Signature of the transaction"),
  slot: f.slot("Slot of the block"),
  blockTime: f.unixTime("Time of the block"),
  status: f.status("Success or Fail"),
  error: failure,
  fee: f.lamports("Fee"),
  lamport: f.lamports("Transferred lamports", "amount"),
  signer: f.list("Accounts that signed", f.address("Signer")),
  parsedInstruction: f.objects("Instructions", LegacyInstruction),
};

/** A transaction of an account, without its details. */
export const LegacyAccountTransaction = z.looseObject(transactionHead);

const InputAccount = z.looseObject({
  account: f.address("The account"),
  signer: f.boolean("Whether it signed"),
  writable: f.boolean("Whether the transaction can write to it"),
  preBalance: f.lamports("Balance before"),
  postBalance: f.lamports("Balance after"),
});

const InnerInstructions = z.looseObject({
  index: f.number("Index of the calling instruction"),
  parsedInstructions: f.objects("Inner instructions", LegacyInstruction),
});

const TokenBalance = z.looseObject({
  account: f.address("The token account"),
  amount: f.object(
    "Balances in base units",
    z.looseObject({
      preAmount: f.json("Balance before, in base units"),
      postAmount: f.json("Balance after, in base units"),
    }),
  ),
  token: f.object(
    "The token",
    z.looseObject({
      tokenAddress: f.address("Mint of the token"),
      decimals: f.count("Decimals of the token"),
    }),
  ),
});

const TokenTransfer = z.looseObject({
  source: f.address("Sending token account").optional(),
  destination: f.address("Receiving token account").optional(),
  source_owner: f.address("Sending owner").optional(),
  destination_owner: f.address("Receiving owner").optional(),
  amount: f.json("Amount in base units of the token, as text"),
  token: f.object(
    "The token",
    z.looseObject({
      address: f.address("Mint of the token"),
      decimals: f.count("Decimals of the token"),
    }),
  ),
  type: f.text("Type of the transfer").optional(),
});

/** A transaction in detail. */
export const LegacyTransactionDetail = z.looseObject({
  ...transactionHead,
  inputAccount: f.objects("Accounts involved, with their balances", InputAccount),
  recentBlockhash: f.hash("Recent block hash of the transaction"),
  innerInstructions: f.objects("Inner instructions", InnerInstructions),
  tokenBalanes: f.objects("Token balances (the API's spelling)", TokenBalance),
  confirmations: f.count("Confirmations; null when finalized").nullish(),
  tokenTransfers: f.objects("Token transfers", TokenTransfer),
  solTransfers: f.list("SOL transfers", f.json("Transfer")),
  serumTransactions: f.list("Orders on Serum", f.json("Order")).optional(),
  raydiumTransactions: f.list("Swaps on Raydium", f.json("Swap")).optional(),
  unknownTransfers: f.list("Transfers of unknown type", f.json("Transfer")).optional(),
  logMessage: f.list("Log lines of the programs", f.text("Line")),
});

/** A token account of a wallet. */
export const LegacyTokenAccount = z.looseObject({
  tokenAddress: f.address("Mint of the token"),
  tokenAmount: f.object("Amount", UiAmount),
  tokenAccount: f.address("The token account"),
  tokenName: f.text("Name of the token").optional(),
  tokenSymbol: f.text("Symbol of the token").optional(),
  tokenIcon: f.url("Icon of the token").optional(),
  rentEpoch: f.largeNumber("Epoch of the next rent").optional(),
  lamports: f.lamports("SOL in the token account", "SOL balance"),
});

/** A stake account of a wallet. */
export const LegacyStakeAccount = z.looseObject({
  stakeAccount: f.address("The stake account"),
  amount: f.lamportsText("Stake"),
  type: f.enum("State of the stake"),
  voter: f.address("Vote account of the delegation"),
  staker: f.address("Account with delegation authority"),
  role: f.list("Roles of the wallet", f.enum("Role", ["staker", "withdrawer"])),
});

const RawBalance = z.looseObject({
  amount: f.tokenAmountMixed("Balance in base units", "decimals"),
  decimals: f.count("Decimals of the token"),
});

/** A change of a token balance by a transfer. */
export const LegacyTokenTransfer = z.looseObject({
  _id: f.hash("Identifier of the row"),
  address: f.address("The token account"),
  owner: f.address("Owning wallet"),
  signature: f.list("Signatures of the transaction", f.signature("Signature")),
  changeType: f.enum("Whether the balance increased or decreased", ["inc", "dec"]),
  changeAmount: f.tokenAmountMixed("Size of the change in base units", "decimals"),
  preBalance: f.tokenAmountMixed("Balance before, in base units", "decimals"),
  postBalance: f.tokenAmountMixed("Balance after, in base units", "decimals"),
  decimals: f.count("Decimals of the token"),
  tokenAddress: f.address("Mint of the token"),
  symbol: f.text("Symbol of the token").optional(),
  blockTime: f.unixTime("Time of the block"),
  slot: f.slot("Slot of the block"),
  fee: f.lamports("Fee"),
  balance: f.object("Balance after", RawBalance).optional(),
});

/** A transfer of SOL. */
export const LegacySolTransfer = z.looseObject({
  _id: f.hash("Identifier of the row"),
  src: f.address("Sending account"),
  dst: f.address("Receiving account"),
  lamport: f.lamports("Amount", "amount"),
  decimals: f.count("Decimals of SOL"),
  blockTime: f.unixTime("Time of the block"),
  slot: f.slot("Slot of the block"),
  txHash: f.signature("Signature of the transaction"),
  fee: f.lamports("Fee"),
  status: f.status("Success or Fail"),
  txNumberSolTransfer: f.count("SOL transfers in the transaction").optional(),
});

const AccountToken = z.looseObject({
  name: f.text("Name").optional(),
  symbol: f.text("Symbol").optional(),
  price: f.usd("Price of one whole unit").optional(),
  volume: f.usd("Volume in 24 hours").optional(),
  decimals: f.count("Decimals of the token").optional(),
  tokenAuthority: f.address("Mint authority; null when revoked").nullish(),
  supply: f.tokenAmountText("Supply in base units", "decimals").optional(),
  type: f.text("Type of the token").optional(),
});

/** The state of an account on the chain. */
export const LegacyAccount = z.looseObject({
  account: f.address("The account"),
  lamports: f.lamports("Balance", "balance"),
  type: f.enum("Type of the account, such as token_account; from a node or an index, no_account where none exists"),
  ownerProgram: f.program("Program that owns the account"),
  executable: f.boolean("Whether the account holds program code"),
  rentEpoch: f.largeNumber("Epoch of the next rent"),
  tokenInfo: f.object("For tokens: the token", AccountToken).optional(),
});

/** A row of a transaction export: a change of a token balance or a transfer of SOL, by its type. */
export const LegacyTransactionExportRow = z.looseObject({
  Type: cell("enum", "Type of the row"),
  Txhash: cell("signature", "Signature of the transaction"),
  "BlockTime Unix": cell("unixTime", "Time of the block"),
  BlockTime: cell("text", "Time of the block as text"),
  "Fee (SOL)": cell("sol", "Fee"),
  TokenAccount: cell("address", "The token account"),
  ChangeType: cell("enum", "Whether the balance increased or decreased", { values: ["inc", "dec"] }),
  "SPL BalanceChange": cell("text", "Size of the change, in the server's notation"),
  PreBalancer: cell("text", "Balance before (the API's spelling)"),
  PostBalancer: cell("text", "Balance after (the API's spelling)"),
  TokenAddress: cell("address", "Mint of the token"),
  "TokenName(off-chain)": cell("text", "Name of the token"),
  "Symbol(off-chain)": cell("text", "Symbol of the token"),
  "SolTransfer Source": cell("address", "For SOL: sending account"),
  "SolTransfer Destination": cell("address", "For SOL: receiving account"),
  "Amount (SOL)": cell("sol", "For SOL: amount"),
});

/** A holder of a token: one token account. */
export const LegacyTokenHolder = z.looseObject({
  address: f.address("Token account, not the wallet"),
  amount: f.tokenAmountMixed("Amount in base units", "decimals"),
  decimals: f.count("Decimals of the token"),
  owner: f.address("Wallet or program that owns the token account"),
  rank: f.ordinal("Rank by amount"),
});

const tags = z
  .array(z.unknown())
  .meta({ kind: "text", description: "Tags" } satisfies FieldMeta)
  .nullish();

/** A token and its market. */
export const LegacyTokenMeta = z.looseObject({
  address: f.address("Mint of the token").optional(),
  symbol: f.text("Symbol").optional(),
  name: f.text("Name").optional(),
  icon: f.url("Icon").optional(),
  website: f.url("Website").optional(),
  twitter: f.text("Twitter").optional(),
  decimals: f.count("Decimals of the token"),
  coingeckoId: f.text("CoinGecko identifier").optional(),
  price: f.usd("Price of one whole unit").optional(),
  volume: f.usd("Volume in 24 hours").optional(),
  tokenAuthority: f.address("Mint authority; null when revoked").nullish(),
  supply: f.tokenAmountText("Supply in base units", "decimals"),
  type: f.text("Type of the token").optional(),
  holder: f.count("Token accounts with a balance").optional(),
  tag: tags,
});

const Volume = z.looseObject({
  volumeUsd: f.usd("Volume in 24 hours").nullish(),
  volume: f.number("Volume in 24 hours, in the unit of the source").nullish(),
});

const Links = z.looseObject({
  website: f.url("Website").optional(),
  coingeckoId: f.text("CoinGecko identifier").optional(),
});

/** A token in the list. */
export const LegacyToken = z.looseObject({
  mintAddress: f.address("Mint of the token"),
  tokenSymbol: f.text("Symbol"),
  tokenName: f.text("Name"),
  decimals: f.count("Decimals of the token"),
  icon: f.url("Icon").optional(),
  website: f.url("Website").optional(),
  twitter: f.text("Twitter").optional(),
  extensions: f.object("Links", Links).optional(),
  marketCapRank: f.ordinal("Rank by market capitalisation").nullish(),
  marketCapFD: labelled("FDV", f.usd("Fully diluted market capitalisation")).nullish(),
  supply: f.object("Supply", UiAmount),
  holder: f.count("Token accounts with a balance").nullish(),
  priceUst: f.usd("Price of one whole unit").nullish(),
  volume: f.object("Volume", Volume).optional(),
  coingeckoInfo: f.json("Data from CoinGecko").optional(),
  tag: tags,
});

/** The market of a token as a whole, and its pools. */
export const LegacyTokenMarket = z.looseObject({
  priceUsdt: f.usd("Price of one whole unit").nullish(),
  volumeUsdt: f.usd("Volume in 24 hours").nullish(),
  marketCapFD: labelled("FDV", f.usd("Fully diluted market capitalisation")).nullish(),
  marketCapRank: f.ordinal("Rank by market capitalisation").nullish(),
  priceChange24h: f.change("Price change in 24 hours").nullish(),
  markets: f.objects("Pools of the token", TokenMarket).optional(),
});
