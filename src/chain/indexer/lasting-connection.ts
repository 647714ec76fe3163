/**
 * Several connections to nodes of a cluster as one that does not give up: what may succeed later is repeated without an
 * end, on the next node first. Only what no node will ever answer is an error.
 */
import { isArray, type Json, SolxError, sleep, throwIfAborted, toNumeric } from "../../base/index.ts";
import {
  type CallOptions,
  isHistoryPruned,
  isSkippedSlot,
  Member,
  NODE_ERROR,
  type NodeConnection,
  type RpcCall,
} from "../solana/index.ts";

/** What becomes of the nodes: each is reported when it begins, not for every call. */
export type NodeEvent =
  /** No node answers; calls are repeated. */
  | { readonly kind: "waiting"; readonly node: string; readonly text: string }
  /** A node answers all calls again. */
  | { readonly kind: "recovered"; readonly node: string; readonly seconds: number }
  /** Another node takes over. */
  | { readonly kind: "failover"; readonly from: string; readonly to: string; readonly text: string }
  /** A node belongs to another cluster: it is not used. */
  | { readonly kind: "excluded"; readonly node: string };

/** Options of {@link lastingConnection}. */
export interface LastingOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: NodeEvent) => void) | undefined;
  /** Called for each call that is repeated. */
  readonly onRetry?: (() => void) | undefined;
  /** Milliseconds of the first wait; they double up to 30 seconds. */
  readonly firstDelay?: number | undefined;
}

/** A connection that does not give up. */
export interface LastingConnection extends NodeConnection {
  /** Calls a method and decodes its result: what cannot be decoded is a failure of the node that returned it. */
  read<T>(call: RpcCall, decode: (result: Json) => T, options?: CallOptions): Promise<T>;
  /**
   * Asks the nodes again to which cluster they belong. Returns false when one of them no longer does, or does not say it:
   * what was read is to be read again.
   * @throws SolxError when none is left
   */
  checkCluster(signal?: AbortSignal): Promise<boolean>;
}

/** What is optional to an index: it goes on without a block that no node returns for this often while they answer. */
const BLOCK = "getBlock";
export const MAX_ROUNDS = 7;
/** What each node knows of itself alone: where its history begins. A list of blocks depends on that. */
const FIRST_SLOT = "getFirstAvailableBlock";
const LIST = "getBlocks";
const GENESIS = "getGenesisHash";
const SLOT = "getSlot";
/** Slots by which a node may be behind another one, as nodes themselves call it healthy. */
const MAX_LAG = 128;
/** Milliseconds between comparisons of the nodes, and seconds in which a node has to answer them. */
const COMPARISON_INTERVAL = 10_000;
const COMPARISON_SECONDS = 2;
/** The error of a call that was not repeated any more: a later one may succeed. A class, as nodes can send any code. */
export class GivenUpError extends SolxError {
  constructor(cause: SolxError) {
    super(cause.exit, cause.message, { code: "GIVEN_UP", cause });
  }
}

/** The error of a block that cannot be decoded or stored; it names the slot. */
export class UnreadableBlockError extends SolxError {
  /** Whether the block was read before: it is the same whenever it is asked for. */
  readonly isRefused: boolean;

  constructor(slot: number, cause: Error, isRefused = false) {
    super("server", `The block of slot ${slot} cannot be indexed: ${cause.message}`, { code: "BLOCK", cause });
    this.isRefused = isRefused;
  }
}

/** Returns the error of nodes that have another chain than the blocks that were read before. */
export const differentChainError = (message: string) =>
  new SolxError("unexpected", message, {
    code: "DIFFERENT_CHAIN",
    hint: "The cluster may have been reset: index into a new file.",
  });

const FIRST_DELAY = 500;
const MAX_DELAY = 30_000;

/** Returns the milliseconds before a round of attempts. */
export const retryDelay = (round: number, firstDelay = FIRST_DELAY): number =>
  Math.min(MAX_DELAY, firstDelay * 2 ** Math.min(round, 16)) * (0.5 + Math.random() / 2);

const PASSING_EXITS: ReadonlySet<string> = new Set(["network", "server", "rateLimited"]);
/** Failures that end when somebody acts. */
const LASTING_EXITS: ReadonlySet<string> = new Set(["auth", "quota"]);
/** Failures after which another node may answer at the same address. */
const RESTART_EXITS: ReadonlySet<string> = new Set(["network", "server"]);
/** What an index cannot do without: these are repeated whatever a node says that has served them. */
const NEEDED: ReadonlySet<string> = new Set([LIST, FIRST_SLOT, SLOT, GENESIS, "getEpochSchedule"]);

/** Whether a node will answer the same again: what it says about its history, or about a program that it does not list. */
const isFinal = (error: SolxError, method: string): boolean =>
  error.code === NODE_ERROR.excluded ||
  (method === BLOCK && isSkippedSlot(error)) ||
  ((method === BLOCK || method === LIST) && isHistoryPruned(error));

/** Connects to nodes as to one. @param nodes the preferred one first */
export function lastingConnection(nodes: readonly NodeConnection[], options: LastingOptions = {}): LastingConnection {
  const [first] = nodes;
  if (!first) throw new TypeError("no nodes");
  const connection = new Repeater(nodes, options);
  return {
    name: nodes.map(({ name }) => name).join(", "),
    commitment: first.commitment,
    now: first.now,
    call: (method, params = [], sending) => connection.read({ method, params }, asIs, sending),
    read: (call, decode, sending) => connection.read(call, decode, sending),
    callMany: (calls, sending) => connection.callMany(calls, sending),
    checkCluster: (signal = options.signal) => connection.checkCluster({ signal, priority: "background", fresh: true }),
  };
}

const asIs = (result: Json): Json => result;

class Repeater {
  readonly #options: LastingOptions;
  #nodes: readonly NodeConnection[];
  /** The node that answers. */
  #current: NodeConnection;
  /** Whether nodes belong to the cluster of the first one that answered, as far as they were asked. */
  readonly #membership = new Map<NodeConnection, Promise<boolean>>();
  #genesis: string | undefined;
  /** The oldest slots whose blocks nodes have, as far as they were asked. */
  readonly #firstSlots = new Map<NodeConnection, number>();
  /** Methods that a node has served. */
  readonly #served = new Set<string>();
  /** Methods that were given up: they are not repeated until a node serves them. */
  readonly #lost = new Set<string>();
  /** Calls that are being repeated, and since when one is. */
  #waiting = 0;
  #since = 0;
  /** When the slots of the nodes are compared again. */
  #nextComparison = 0;

  constructor(nodes: readonly NodeConnection[], options: LastingOptions) {
    this.#nodes = nodes;
    this.#options = options;
    this.#current = nodes[0] as NodeConnection;
  }

  async read<T>(call: RpcCall, decode: (result: Json) => T, options: CallOptions = {}): Promise<T> {
    const sending = { ...options, signal: options.signal ?? this.#options.signal };
    let isWaiting = false;
    try {
      for (let round = 0; ; round++) {
        const result = await this.#ask(call, decode, sending);
        if (!(result instanceof SolxError)) return result;
        if (result instanceof UnreadableBlockError && result.isRefused) throw new GivenUpError(result);
        if (!isWaiting) this.#beginWaiting(result);
        isWaiting = true;
        this.#options.onRetry?.();
        const { method } = call;
        const isLast = round >= MAX_ROUNDS || this.#lost.has(method);
        if (isLast && isOptional(call, result) && (await this.#answers(sending))) {
          if (method === BLOCK) throw new GivenUpError(result);
          this.#lost.add(method);
          throw result;
        }
        await sleep(this.#delay(round, result), sending.signal);
      }
    } finally {
      if (isWaiting) this.#endWaiting();
    }
  }

  /** Whether any node answers. */
  async #answers(options: CallOptions): Promise<boolean> {
    const call = { method: SLOT, params: [] };
    return !((await this.#ask(call, asIs, options).catch(toOutcome)) instanceof SolxError);
  }

  async callMany(calls: readonly RpcCall[], options: CallOptions = {}): Promise<readonly (Json | SolxError)[]> {
    const sending = { ...options, signal: options.signal ?? this.#options.signal };
    const node = this.#current;
    const outcomes = this.#membership.has(node) ? await node.callMany(calls, sending) : calls.map(() => UNSENT);
    return Promise.all(
      outcomes.map((outcome, at) => {
        const call = calls[at] as RpcCall;
        const isOver = outcome !== UNSENT && !this.#mayPass(outcome, call.method);
        if (isOver && !(outcome instanceof SolxError)) this.#served.add(call.method);
        if (!isOver) this.#doubt(node, outcome);
        return isOver ? outcome : this.read(call, asIs, sending).catch(toOutcome);
      }),
    );
  }

  /** The nodes in the order in which they are asked. One without the first slots of a list would leave them out. */
  #nodesFor({ method, params }: RpcCall): readonly NodeConnection[] {
    const at = this.#nodes.indexOf(this.#current);
    const nodes = [...this.#nodes.slice(at), ...this.#nodes.slice(0, at)];
    if (method !== LIST) return nodes;
    const lacksStart = (node: NodeConnection) => (this.#firstSlots.get(node) ?? 0) > Number(params[0]);
    return nodes.toSorted((a, b) => Number(lacksStart(a)) - Number(lacksStart(b)));
  }

  /** Asks all nodes for their oldest block. Returns the oldest of these slots: a block is taken from who has it. */
  async #askFirstSlot<T>(call: RpcCall, decode: (result: Json) => T, options: CallOptions): Promise<T | SolxError> {
    let failure: SolxError | undefined;
    for (const node of this.#nodes) {
      try {
        if (!(await this.#isOfCluster(node, options))) continue;
        const slot = await node.call(call.method, call.params, options);
        this.#firstSlots.set(node, new Member(slot).count());
        this.#served.add(call.method);
      } catch (error) {
        throwIfAborted(options.signal);
        if (!(error instanceof SolxError)) throw error;
        this.#doubt(node, error);
        failure ??= error;
      }
    }
    const slots = this.#nodes.flatMap((node) => this.#firstSlots.get(node) ?? []);
    if (slots.length > 0) return decode(toNumeric(String(Math.min(...slots))));
    return failure && this.#mayPass(failure, call.method) ? failure : this.#askEach(call, decode, options);
  }

  /** Asks for what one node answers, or all of them. See {@link #askEach}. */
  async #ask<T>(call: RpcCall, decode: (result: Json) => T, options: CallOptions): Promise<T | SolxError> {
    if (this.#nodes.length > 1 && call.method === FIRST_SLOT) return this.#askFirstSlot(call, decode, options);
    if (this.#nodes.length > 1 && call.method === SLOT) await this.#leaveLagging(call, options);
    return this.#askEach(call, decode, options);
  }

  /** Lets another node take over where it is far ahead of the one that answers, and lists blocks there. */
  async #leaveLagging(call: RpcCall, sending: CallOptions): Promise<void> {
    if (performance.now() < this.#nextComparison) return;
    this.#nextComparison = performance.now() + COMPARISON_INTERVAL;
    const options = { ...sending, timeout: COMPARISON_SECONDS };
    const positions = await Promise.all(
      this.#nodes.map(async (node) => {
        const slot = await node.call(SLOT, call.params, options).catch(toOutcome);
        return typeof slot === "number" && slot >= 0 ? [{ node, slot }] : [];
      }),
    );
    const [best, ...others] = positions.flat().sort((a, b) => b.slot - a.slot);
    const own = others.find(({ node }) => node === this.#current);
    if (!best || !own || best.slot - own.slot <= MAX_LAG) return;
    const range = [best.slot - MAX_LAG, best.slot, ...call.params];
    const listed = await best.node.call(LIST, range, options).catch(toOutcome);
    const isAhead = isArray(listed) && listed.some((slot) => Number(slot) > own.slot);
    if (!isAhead || !(await this.#isOfCluster(best.node, sending).catch(() => false))) return;
    this.#switchTo(best.node, `Its latest slot is ${best.slot - own.slot} slots behind.`);
  }

  /** Asks each node once. Returns the result, or the error of a failure that may pass. @throws other errors */
  async #askEach<T>(call: RpcCall, decode: (result: Json) => T, options: CallOptions): Promise<T | SolxError> {
    const { method, params } = call;
    let failure: SolxError | undefined;
    let final: SolxError | undefined;
    for (const node of this.#nodesFor(call)) {
      try {
        if (!(await this.#isOfCluster(node, options))) continue;
        const result = decode(await node.call(method, params, options));
        this.#served.add(method);
        this.#lost.delete(method);
        if (failure && node !== this.#current) this.#switchTo(node, failure.message);
        return result;
      } catch (error) {
        throwIfAborted(options.signal);
        this.#doubt(node, error);
        if (this.#mayPass(error, method)) failure ??= error;
        else if (error instanceof SolxError && error.code !== NODE_ERROR.skipped) final ??= error;
        else throw error;
      }
    }
    // A node that is out of reach may have what the others lack.
    if (failure) return failure;
    throw final ?? this.#strangersError();
  }

  #mayPass(error: unknown, method: string): error is SolxError {
    if (!(error instanceof SolxError)) return false;
    if (isFinal(error, method)) return false;
    const isRefusal = error.code === NODE_ERROR.unsupportedVersion || !PASSING_EXITS.has(error.exit);
    // A node that has served a method will do so again.
    return !isRefusal || error.code === NODE_ERROR.notYetAvailable || this.#served.has(method);
  }

  /** Asks a node again to which cluster it belongs, as another one may answer at its address after a failure. */
  #doubt(node: NodeConnection, failure: unknown): void {
    if (failure instanceof SolxError && RESTART_EXITS.has(failure.exit)) this.#membership.delete(node);
  }

  async checkCluster(options: CallOptions): Promise<boolean> {
    const asked = this.#nodes.filter((node) => this.#membership.has(node));
    this.#membership.clear();
    const areMembers = await Promise.all(
      asked.map((node) => this.#isOfCluster(node, options).catch((error) => toOutcome(error))),
    );
    if (this.#nodes.length === 0) throw this.#strangersError();
    return areMembers.every((isMember) => isMember === true);
  }

  /** Whether a node belongs to the cluster; it is asked once, until it fails. */
  async #isOfCluster(node: NodeConnection, options: CallOptions): Promise<boolean> {
    let membership = this.#membership.get(node);
    if (!membership) {
      membership = this.#askMembership(node, options);
      this.#membership.set(node, membership);
      membership.catch(() => this.#membership.delete(node));
    }
    return membership;
  }

  async #askMembership(node: NodeConnection, options: CallOptions): Promise<boolean> {
    const genesis = new Member(await node.call(GENESIS, [], options)).text();
    this.#genesis ??= genesis;
    if (genesis === this.#genesis) return true;
    this.#nodes = this.#nodes.filter((other) => other !== node);
    if (this.#nodes.length > 0) this.#report({ kind: "excluded", node: node.name });
    return false;
  }

  #strangersError(): SolxError {
    return differentChainError(`No node belongs to the cluster of the genesis hash ${this.#genesis} any more.`);
  }

  #switchTo(node: NodeConnection, text: string): void {
    this.#report({ kind: "failover", from: this.#current.name, to: node.name, text });
    this.#current = node;
  }

  #beginWaiting({ message }: SolxError): void {
    this.#waiting += 1;
    if (this.#waiting > 1) return;
    this.#since = performance.now();
    this.#report({ kind: "waiting", node: this.#current.name, text: message });
  }

  #endWaiting(): void {
    this.#waiting -= 1;
    if (this.#waiting > 0 || this.#options.signal?.aborted) return;
    const seconds = Math.round((performance.now() - this.#since) / 1000);
    this.#report({ kind: "recovered", node: this.#current.name, seconds });
  }

  #delay(round: number, { retryAfter = 0 }: SolxError): number {
    return Math.max(Math.min(retryAfter * 1000, 10 * MAX_DELAY), retryDelay(round, this.#options.firstDelay));
  }

  #report(event: NodeEvent): void {
    this.#options.onEvent?.(event);
  }
}

/** Whether an index goes on without the result of a call that fails all the time, while the node answers others. */
const isOptional = ({ method }: RpcCall, { exit }: SolxError): boolean =>
  method === BLOCK || !(NEEDED.has(method) || exit === "rateLimited" || LASTING_EXITS.has(exit));

/** Marks a call that was not sent yet; no result is this text. */
const UNSENT = "\0unsent";

function toOutcome(error: unknown): SolxError {
  if (error instanceof SolxError && error.exit !== "interrupted" && error.exit !== "terminated") return error;
  throw error;
}
