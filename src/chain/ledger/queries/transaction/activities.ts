/** Activities of a transaction: compute limits, new accounts, swaps, NFT sales. */
import { capitalize, type Json, type JsonObject, omitMissing } from "../../../../base/index.ts";
import { NFT_ACTIVITIES } from "../../../../catalogue/index.ts";
import type { LedgerReader, LedgerRow } from "../../store/reader.ts";
import { ROWS_PER_TRANSACTION, rowRange } from "../../store/schema.ts";
import { DEFI_TYPES } from "../defi.ts";
import { amountOf, asText, decimalsOf } from "../sql.ts";
import type { TransactionHead } from "./head.ts";
import { COMPUTE_BUDGET, type Instruction, type InstructionTransfer, withInner } from "./tree.ts";

/** An activity of an instruction. */
export interface InstructionActivity {
  readonly instruction: Instruction;
  /** Name, e.g. RaydiumAmmTokenSwap. */
  readonly name: string;
  /** Type, e.g. `ACTIVITY_TOKEN_SWAP`. */
  readonly type: string;
  readonly data: JsonObject;
  /** Whether it is a purpose of the transaction, as swaps and sales are, and not a limit or account housekeeping. */
  readonly isMain: boolean;
}

/** An exchange of two tokens by an instruction. */
export interface TokenExchange {
  readonly legs: readonly ExchangeLeg[];
}

/** A side of an exchange. */
export interface ExchangeLeg {
  readonly token: string;
  readonly decimals: number | undefined;
  readonly amount: string;
}

/** The activities and exchanges of a transaction. */
export interface TransactionSteps {
  readonly activities: readonly InstructionActivity[];
  readonly exchanges: ReadonlyMap<Instruction, TokenExchange>;
}

const pascalCase = (text: string): string =>
  text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map(capitalize)
    .join("");

const nameOf = (instruction: Instruction, type: string): string =>
  pascalCase(instruction.programName) + pascalCase(type.replace(/^ACTIVITY_(SPL_)?/, ""));

const firstNumber = (info: JsonObject | undefined): Json | undefined =>
  Object.values(info ?? {}).find((value) => typeof value === "number");

const BUDGETS: Readonly<Record<string, readonly [type: string, field: string]>> = {
  setcomputeunitlimit: ["ACTIVITY_COMPUTE_UNIT_LIMIT", "compute_unit_limit"],
  setcomputeunitprice: ["ACTIVITY_COMPUTE_UNIT_PRICE", "compute_unit_price"],
};

/** Transfers that open and close accounts are activities as well. */
const ACCOUNTS: Readonly<Record<string, (transfer: InstructionTransfer) => JsonObject>> = {
  ACTIVITY_SPL_CREATE_ACCOUNT: (t) =>
    omitMissing({
      new_account: t.destination,
      source: t.source,
      init_amount: amountOf(t.amount),
      init_amount_str: t.amount,
      token_address: t.token,
      token_decimals: t.decimals,
      common_type: "createAccount",
    }),
  ACTIVITY_SPL_CLOSE_ACCOUNT: (t) =>
    omitMissing({
      closed_account: t.source,
      destination: t.destination,
      amount: amountOf(t.amount),
      amount_str: t.amount,
      token_address: t.token,
      token_decimals: t.decimals,
      common_type: "closeAccount",
    }),
};

/** Returns the activities of an instruction that do not depend on markets. */
function basicActivities(instruction: Instruction): readonly InstructionActivity[] {
  const budget = instruction.program === COMPUTE_BUDGET ? BUDGETS[instruction.type.toLowerCase()] : undefined;
  if (budget) {
    const [type, field] = budget;
    const data = omitMissing({ [field]: firstNumber(instruction.info) ?? (instruction.raw ? undefined : 0) });
    return [{ instruction, name: "ComputeBudget", type, data, isMain: false }];
  }
  const accounts = instruction.transfers.flatMap((transfer) => {
    const data = ACCOUNTS[transfer.type]?.(transfer);
    if (!data) return [];
    return [{ instruction, name: nameOf(instruction, transfer.type), type: transfer.type, data, isMain: false }];
  });
  if (accounts.length > 0 || instruction.transfers.length > 0) return accounts;
  if (!instruction.programName.startsWith("spl-")) return [];
  const data = { common_type: instruction.type };
  return [{ instruction, name: nameOf(instruction, "COMMON"), type: "ACTIVITY_SPL_COMMON", data, isMain: false }];
}

function readLegs(db: LedgerReader, row: LedgerRow): readonly ExchangeLeg[] {
  const first = leg(db, row.token1_id, row.amount1);
  return row.token2_id === null ? [first] : [first, leg(db, row.token2_id, row.amount2 ?? "0")];
}

const leg = (db: LedgerReader, token: unknown, amount: unknown): ExchangeLeg => ({
  token: db.addressOf(Number(token)),
  decimals: decimalsOf(db, token),
  amount: String(amount),
});

const legData = (legs: readonly ExchangeLeg[]): JsonObject =>
  omitMissing(
    Object.fromEntries(
      legs.flatMap(({ token, decimals, amount }, n) => [
        [`token_${n + 1}`, token],
        [`token_decimal_${n + 1}`, decimals],
        [`amount_${n + 1}`, amountOf(amount)],
        [`amount_${n + 1}_str`, amount],
      ]),
    ),
  );

const LEGS = `r.token1_id, ${asText("r.amount1")} AS amount1, r.token2_id, ${asText("r.amount2")} AS amount2`;

function marketActivities(db: LedgerReader, transaction: number, tree: readonly Instruction[]) {
  const rows = rowRange(transaction);
  const all = db.all(
    `SELECT r.id, r.instruction, r.type, r.from_id, r.to_id, ${LEGS} FROM defi r
    WHERE r.id >= ? AND r.id < ? ORDER BY r.id`,
    ...rows,
  );
  const routes = db.all(
    `SELECT r.id, r.activity, r.parent, r.pool_id, r.program_id, r.trader_id, r.is_trade, ${LEGS} FROM routes r
    WHERE r.id >= ? AND r.id < ? ORDER BY r.id`,
    ...rows,
  );
  return all.flatMap((row) => {
    const instruction = tree[Number(row.instruction)];
    if (!instruction) return [];
    const activityRoutes = routes.filter((route) => route.activity === Number(row.id) % ROWS_PER_TRANSACTION);
    const [first] = activityRoutes;
    const legs = readLegs(db, row);
    const type = DEFI_TYPES[Number(row.type)] ?? "";
    const data = {
      ...(first && activityRoutes.length === 1 ? poolFields(db, Number(first.pool_id)) : {}),
      account: db.addressOf(Number(row.from_id)),
      ...legData(legs),
      owner_1: db.addressOf(Number(row.from_id)),
      owner_2: db.addressOf(Number(row.to_id)),
      ...(activityRoutes.length > 1 ? { routers: routersJson(db, activityRoutes, -1) } : {}),
    };
    const main = { instruction, name: nameOf(instruction, type), type, data, isMain: true, legs };
    return [main, ...venueSwaps(db, instruction, activityRoutes)];
  });
}

/** Returns a pool and the owner of its vaults; only the address of another venue. */
function poolFields(db: LedgerReader, pool: number): JsonObject {
  const authority = db.get(
    "SELECT t.owner_id AS id FROM pools p CROSS JOIN token_accounts t ON t.account_id = p.vault1_id WHERE p.account_id = ?",
    pool,
  );
  return {
    amm_id: db.addressOf(pool),
    ...(authority ? { amm_authority: db.addressOf(Number(authority.id)) } : {}),
  };
}

function routersJson(db: LedgerReader, routes: readonly LedgerRow[], parent: number): readonly JsonObject[] {
  return routes
    .filter((route) => route.parent === parent)
    .map((route) => ({
      amm_id: db.addressOf(Number(route.pool_id)),
      program_id: db.addressOf(Number(route.program_id)),
      ...legData(readLegs(db, route)),
      child_routers: routersJson(db, routes, Number(route.id) % ROWS_PER_TRANSACTION),
    }));
}

/**
 * Returns the venue swaps of an aggregated swap: each belongs to the next inner call of the venue's program, which calls
 * itself to log events.
 */
function venueSwaps(db: LedgerReader, top: Instruction, routes: readonly LedgerRow[]) {
  const calls = withInner(top).slice(1);
  return routes.flatMap((route) => {
    const program = db.addressOf(Number(route.program_id));
    const at = calls.findIndex((call) => call.program === program && call.caller?.program !== program);
    const [instruction] = at < 0 ? [] : calls.splice(at, 1);
    if (!instruction || route.is_trade === 0) return [];
    const [trader, pool] = [db.addressOf(Number(route.trader_id)), db.addressOf(Number(route.pool_id))];
    const legs = readLegs(db, route);
    const fields = poolFields(db, Number(route.pool_id));
    const data = { ...fields, account: trader, ...legData(legs), owner_1: trader, owner_2: pool };
    const type = "ACTIVITY_TOKEN_SWAP";
    return [{ instruction, name: nameOf(instruction, type), type, data, isMain: true, legs }];
  });
}

/** Returns sales, listings and bids; their instruction is the first one of the marketplace. */
function nftActivities(db: LedgerReader, transaction: number, tree: readonly Instruction[]) {
  const rows = db.all(
    `SELECT a.type, a.nft_id, a.from_id, a.to_id, a.marketplace_id, ${asText("a.price")} AS price, a.currency_id
    FROM nft_activities a WHERE a.id >= ? AND a.id < ? ORDER BY a.id`,
    ...rowRange(transaction),
  );
  return rows.flatMap((row) => {
    const marketplace = db.addressOf(Number(row.marketplace_id));
    const instruction = tree.find(({ program }) => program === marketplace) ?? tree.at(-1);
    if (!instruction) return [];
    const type = NFT_ACTIVITIES[Number(row.type)] ?? "";
    const data = omitMissing({
      nft_address: db.addressOf(Number(row.nft_id)),
      from_address: row.from_id === null ? "" : db.addressOf(Number(row.from_id)),
      to_address: row.to_id === null ? "" : db.addressOf(Number(row.to_id)),
      price: amountOf(row.price),
      price_str: String(row.price),
      currency_token: db.addressOf(Number(row.currency_id)),
      currency_decimals: decimalsOf(db, row.currency_id),
    });
    return [{ instruction, name: nameOf(instruction, type), type, data, isMain: true }];
  });
}

/** Returns the activities of a transaction by its instructions. A failed transaction only sets its limits. */
export function stepsOf(
  db: LedgerReader,
  { id, error }: Pick<TransactionHead, "id" | "error">,
  tree: readonly Instruction[],
): TransactionSteps {
  const markets = marketActivities(db, id, tree);
  const executed = error === undefined ? tree : tree.filter(({ program }) => program === COMPUTE_BUDGET);
  const activities = [...executed.flatMap(basicActivities), ...markets, ...nftActivities(db, id, tree)];
  return {
    activities: activities.sort((a, b) => a.instruction.n - b.instruction.n),
    exchanges: new Map(markets.filter(({ legs }) => legs.length === 2).map((market) => [market.instruction, market])),
  };
}

/** Returns the other leg when a transfer is a leg of an exchange of its instruction or of a caller. */
export function findOtherLeg(
  steps: TransactionSteps,
  instruction: Instruction,
  transfer: InstructionTransfer,
): ExchangeLeg | undefined {
  for (let at: Instruction | undefined = instruction; at; at = at.caller) {
    const [first, second] = steps.exchanges.get(at)?.legs ?? [];
    if (first?.token === transfer.token && first.amount === transfer.amount) return second;
    if (second?.token === transfer.token && second.amount === transfer.amount) return first;
  }
  return undefined;
}
