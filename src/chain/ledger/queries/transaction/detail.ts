/** The detail of a transaction. */
import { type JsonObject, omitMissing } from "../../../../base/index.ts";
import type { LedgerReader } from "../../store/reader.ts";
import { unixTimeOf } from "../sql.ts";
import { stepsOf } from "./activities.ts";
import { readArguments } from "./arguments.ts";
import { type AccountKey, balancesOf, type FundedKey, isFunded, lookupsOf, type TokenChange } from "./balances.ts";
import { logLines, type TransactionHead } from "./head.ts";
import { activityJson, allTransfers, instructionJson } from "./instructions.ts";
import { type Instruction, topInstructions, treeOf } from "./tree.ts";

const solChange = ({ address, pre, post }: FundedKey): JsonObject => ({
  address,
  pre_balance: String(pre),
  post_balance: String(post),
  change_amount: String(post - pre),
});

/** Returns the owners of a token account before and after; they differ when a transaction transfers it. */
function ownersOf(
  db: LedgerReader,
  change: TokenChange,
  tree: readonly Instruction[],
): readonly [pre: string, post: string] {
  const [account, owner] = [db.addressOf(change.account), db.addressOf(change.owner)];
  const handed = tree
    .flatMap(({ transfers }) => transfers)
    .filter(({ type, source }) => type === "ACTIVITY_SPL_SET_OWNER_AUTHORITY" && source === account);
  return [handed[0]?.sourceOwner ?? owner, handed.at(-1)?.destinationOwner ?? owner];
}

function tokenChange(db: LedgerReader, change: TokenChange, tree: readonly Instruction[]): JsonObject {
  const [preOwner, postOwner] = ownersOf(db, change, tree);
  return omitMissing({
    address: db.addressOf(change.account),
    change_type: change.post < change.pre ? "dec" : "inc",
    change_amount: String(change.post - change.pre),
    decimals: change.decimals,
    post_balance: String(change.post),
    pre_balance: String(change.pre),
    token_address: db.addressOf(change.token),
    owner: postOwner,
    post_owner: postOwner,
    pre_owner: preOwner,
  });
}

/** Returns an account key as details and Solana nodes list it. */
export const keyJson = ({ address, signer, writable, lookedUp }: AccountKey): JsonObject => ({
  pubkey: address,
  signer,
  source: lookedUp ? "lookupTable" : "transaction",
  writable,
});

/** Returns the entity `TransactionDetail`. `tokens` are the involved tokens. */
export function detailOf(db: LedgerReader, head: TransactionHead, tokens: readonly number[]): JsonObject {
  const tree = treeOf(db, head.id);
  const steps = stepsOf(db, head, tree);
  const infos = readArguments(db, tree, steps);
  const balances = balancesOf(db, head.id);
  const signers = balances.keys.filter(({ signer }) => signer).map(({ address }) => address);
  return {
    tx_hash: head.signature,
    block_id: head.slot,
    ...omitMissing({ block_time: unixTimeOf(db, head.time) }),
    fee: head.fee,
    priority_fee: head.priorityFee,
    reward: [],
    sol_bal_change: balances.keys.filter(isFunded).map(solChange),
    token_bal_change: balances.tokens.map((change) => tokenChange(db, change, tree)),
    tokens_involved: tokens.map((id) => db.addressOf(id)),
    parsed_instructions: topInstructions(tree).map((instruction) => instructionJson(instruction, steps, infos)),
    programs_involved: [...new Set(tree.map(({ program }) => program))],
    signer: signers,
    list_signer: signers,
    status: head.error === undefined ? 1 : 0,
    tx_status: "finalized",
    account_keys: balances.keys.map(keyJson),
    ...omitMissing({ compute_units_consumed: head.computeUnits }),
    confirmations: null,
    version: head.version ?? "legacy",
    transfers: allTransfers(tree, steps, "detail"),
    activities: steps.activities.map((activity) => activityJson(activity, "detail")),
    ...omitMissing({ log_message: logLines(db, head, tree) }),
    recent_block_hash: head.recentHash,
    address_table_lookup: head.lookups ?? lookupsOf(balances.keys),
  };
}
