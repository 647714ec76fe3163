/** Who sent what to whom: transfers, added up by sender, receiver and token. */
import {
  type Decimal,
  decimalText,
  fieldOf,
  type Json,
  sumDecimals,
  textOf,
  toDecimal,
  toNumber,
} from "../../base/index.ts";
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
  readonly #flows = new Map<string, GrowingFlow>();
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
    if (flow) addTransfer(flow, transfer);
    else this.#flows.set(key, { ...transfer });
  }

  /** Returns the sums so far, which later rows do not change. */
  flows(): readonly Flow[] {
    return [...this.#flows.values()].map((flow) => ({ ...flow }));
  }
}

type GrowingFlow = { -readonly [Name in keyof Flow]: Flow[Name] };

function addTransfer(flow: GrowingFlow, { amount, first, last }: Flow): void {
  flow.transfers += 1;
  flow.amount = sumDecimals([flow.amount, amount]);
  if (first < flow.first) flow.first = first;
  if (last > flow.last) flow.last = last;
}

/** What several flows are together. */
export interface FlowSum extends Pick<Flow, "transfers" | "first" | "last"> {
  /** In US dollars; undefined where none of their values is known. */
  readonly value: Decimal | undefined;
}

/** Returns the value of a flow in US dollars; undefined where it is not known. */
export type ValueOfFlow = (flow: Flow) => Decimal | undefined;

/** Returns what flows are together. */
export function sumFlows(flows: readonly Flow[], flowValue: ValueOfFlow): FlowSum {
  const values = flows.map(flowValue).filter((value) => value !== undefined);
  return {
    transfers: flows.reduce((sum, flow) => sum + flow.transfers, 0),
    value: values.length > 0 ? sumDecimals(values) : undefined,
    first: flows.reduce((first, flow) => Math.min(first, flow.first), Number.POSITIVE_INFINITY),
    last: flows.reduce((last, flow) => Math.max(last, flow.last), Number.NEGATIVE_INFINITY),
  };
}

/** The flows between a wallet and one other account, the largest first. */
export interface FlowHop extends FlowSum {
  readonly address: string;
  readonly flows: readonly Flow[];
}

/** Which flows of a wallet: those into it, or out of it. */
export type FlowDirection = "in" | "out";

/**
 * Returns with whom wallets dealt: the hops of each, the largest first.
 * @param direction which flows count (default: both)
 */
export function listHops(
  flows: readonly Flow[],
  wallets: readonly string[],
  flowValue: ValueOfFlow,
  direction?: FlowDirection,
): ReadonlyMap<string, readonly FlowHop[]> {
  const byWallet = new Map(wallets.map((wallet) => [wallet, new Map<string, Flow[]>()]));
  const add = (wallet: string, address: string, flow: Flow) => {
    const known = byWallet.get(wallet);
    const hop = known?.get(address);
    if (hop) hop.push(flow);
    else known?.set(address, [flow]);
  };
  for (const flow of flows) {
    if (direction !== "in") add(flow.from, flow.to, flow);
    if (direction !== "out") add(flow.to, flow.from, flow);
  }
  const rank = (value: Decimal | undefined) => (value ? Number(decimalText(value)) : 0);
  const toHop = ([address, all]: readonly [string, readonly Flow[]]): FlowHop => {
    const ranked = all.map((flow) => ({ flow, value: rank(flowValue(flow)) }));
    const ordered = ranked.toSorted((a, b) => b.value - a.value || b.flow.transfers - a.flow.transfers);
    return { address, flows: ordered.map(({ flow }) => flow), ...sumFlows(all, flowValue) };
  };
  const orderOf = (known: ReadonlyMap<string, readonly Flow[]>) =>
    [...known]
      .map(toHop)
      .map((hop) => ({ hop, value: rank(hop.value) }))
      .toSorted(
        (a, b) => b.value - a.value || b.hop.transfers - a.hop.transfers || compareTexts(a.hop.address, b.hop.address),
      )
      .map(({ hop }) => hop);
  return new Map([...byWallet].map(([wallet, known]) => [wallet, orderOf(known)]));
}

/** Compares texts by their code units. */
export const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Returns a transfer between two wallets; undefined for one that stays in a wallet, or comes from nowhere. */
function readTransfer(row: Json): Flow | undefined {
  const [from, to, token] = ["from_address", "to_address", "token_address"].map((name) => textOf(fieldOf(row, name)));
  const amount = toDecimal(fieldOf(row, "amount"));
  const time = toNumber(fieldOf(row, "block_time"));
  if (!from || !to || from === to || token === undefined || !amount || time === undefined) return undefined;
  const decimals = toNumber(fieldOf(row, "token_decimals")) ?? 0;
  return { from, to, token, decimals, transfers: 1, amount, first: time, last: time };
}
