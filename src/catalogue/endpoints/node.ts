/** What only a Solana node answers: the cluster, its validators, and the insides of accounts, blocks and transactions. */
import { STANDARD_SIZES } from "../constants.ts";
import { endpoint, object, rows } from "../endpoint.ts";
import { address, IDENTIFIER, integer, oneOf, pages, signature, slot } from "../param.ts";
import { JUPITER, OTHER_SIGNATURE, SLOT, USDC, WALLET } from "../samples.ts";

const BLOCK_PAGES = { block: slot("Slot of the block", IDENTIFIER), ...pages(STANDARD_SIZES) };

/** The endpoints that need a node. */
export const node = [
  endpoint("node", "/node/status", {
    summary: "State of the cluster: slot, epoch, transactions per second, supply, stake",
    query: {},
    returns: object("ClusterStatus"),
    columns: "cluster, slot, epoch, epoch_progress, tps, non_vote_tps, active_stake, validators",
    aliases: ["info"],
    examples: { "The cluster now": {} },
    notes: ["Parts that a node does not provide are missing: some disable getSupply and getVoteAccounts."],
  }),
  endpoint("node", "/node/performance", {
    summary: "Transactions per second and slot times of the last hours, by minute",
    query: { limit: integer("Samples", { default: 60, min: 1, max: 720, role: "size" }) },
    returns: rows("PerformanceSample"),
    columns: "slot, tps, non_vote_tps, slot_milliseconds, slots, transactions, seconds",
    identity: "slot",
    newestFirst: true,
    aliases: ["tps"],
    examples: { "The last hour": {} },
    notes: ["Newest first. Nodes sample once a minute and keep 720 samples."],
  }),
  endpoint("node", "/node/validators", {
    summary: "Validators by active stake",
    query: {
      status: oneOf(["current", "delinquent"], "Only validators that vote, or that do not", { field: "status" }),
      ...pages(STANDARD_SIZES),
    },
    returns: rows("Validator", { at: "items", total: "total" }),
    columns: `rank, name, status, activated_stake, stake_share, commission, last_vote, version, vote_account, identity`,
    identity: "vote_account",
    aliases: ["votes"],
    examples: { "The largest validators": {}, "Validators that do not vote": { status: "delinquent" } },
  }),
  endpoint("node", "/node/epoch", {
    summary: "First and last block of an epoch",
    query: { epoch: integer("Epoch (default: the current one)", { positional: true, min: 0 }) },
    returns: object("EpochInfo"),
    columns: "epoch, first_slot, last_slot, first_block, last_block, first_block_time, last_block_time",
    examples: { "The current epoch": {} },
  }),
  endpoint("node", "/node/account", {
    summary: "An account as its owner program understands it",
    query: { address: address("Account", IDENTIFIER) },
    returns: object("NodeAccount"),
    columns: "account, kind, lamports, owner_name, owner_program, space, executable, state",
    echo: "account",
    aliases: ["inspect-account"],
    examples: { "A mint with its extensions": { address: USDC }, "A wallet": { address: WALLET } },
    notes: [
      "state has what Solana Explorer shows: a mint with its extensions, a delegation, votes, a nonce, a lookup table, a sysvar, …",
      "Other programs' accounts are decoded by the interface (IDL) that the program publishes.",
      "What cannot be decoded is data_base64: tables show its beginning, -o json all of it, up to 1 MiB.",
    ],
  }),
  endpoint("node", "/node/program", {
    summary: "A program: upgrade authority, last deployment, published interface",
    query: { address: address("Program", IDENTIFIER) },
    returns: object("NodeProgram"),
    cachePolicy: "metadata",
    columns: "program, name, upgradeable, upgrade_authority, last_deployed_slot, size, idl_name",
    echo: "program",
    examples: { "A program with an interface": { address: JUPITER } },
  }),
  endpoint("node", "/node/instructions", {
    summary: "Instructions of a transaction with their compute units and logs",
    query: { tx: signature("Transaction", IDENTIFIER) },
    returns: rows("NodeInstruction"),
    cachePolicy: "final",
    columns: "index, program_name, type, status, error, compute_units, own_compute_units, program, info",
    identity: "index",
    examples: { "Where the compute units of a transaction go": { tx: OTHER_SIGNATURE } },
  }),
  endpoint("node", "/node/block/rewards", {
    summary: "Rewards of a block",
    query: BLOCK_PAGES,
    returns: rows("BlockReward", { at: "items", total: "total" }),
    cachePolicy: "final",
    columns: "account, type, lamports, post_balance, change_percent, commission",
    identity: "account, type",
    examples: { "Rewards of a block": { block: SLOT } },
  }),
  endpoint("node", "/node/block/programs", {
    summary: "Programs that the transactions of a block invoke",
    query: BLOCK_PAGES,
    returns: rows("BlockProgram", { at: "items", total: "total" }),
    cachePolicy: "final",
    columns: "program_name, transactions, share, instructions, success_rate, program",
    identity: "program",
    examples: { "Programs of a block": { block: SLOT } },
  }),
  endpoint("node", "/node/block/accounts", {
    summary: "Accounts that the transactions of a block use most",
    query: BLOCK_PAGES,
    returns: rows("BlockAccount", { at: "items", total: "total" }),
    cachePolicy: "final",
    columns: "account, transactions, writes, reads, share",
    identity: "account",
    examples: { "Accounts of a block": { block: SLOT } },
  }),
];
