/** Follows the money: reads the transfers of wallets, then those of the wallets that they dealt with most, and so on. */
import { Buffer } from "node:buffer";
import PQueue from "p-queue";
import {
  compareDecimals,
  type Decimal,
  decimalText,
  decodeBase58,
  fieldOf,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  SolxError,
  scaleDown,
  splitIntoBatches,
  sumDecimals,
  textOf,
} from "../../base/index.ts";
import {
  type Endpoint,
  endpointByPath,
  isExchangeWallet,
  isOnCurve,
  type ParameterValues,
} from "../../catalogue/index.ts";
import type { ClientCore } from "../client.ts";
import { TokenPrices } from "../tokens/token-prices.ts";
import { type Flow, FlowGraph } from "./flow-graph.ts";

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
export interface FlowOptions {
  readonly hasPrices: boolean;
  readonly supports: (endpoint: Endpoint) => boolean;
  readonly signal?: AbortSignal | undefined;
  /** Called for each wallet that was read. */
  readonly onWallet?: (() => void) | undefined;
}

/** What an account is: only wallets are followed, since what moves through exchanges and programs is not one owner's. */
export type FlowRole = "wallet" | "exchange" | "program";

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

type Counterparty = { readonly address: string; value: number; transfers: number };

class FlowReading {
  readonly #client: ClientCore;
  readonly #request: FlowRequest;
  readonly #options: FlowOptions;
  readonly #graph: FlowGraph;
  readonly #prices: TokenPrices;
  readonly #accounts = new Map<string, FlowAccount>();
  readonly #labels: Record<string, Json> = {};
  readonly #tokens: Record<string, Json> = {};

  constructor(client: ClientCore, request: FlowRequest, options: FlowOptions) {
    this.#client = client;
    this.#request = request;
    this.#options = options;
    this.#graph = new FlowGraph(request.endpoint.identity ?? []);
    this.#prices = new TokenPrices(async () => client, options.signal);
  }

  /** Reads the transfers of wallets, and the prices of their tokens. */
  async read(wallets: readonly string[]): Promise<void> {
    const queue = new PQueue({ concurrency: CONCURRENCY });
    await queue.addAll(wallets.map((address) => () => this.#readWallet(address)));
    if (this.#options.hasPrices) await this.#prices.load(this.#graph.flows().map(({ token }) => token));
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
    const counterparties = new Map(wallets.map((wallet) => [wallet, new Map<string, Counterparty>()]));
    for (const flow of this.#graph.flows()) {
      for (const [wallet, address] of [
        [flow.from, flow.to],
        [flow.to, flow.from],
      ] as const) {
        const known = counterparties.get(wallet);
        const sums = known?.get(address) ?? { address, value: 0, transfers: 0 };
        sums.value += toNumber(this.#valueOf(flow)) ?? 0;
        sums.transfers += flow.transfers;
        known?.set(address, sums);
      }
    }
    const { breadth, minValue = 0 } = this.#request;
    return [...counterparties.values()].flatMap((known) =>
      [...known.values()]
        .filter(({ value }) => value >= minValue)
        .toSorted((a, b) => b.value - a.value || b.transfers - a.transfers || compareTexts(a.address, b.address))
        .slice(0, breadth)
        .map(({ address }) => address),
    );
  }

  /** Adds accounts with what is known of them. Returns the new ones that can be followed. */
  async describe(addresses: readonly string[], depth: number): Promise<readonly string[]> {
    const added = [...new Set(addresses)].filter((address) => !this.#accounts.has(address));
    await this.#readLabels(added);
    return added.filter((address) => {
      const role = this.#roleOf(address);
      const label = textOf(fieldOf(this.#labels[address], "account_label"));
      this.#accounts.set(address, { address, depth, role, label, read: "none" });
      return role === "wallet" || depth === 0;
    });
  }

  async #readLabels(addresses: readonly string[]): Promise<void> {
    const endpoint = endpointByPath("v2", "/account/metadata/multi");
    if (!endpoint || !this.#options.supports(endpoint)) return;
    const { signal } = this.#options;
    for (const address of splitIntoBatches(addresses, endpoint.query.address?.maxItems ?? 1)) {
      const { rows = [] } = await this.#client.fetch(endpoint, { address }, { signal });
      for (const row of rows) {
        const account = textOf(fieldOf(row, "account_address"));
        if (account !== undefined) this.#labels[account] = row;
      }
    }
  }

  #roleOf(address: string): FlowRole {
    const tags = fieldOf(this.#labels[address], "account_tags");
    const isTagged = isArray(tags) && tags.some((tag) => /^exchange/.test(String(tag)));
    if (isTagged || isExchangeWallet(address)) return "exchange";
    return isOnCurve(Buffer.from(decodeBase58(address))) ? "wallet" : "program";
  }

  #valueOf({ token, decimals, amount }: Flow): Decimal | undefined {
    return this.#prices.valueOf(token, scaleDown(amount, decimals));
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
    return {
      accounts: [...this.#accounts.values()],
      edges: [...single.toSorted(compareEdges), ...joined.toSorted(compareEdges)].toSorted((a, b) => a.depth - b.depth),
      metadata: { tokens: this.#tokens, accounts: this.#labels },
    };
  }

  #toEdge(flow: Flow): FlowEdge {
    const { from, to, transfers, first, last } = flow;
    return {
      ...{ depth: this.#depthOf([from, to]), from, to, accounts: 1, moved: flow },
      ...{ transfers, value: this.#valueOf(flow), first, last },
    };
  }

  /** Returns the edge between an account and all others that are not shown. */
  #joinEdges([from, to]: readonly (string | undefined)[], flows: readonly Flow[]): FlowEdge {
    const values = flows.map((flow) => this.#valueOf(flow));
    const known = values.filter((value) => value !== undefined);
    return {
      depth: this.#depthOf([from, to]),
      from: from || undefined,
      to: to || undefined,
      accounts: new Set(flows.map((flow) => (from ? flow.to : flow.from))).size,
      moved: undefined,
      transfers: flows.reduce((sum, flow) => sum + flow.transfers, 0),
      value: known.length > 0 ? sumDecimals(known) : undefined,
      first: Math.min(...flows.map(({ first }) => first)),
      last: Math.max(...flows.map(({ last }) => last)),
    };
  }

  /** Returns the number of steps to an edge: it was read with the transfers of its nearer end. */
  #depthOf(ends: readonly (string | undefined)[]): number {
    const read = ends.map((end) => this.#accounts.get(end ?? "")).filter((account) => account?.read !== "none");
    return 1 + Math.min(...read.map((account) => account?.depth ?? Number.POSITIVE_INFINITY));
  }
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** The largest values first, those without a value by their transfers. */
function compareEdges(a: FlowEdge, b: FlowEdge): number {
  if (a.value && b.value && compareDecimals(a.value, b.value) !== 0) return compareDecimals(b.value, a.value);
  const known = Number(b.value !== undefined) - Number(a.value !== undefined);
  return known || b.transfers - a.transfers || compareTexts(edgeKey(a), edgeKey(b));
}

const edgeKey = ({ from = "", to = "", moved }: FlowEdge): string => `${from} ${to} ${moved?.token}`;

const toNumber = (value: Decimal | undefined): number | undefined => value && Number(decimalText(value));
