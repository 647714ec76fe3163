/** The answers of the legacy families. The specification names their paths alone; the shapes are as observed. */
import * as z from "zod";
import { cell, f } from "../fields.ts";
import type { FieldMeta } from "../kinds.ts";

import { TokenMarket } from "./token.ts";

const mixed = (description: string, decimals: string) => f.tokenAmountMixed(description, decimals);

const UiAmount = z.looseObject({
  amount: f.tokenAmountText("Amount in base units", "decimals"),
  decimals: f.count("Decimals of the token"),
  uiAmount: f.amount("Amount in whole units, rounded").nullable(),
  uiAmountString: f.amountText("Amount in whole units, exact").optional(),
});

const LegacyBlockBody = z.looseObject({
  blockHeight: f.count("Height, which skipped slots do not count in").nullish(),
  blockTime: f.unixTime("Time of the block").nullish(),
  blockhash: f.hash("Hash of the block").optional(),
  parentSlot: f.slot("Slot of the block before").optional(),
  previousBlockhash: f.hash("Hash of the block before").optional(),
  feeRewards: f.lamports("Fees that the leader earned").optional(),
  validator: f.address("Validator that made the block").nullish(),
  transactionCount: f.count("Transactions, votes among them").optional(),
  code: f.number("For a slot without a block: the node's code, such as -32004").optional(),
  message: f.text("For a slot without a block: why").optional(),
});

/** A slot and its block, or why it has none. */
export const LegacyBlock = z.looseObject({
  currentSlot: f.slot("The slot"),
  result: f.object("The block", LegacyBlockBody),
});

const RpcMeta = z.looseObject({
  err: f.json("Why it failed; null for success"),
  status: f.json("Ok or Err").optional(),
  fee: f.lamports("Fee"),
  innerInstructions: f.json("Instructions called by others").optional(),
  loadedAddresses: f.json("Addresses from lookup tables").optional(),
  logMessages: f.list("Lines that the programs wrote", f.text("Line")).nullish(),
  preBalances: f.list("Balances before, in the order of the account keys", f.lamports("Balance")),
  postBalances: f.list("Balances after", f.lamports("Balance")),
  preTokenBalances: f.json("Token balances before").optional(),
  postTokenBalances: f.json("Token balances after").optional(),
  rewards: f.json("Rewards").optional(),
});

const RpcMessage = z.looseObject({
  accountKeys: f.json("Accounts"),
  instructions: f.json("Instructions"),
  recentBlockhash: f.hash("Block hash that the transaction builds on"),
  addressTableLookups: f.json("Lookup tables").optional(),
});

const RpcTransaction = z.looseObject({
  message: f.object("What was signed", RpcMessage),
  signatures: f.list("Signatures; the first names the transaction", f.signature("Signature")),
});

/** A transaction in the form of a Solana node. */
export const LegacyRpcTransaction = z.looseObject({
  meta: f.object("What came of it", RpcMeta).nullable(),
  transaction: f.object("The transaction", RpcTransaction),
});

const LegacyInstruction = z.looseObject({
  programId: f.program("Program"),
  program: f.text("Name of the program").optional(),
  type: f.text("Name of the instruction").optional(),
  name: f.text("Name for display").optional(),
  data: f.json("Data").optional(),
  dataEncode: f.json("Encoded data").optional(),
  params: f.json("Arguments by name").optional(),
});

const transactionHead = {
  txHash: f.signature("Signature of the transaction"),
  slot: f.slot("Slot of the block"),
  blockTime: f.unixTime("Time of the block"),
  status: f.status("Success or Fail"),
  fee: f.lamports("Fee"),
  lamport: f.lamports("Lamports moved"),
  signer: f.list("Accounts that signed", f.address("Signer")),
  parsedInstruction: f.objects("Instructions", LegacyInstruction),
};

/** A transaction of an account, without its details. */
export const LegacyAccountTransaction = z.looseObject(transactionHead);

const InputAccount = z.looseObject({
  account: f.address("The account"),
  signer: f.boolean("Whether it signed"),
  writable: f.boolean("Whether the transaction may change it"),
  preBalance: f.lamports("Balance before"),
  postBalance: f.lamports("Balance after"),
});

const InnerInstructions = z.looseObject({
  index: f.number("Index of the instruction above them"),
  parsedInstructions: f.objects("Instructions that it calls", LegacyInstruction),
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
  source: f.address("Token account that sends").optional(),
  destination: f.address("Token account that receives").optional(),
  source_owner: f.address("Owner that sends").optional(),
  destination_owner: f.address("Owner that receives").optional(),
  amount: f.json("Amount in base units of the token, as text"),
  token: f.object(
    "The token",
    z.looseObject({
      address: f.address("Mint of the token"),
      decimals: f.count("Decimals of the token"),
    }),
  ),
  type: f.text("Kind of transfer").optional(),
});

/** A transaction with everything in it. */
export const LegacyTransactionDetail = z.looseObject({
  ...transactionHead,
  inputAccount: f.objects("Accounts that take part, with their balances", InputAccount),
  recentBlockhash: f.hash("Block hash that the transaction builds on"),
  innerInstructions: f.objects("Instructions called by others", InnerInstructions),
  tokenBalanes: f.objects("Token balances; the API spells it so", TokenBalance),
  confirmations: f.count("Confirmations; null once final").nullish(),
  tokenTransfers: f.objects("Transfers of tokens", TokenTransfer),
  solTransfers: f.list("Transfers of SOL", f.json("Transfer")),
  serumTransactions: f.list("Orders on Serum", f.json("Order")).optional(),
  raydiumTransactions: f.list("Swaps on Raydium", f.json("Swap")).optional(),
  unknownTransfers: f.list("Transfers of no known kind", f.json("Transfer")).optional(),
  logMessage: f.list("Lines that the programs wrote", f.text("Line")),
});

/** A token account of a wallet. */
export const LegacyTokenAccount = z.looseObject({
  tokenAddress: f.address("Mint of the token"),
  tokenAmount: f.object("Amount", UiAmount),
  tokenAccount: f.address("The token account"),
  tokenName: f.text("Name of the token").optional(),
  tokenIcon: f.url("Picture of the token").optional(),
  rentEpoch: f.number("Epoch of the next rent").optional(),
  lamports: f.lamports("SOL in the token account"),
});

/** A stake account of a wallet. */
export const LegacyStakeAccount = z.looseObject({
  stakeAccount: f.address("The stake account"),
  amount: f.lamportsText("Stake"),
  type: f.enum("State of the stake"),
  voter: f.address("Vote account that the stake is delegated to"),
  staker: f.address("Account that may delegate"),
  role: f.list("What the wallet may do", f.enum("Role", ["staker", "withdrawer"])),
});

const RawBalance = z.looseObject({
  amount: mixed("Balance in base units", "decimals"),
  decimals: f.count("Decimals of the token"),
});

/** A change of a token balance by a transfer. */
export const LegacyTokenTransfer = z.looseObject({
  _id: f.hash("Identifier of the row"),
  address: f.address("The token account"),
  owner: f.address("Wallet that owns it"),
  signature: f.list("Signatures of the transaction", f.signature("Signature")),
  changeType: f.enum("Whether the balance grew or shrank", ["inc", "dec"]),
  changeAmount: mixed("Size of the change in base units", "decimals"),
  preBalance: mixed("Balance before, in base units", "decimals"),
  postBalance: mixed("Balance after, in base units", "decimals"),
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
  src: f.address("Account that sends"),
  dst: f.address("Account that receives"),
  lamport: f.lamports("Amount"),
  decimals: f.count("Decimals of SOL"),
  blockTime: f.unixTime("Time of the block"),
  slot: f.slot("Slot of the block"),
  txHash: f.signature("Signature of the transaction"),
  fee: f.lamports("Fee"),
  status: f.status("Success or Fail"),
  txNumberSolTransfer: f.count("Transfers of SOL in the transaction").optional(),
});

const AccountToken = z.looseObject({
  name: f.text("Name").optional(),
  symbol: f.text("Symbol").optional(),
  price: f.usd("Price of one whole unit").optional(),
  volume: f.usd("Volume of 24 hours").optional(),
  decimals: f.count("Decimals of the token").optional(),
  tokenAuthority: f.address("Who may issue more; null when given up").nullish(),
  supply: f.tokenAmountText("Supply in base units", "decimals").optional(),
  type: f.text("Kind of token").optional(),
});

/** The state of an account on the chain. */
export const LegacyAccount = z.looseObject({
  account: f.address("The account"),
  lamports: f.lamports("Balance"),
  type: f.enum("What the account is, such as token_account"),
  ownerProgram: f.program("Program that owns the account"),
  executable: f.boolean("Whether the account holds program code"),
  rentEpoch: f.number("Epoch of the next rent"),
  tokenInfo: f.object("For tokens: the token", AccountToken).optional(),
});

/** A row of a transaction export: a change of a token balance or a transfer of SOL, by its type. */
export const LegacyTransactionExportRow = z.looseObject({
  Type: cell("enum", "What kind of row"),
  Txhash: cell("signature", "Signature of the transaction"),
  "BlockTime Unix": cell("unixTime", "Time of the block"),
  BlockTime: cell("text", "The same time as text"),
  "Fee (SOL)": cell("sol", "Fee"),
  TokenAccount: cell("address", "The token account"),
  ChangeType: cell("enum", "Whether the balance grew or shrank", { values: ["inc", "dec"] }),
  "SPL BalanceChange": cell("text", "Size of the change, as written by the server"),
  PreBalancer: cell("text", "Balance before; the API spells it so"),
  PostBalancer: cell("text", "Balance after; the API spells it so"),
  TokenAddress: cell("address", "Mint of the token"),
  "TokenName(off-chain)": cell("text", "Name of the token"),
  "Symbol(off-chain)": cell("text", "Symbol of the token"),
  "SolTransfer Source": cell("address", "For SOL: account that sends"),
  "SolTransfer Destination": cell("address", "For SOL: account that receives"),
  "Amount (SOL)": cell("sol", "For SOL: amount"),
});

/** A token account that holds some of a token. */
export const LegacyTokenHolder = z.looseObject({
  address: f.address("Token account, not the wallet"),
  amount: mixed("Amount in base units", "decimals"),
  decimals: f.count("Decimals of the token"),
  owner: f.address("Wallet or program that owns the token account"),
  rank: f.count("Rank by amount"),
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
  icon: f.url("Picture").optional(),
  website: f.url("Website").optional(),
  twitter: f.text("Twitter").optional(),
  decimals: f.count("Decimals of the token"),
  coingeckoId: f.text("Name at CoinGecko").optional(),
  price: f.usd("Price of one whole unit").optional(),
  volume: f.usd("Volume of 24 hours").optional(),
  tokenAuthority: f.address("Who may issue more; null when given up").nullish(),
  supply: f.tokenAmountText("Supply in base units", "decimals"),
  type: f.text("Kind of token").optional(),
  holder: f.count("Token accounts that hold any").optional(),
  tag: tags,
});

const Volume = z.looseObject({
  volumeUsd: f.usd("Volume of 24 hours").nullish(),
  volume: f.number("Volume of 24 hours in the unit of the source").nullish(),
});

const Links = z.looseObject({
  website: f.url("Website").optional(),
  coingeckoId: f.text("Name at CoinGecko").optional(),
});

/** A token in the list. */
export const LegacyToken = z.looseObject({
  mintAddress: f.address("Mint of the token"),
  tokenSymbol: f.text("Symbol"),
  tokenName: f.text("Name"),
  decimals: f.count("Decimals of the token"),
  icon: f.url("Picture").optional(),
  website: f.url("Website").optional(),
  twitter: f.text("Twitter").optional(),
  extensions: f.object("Links", Links).optional(),
  marketCapRank: f.count("Rank by market capitalisation").nullish(),
  marketCapFD: f.usd("Market capitalisation, fully diluted").nullish(),
  supply: f.object("Supply", UiAmount),
  holder: f.count("Token accounts that hold any").nullish(),
  priceUst: f.usd("Price of one whole unit").nullish(),
  volume: f.object("Volume", Volume).optional(),
  coingeckoInfo: f.json("What CoinGecko knows").optional(),
  tag: tags,
});

/** The market of a token as a whole, and its pools. */
export const LegacyTokenMarket = z.looseObject({
  priceUsdt: f.usd("Price of one whole unit").nullish(),
  volumeUsdt: f.usd("Volume of 24 hours").nullish(),
  marketCapFD: f.usd("Market capitalisation, fully diluted").nullish(),
  marketCapRank: f.count("Rank by market capitalisation").nullish(),
  priceChange24h: f.percent("Change of the price in 24 hours").nullish(),
  markets: f.objects("Pools that trade the token", TokenMarket).optional(),
});
