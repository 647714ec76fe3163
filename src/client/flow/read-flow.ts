/** Follows the money: reads the transfers of wallets, then those of the wallets that they dealt with most, and so on. */
import PQueue from "p-queue";
import {
  compareDecimals,
  type Decimal,
  decimalText,
  fieldOf,
  isObject,
  type Json,
  type JsonObject,
  SolxError,
} from "../../base/index.ts";
import type { Endpoint, ParameterValues } from "../../catalogue/index.ts";
import type { ClientCore } from "../client.ts";
import { FlowFacts, type FlowFactsOptions, type FlowRole } from "./flow-facts.ts";
import { compareTexts, type Flow, FlowGraph, listHops, sumFlows } from "./flow-graph.ts";

/** What is followed, and how far. */
export interface FlowRequest {
  readonly wallets: readonly string[];
  /** The list of transfers of a wallet, and its filters. */
  readonly endpoint: Endpoint;
  readonly filters: ParameterValues;
  /** The number of steps from the wallets. */
  readonly depth: number;
  /** The number of accounts that are shown, and followed, of each wallet: those with the largest flows. */
  readonly breadth: number;
  /** The number of the newest transfers that are read of each wallet. */
  readonly transfers: number;
  /** US dollars that flows with an account are worth at least, for it to be shown. */
  readonly minValue?: number | undefined;
}

/** What a source knows beside transfers, and how it is asked. */
export interface FlowOptions extends FlowFactsOptions {
  /** Called for each wallet that was read. */
  readonly onWallet?: (() => void) | undefined;
}

/** An account of the graph. */
export interface FlowAccount {
  readonly address: string;
  /** The number of steps from the wallets that were asked for. */
  readonly depth: number;
  readonly role: FlowRole;
  readonly label: string | undefined;
  /** Which of its transfers were read. */
  readonly read: "all" | "newest" | "none";
  /** Why they were not read. */
  readonly error?: SolxError;
}

/** What moved between two accounts in one token, or between one and several others in any. */
export interface FlowEdge {
  /** The number of steps from the wallets that were asked for. */
  readonly depth: number;
  /** Undefined where several accounts are meant. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** The number of accounts at the end that is not a single one. */
  readonly accounts: number;
  /** The token, its decimals and the sum in base units; undefined where several accounts are meant. */
  readonly moved: Pick<Flow, "token" | "decimals" | "amount"> | undefined;
  readonly transfers: number;
  /** In US dollars at the latest prices; undefined where the price is not known. */
  readonly value: Decimal | undefined;
  readonly first: number;
  readonly last: number;
}

/** The graph of what was read. */
export interface MoneyFlow {
  readonly accounts: readonly FlowAccount[];
  readonly edges: readonly FlowEdge[];
  /** The names of tokens and accounts, as the API sends them beside rows. */
  readonly metadata: JsonObject;
}

/** Wallets whose transfers are read at the same time. */
const CONCURRENCY = 4;

/**
 * Reads the flows around wallets. A wallet that fails is without its transfers, but for those that were asked for.
 * @throws SolxError when a wallet that was asked for cannot be read
 */
export async function readMoneyFlow(
  client: ClientCore,
  request: FlowRequest,
  options: FlowOptions,
): Promise<MoneyFlow> {
  const reading = new FlowReading(client, request, options);
  let level: readonly string[] = [...new Set(request.wallets)];
  await reading.describe(level, 0);
  for (let depth = 0; depth < request.depth && level.length > 0; depth += 1) {
    await reading.read(level);
    level = await reading.describe(reading.largest(level), depth + 1);
  }
  return reading.result();
}

class FlowReading {
  readonly #client: ClientCore;
  readonly #request: FlowRequest;
  readonly #options: FlowOptions;
  readonly #graph: FlowGraph;
  readonly #facts: FlowFacts;
  readonly #accounts = new Map<string, FlowAccount>();
  readonly #tokens: Record<string, Json> = {};

  constructor(client: ClientCore, request: FlowRequest, options: FlowOptions) {
    this.#client = client;
    this.#request = request;
    this.#options = options;
    this.#graph = new FlowGraph(request.endpoint.identity ?? []);
    this.#facts = new FlowFacts(async () => client, options);
  }

  /** Reads the transfers of wallets, and the prices of their tokens. */
  async read(wallets: readonly string[]): Promise<void> {
    const queue = new PQueue({ concurrency: CONCURRENCY });
    await queue.addAll(wallets.map((address) => () => this.#readWallet(address)));
    await this.#facts.loadPrices(this.#graph.flows().map(({ token }) => token));
  }

  async #readWallet(address: string): Promise<void> {
    const account = this.#accounts.get(address) as FlowAccount;
    const { endpoint, filters, transfers } = this.#request;
    const { signal } = this.#options;
    const add = this.#graph.openList();
    try {
      let isCut = false;
      for await (const page of this.#client.pages(endpoint, { ...filters, address }, { limit: transfers, signal })) {
        add(page.rows);
        isCut = page.isCut || page.hasMore !== false;
        const tokens = fieldOf(page.answer.envelope?.metadata, "tokens");
        if (isObject(tokens)) Object.assign(this.#tokens, tokens);
      }
      this.#accounts.set(address, { ...account, read: isCut ? "newest" : "all" });
    } catch (error) {
      if (account.depth === 0 || !(error instanceof SolxError) || signal?.aborted) throw error;
      this.#accounts.set(address, { ...account, error });
    }
    this.#options.onWallet?.();
  }

  /** Returns the accounts with which wallets had the largest flows, the largest of each wallet first. */
  largest(wallets: readonly string[]): readonly string[] {
    const { breadth, minValue = 0 } = this.#request;
    const hops = [...listHops(this.#graph.flows(), wallets, this.#facts.valueOf).values()];
    return hops.flatMap((all) =>
      all
        .filter(({ value }) => (toNumber(value) ?? 0) >= minValue)
        .slice(0, breadth)
        .map(({ address }) => address),
    );
  }

  /** Adds accounts with what is known of them. Returns the new ones that can be followed. */
  async describe(addresses: readonly string[], depth: number): Promise<readonly string[]> {
    const added = [...new Set(addresses)].filter((address) => !this.#accounts.has(address));
    await this.#facts.loadLabels(added);
    return added.filter((address) => {
      const role = this.#facts.roleOf(address);
      this.#accounts.set(address, { address, depth, role, label: this.#facts.labelOf(address), read: "none" });
      return role === "wallet" || depth === 0;
    });
  }

  result(): MoneyFlow {
    const collapsed = new Map<string, Flow[]>();
    const single: FlowEdge[] = [];
    for (const flow of this.#graph.flows()) {
      const { from, to } = flow;
      if (this.#accounts.has(from) && this.#accounts.has(to)) single.push(this.#toEdge(flow));
      else {
        const key = this.#accounts.has(from) ? `${from} ` : ` ${to}`;
        collapsed.set(key, [...(collapsed.get(key) ?? []), flow]);
      }
    }
    const joined = [...collapsed].map(([key, flows]) => this.#joinEdges(key.split(" "), flows));
    const labels = [...this.#accounts.keys()].flatMap((address) => {
      const metadata = this.#facts.metadataOf(address);
      return metadata === undefined ? [] : [[address, metadata] as const];
    });
    return {
      accounts: [...this.#accounts.values()],
      edges: [...single.toSorted(compareEdges), ...joined.toSorted(compareEdges)].toSorted((a, b) => a.depth - b.depth),
      metadata: { tokens: this.#tokens, accounts: Object.fromEntries(labels) },
    };
  }

  #toEdge(flow: Flow): FlowEdge {
    const { from, to, transfers, first, last } = flow;
    return {
      ...{ depth: this.#depthOf([from, to]), from, to, accounts: 1, moved: flow },
      ...{ transfers, value: this.#facts.valueOf(flow), first, last },
    };
  }

  /** Returns the edge between an account and all others that are not shown. */
  #joinEdges([from, to]: readonly (string | undefined)[], flows: readonly Flow[]): FlowEdge {
    return {
      depth: this.#depthOf([from, to]),
      from: from || undefined,
      to: to || undefined,
      accounts: new Set(flows.map((flow) => (from ? flow.to : flow.from))).size,
      moved: undefined,
      ...sumFlows(flows, this.#facts.valueOf),
    };
  }

  /** Returns the number of steps to an edge: it was read with the transfers of its nearer end. */
  #depthOf(ends: readonly (string | undefined)[]): number {
    const read = ends.map((end) => this.#accounts.get(end ?? "")).filter((account) => account?.read !== "none");
    return 1 + Math.min(...read.map((account) => account?.depth ?? Number.POSITIVE_INFINITY));
  }
}

/** The largest values first, those without a value by their transfers. */
function compareEdges(a: FlowEdge, b: FlowEdge): number {
  if (a.value && b.value && compareDecimals(a.value, b.value) !== 0) return compareDecimals(b.value, a.value);
  const known = Number(b.value !== undefined) - Number(a.value !== undefined);
  return known || b.transfers - a.transfers || compareTexts(edgeKey(a), edgeKey(b));
}

const edgeKey = ({ from = "", to = "", moved }: FlowEdge): string => `${from} ${to} ${moved?.token}`;

const toNumber = (value: Decimal | undefined): number | undefined => value && Number(decimalText(value));
