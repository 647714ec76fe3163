/** What a flow tree is made from: transfers that the explorer loads, their sums, and labels and prices beside them. */
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { InterruptedError, type Json } from "../../../base/index.ts";
import type { ParameterValues } from "../../../catalogue/index.ts";
import { type Flow, type FlowDirection, FlowFacts, FlowGraph, type FlowHop, listHops } from "../../../client/index.ts";
import { useExplorer } from "../../navigation/context.ts";
import { type EndpointRequest, type ListLoad, NO_LOAD, queryKey } from "../../navigation/data-store.ts";
import { TRANSFERS } from "./transfers.ts";
import { DIRECTIONS, type OpenNodes, pricedTokens } from "./tree.ts";

/** The transfers of an account in one direction. */
export interface FlowList {
  /** The node whose transfers they are; of the wallet in the middle, the direction. */
  readonly path: string;
  readonly address: string;
  readonly direction: FlowDirection;
  readonly request: EndpointRequest;
  readonly load: ListLoad;
}

/** Which transfers are read. */
export interface FlowScope {
  readonly wallet: string;
  readonly open: OpenNodes;
  readonly params: ParameterValues;
}

/** Returns the directions that filters leave. */
export const directionsOf = ({ flow }: ParameterValues): readonly FlowDirection[] =>
  DIRECTIONS.filter((direction) => flow === undefined || flow === direction);

/**
 * Returns the lists of transfers of all open nodes, and reads a page of those that were never read.
 * @param isOn whether anything is read
 */
export function useFlowLists({ wallet, open, params }: FlowScope, isOn: boolean): readonly FlowList[] {
  const { data, services } = useExplorer();
  // Where each transfer costs a call, one list of both directions is read.
  const { isWalk } = services.source.supports(TRANSFERS);
  const scopeKey = JSON.stringify([wallet, params, Object.keys(open).toSorted()]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is read is compared by value.
  const lists = useMemo(() => {
    const paths = [...directionsOf(params), ...Object.keys(open).filter((path) => path.includes("/"))];
    return paths.map((path) => {
      const [direction, ...steps] = path.split("/") as [FlowDirection, ...string[]];
      const address = steps.at(-1) ?? wallet;
      const filters = isWalk ? params : { ...params, flow: direction };
      return { path, address, direction, request: { endpoint: TRANSFERS, params: { ...filters, address } } };
    });
  }, [scopeKey, isWalk]);
  const version = useRef(0);
  const subscribe = useCallback(
    (listener: () => void) => {
      const change = () => {
        version.current += 1;
        listener();
      };
      const stops = lists.map(({ request }) => data.loads.watch(request, change));
      return () => {
        for (const stop of stops) stop();
      };
    },
    [data, lists],
  );
  const current = useSyncExternalStore(subscribe, () => version.current);
  useEffect(() => {
    if (!isOn) return;
    for (const { request } of lists) if (data.loads.read(request) === NO_LOAD) data.loads.start(request, 1);
  }, [data, lists, isOn]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is loaded changes with the version.
  return useMemo(() => lists.map((list) => ({ ...list, load: data.loads.read(list.request) })), [data, lists, current]);
}

/** The sums of transfers, with what is known of their accounts and tokens. */
export interface FlowData {
  readonly facts: FlowFacts;
  /** Grows when labels or prices arrive. */
  readonly version: number;
  readonly hopsOf: (address: string, direction: FlowDirection) => readonly FlowHop[];
  /** Requests the labels of accounts that have none, once the order of the flows is known. */
  readonly showAccounts: (addresses: readonly string[]) => void;
}

/** The sums of lists that grow: rows that were added once are not read again. */
class FlowSums {
  readonly #graph = new FlowGraph(TRANSFERS.identity ?? []);
  readonly #lists = new Map<string, { readonly add: (rows: readonly Json[]) => void; rows: readonly Json[] }>();

  /** Returns whether all rows so far are in the lists. */
  canAdd(lists: readonly FlowList[]): boolean {
    const loaded = new Map(lists.map(({ request, load }) => [queryKey(request), load.rows]));
    return [...this.#lists].every(([key, { rows }]) => {
      const now = loaded.get(key);
      return now !== undefined && now[0] === rows[0] && now[rows.length - 1] === rows.at(-1);
    });
  }

  /** Adds the rows that are new. Returns all flows. */
  add(lists: readonly FlowList[]): readonly Flow[] {
    for (const { request, load } of lists) {
      const key = queryKey(request);
      const list = this.#lists.get(key) ?? { add: this.#graph.openList(), rows: [] };
      this.#lists.set(key, list);
      if (load.rows.length > list.rows.length) list.add(load.rows.slice(list.rows.length));
      list.rows = load.rows;
    }
    return this.#graph.flows();
  }
}

/** Adds up the transfers of lists. */
export function useFlowData(lists: readonly FlowList[]): FlowData {
  const sums = useRef(new FlowSums());
  const flows = useMemo(() => {
    if (!sums.current.canAdd(lists)) sums.current = new FlowSums();
    return sums.current.add(lists);
  }, [lists]);
  const { facts, version, loadPrices, loadLabels } = useFlowFacts();
  // Of half of the lists, other tokens would be the most frequent ones.
  const isReading = lists.some(({ load }) => load.isLoading || load === NO_LOAD);
  useEffect(() => {
    if (flows.length === 0 || isReading) return;
    loadPrices(pricedTokens(flows));
  }, [flows, isReading, loadPrices]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: prices change the order.
  const hopsOf = useMemo(() => {
    const known = new Map<string, readonly FlowHop[]>();
    return (address: string, direction: FlowDirection) => {
      const key = `${direction} ${address}`;
      const hops = known.get(key) ?? listHops(flows, [address], facts.valueOf, direction).get(address) ?? [];
      known.set(key, hops);
      return hops;
    };
  }, [flows, facts, version]);
  return { facts, version, hopsOf, showAccounts: loadLabels };
}

/** Returns facts that are requested one after the other while the component is mounted. */
function useFlowFacts() {
  const { services } = useExplorer();
  const [version, setVersion] = useState(0);
  const { facts, controller } = useMemo(() => {
    const abort = new AbortController();
    const { client, supports, source } = services;
    const options = { hasPrices: source.facts.hasPrices, supports, signal: abort.signal };
    return { facts: new FlowFacts(client, options), controller: abort };
  }, [services]);
  useEffect(() => () => controller.abort(new InterruptedError()), [controller]);
  const last = useRef(Promise.resolve());
  const load = useCallback(
    (request: () => Promise<void>) => {
      last.current = last.current.then(request).then(
        () => setVersion((before) => before + 1),
        // Without them, the graph has amounts and addresses.
        (error: unknown) => controller.signal.aborted || services.log(`Labels and prices of flows: ${String(error)}`),
      ) as Promise<void>;
    },
    [controller, services],
  );
  const loadPrices = useCallback((mints: readonly string[]) => load(() => facts.loadPrices(mints)), [facts, load]);
  const loadLabels = useCallback((all: readonly string[]) => load(() => facts.loadLabels(all)), [facts, load]);
  return { facts, version, loadPrices, loadLabels };
}
