/** Who sent what to whom: transfers, added up by sender, receiver and token. */
import { type Decimal, fieldOf, type Json, sumDecimals, textOf, toDecimal, toNumber } from "../../base/index.ts";
import { createRowKeyer, type RowKey, type RowKeyer } from "../paging/row-keys.ts";

/** What one wallet sent to another in one token. */
export interface Flow {
  readonly from: string;
  readonly to: string;
  readonly token: string;
  readonly decimals: number;
  readonly transfers: number;
  /** The sum in base units. */
  readonly amount: Decimal;
  /** Times of the first and the last transfer, in Unix seconds. */
  readonly first: number;
  readonly last: number;
}

/** The flows between wallets, from the lists of their transfers. */
export class FlowGraph {
  readonly #flows = new Map<string, Flow>();
  readonly #keyer: RowKeyer;
  /** How often each transfer is contained: the lists of both its wallets have it. */
  readonly #counts = new Map<RowKey, number>();

  /** @param identity the fields that identify a transfer in a list */
  constructor(identity: readonly string[]) {
    // The direction is that of the wallet whose list it is.
    this.#keyer = createRowKeyer(identity.filter((field) => field !== "flow"));
  }

  /**
   * Opens the list of a wallet. Returns a function that adds rows of it: a transfer that the list of another wallet had
   * counts once, and one that is twice in a list counts twice.
   */
  openList(): (rows: readonly Json[]) => void {
    const counts = new Map<RowKey, number>();
    return (rows) => {
      const keys = this.#keyer(rows);
      for (const [index, row] of rows.entries()) {
        const key = keys.at(index);
        const count = (counts.get(key) ?? 0) + 1;
        counts.set(key, count);
        if (count <= (this.#counts.get(key) ?? 0)) continue;
        this.#counts.set(key, count);
        const transfer = readTransfer(row);
        if (transfer) this.#add(transfer);
      }
    };
  }

  #add(transfer: Flow): void {
    const key = `${transfer.from} ${transfer.to} ${transfer.token}`;
    const flow = this.#flows.get(key);
    this.#flows.set(key, flow ? joinFlows(flow, transfer) : transfer);
  }

  flows(): readonly Flow[] {
    return [...this.#flows.values()];
  }
}

const joinFlows = (one: Flow, other: Flow): Flow => ({
  ...one,
  transfers: one.transfers + other.transfers,
  amount: sumDecimals([one.amount, other.amount]),
  first: Math.min(one.first, other.first),
  last: Math.max(one.last, other.last),
});

/** Returns a transfer between two wallets; undefined for one that stays in a wallet, or comes from nowhere. */
function readTransfer(row: Json): Flow | undefined {
  const [from, to, token] = ["from_address", "to_address", "token_address"].map((name) => textOf(fieldOf(row, name)));
  const amount = toDecimal(fieldOf(row, "amount"));
  const time = toNumber(fieldOf(row, "block_time"));
  if (!from || !to || from === to || token === undefined || !amount || time === undefined) return undefined;
  const decimals = toNumber(fieldOf(row, "token_decimals")) ?? 0;
  return { from, to, token, decimals, transfers: 1, amount, first: time, last: time };
}
