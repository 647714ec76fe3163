/** What a flow tree is made from: transfers that the explorer loads, their sums, and labels and prices beside them. */
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { InterruptedError, toSentence } from "../../../base/index.ts";
import type { ParameterValues } from "../../../catalogue/index.ts";
import {
  type Flow,
  type FlowDirection,
  FlowFacts,
  FlowGraph,
  type FlowHop,
  listHops,
  type ValueOfFlow,
} from "../../../client/index.ts";
import { toSolxError } from "../../data/query.ts";
import { useExplorer } from "../../navigation/context.ts";
import { type EndpointRequest, type ListLoad, NO_LOAD } from "../../navigation/data-store.ts";
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
export interface FlowData extends Pick<FlowFactsState, "facts" | "status"> {
  readonly hopsOf: (address: string, direction: FlowDirection) => readonly FlowHop[];
  /**
   * Returns the value of a flow. Which tokens have prices follows from the lists and not from the order in which they were
   * opened, so that the same transfers have the same values.
   */
  readonly flowValue: ValueOfFlow;
  /** Requests the labels of accounts that have none, once the order of the flows is known. */
  readonly showAccounts: (addresses: readonly string[]) => void;
}

/** Adds up the transfers of lists. */
export function useFlowData(lists: readonly FlowList[]): FlowData {
  const flows = useMemo(() => {
    const graph = new FlowGraph(TRANSFERS.identity ?? []);
    for (const { load } of lists) graph.openList()(load.rows);
    return graph.flows();
  }, [lists]);
  const priced = useMemo(() => pricedTokens(lists.map(({ load }) => load.rows)), [lists]);
  const { facts, version, status, load } = useFlowFacts();
  // Of half of a list, other tokens would be the most frequent ones.
  const isReading = lists.some((list) => list.load.isLoading || list.load === NO_LOAD);
  useEffect(() => {
    if (priced.size > 0 && !isReading) load(() => facts.loadPrices(priced));
  }, [priced, isReading, facts, load]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: prices arrive with the version.
  const flowValue = useCallback(
    (flow: Flow) => (priced.has(flow.token) ? facts.valueOf(flow) : undefined),
    [priced, facts, version],
  );
  const hopsOf = useCallback(
    (address: string, direction: FlowDirection) => listHops(flows, [address], flowValue, direction).get(address) ?? [],
    [flows, flowValue],
  );
  // Prices decide which accounts are shown.
  const isOrdered = version > 0;
  const showAccounts = useCallback(
    (all: readonly string[]) => {
      if (isOrdered && all.length > 0) load(() => facts.loadLabels(all));
    },
    [isOrdered, facts, load],
  );
  return { facts, status, hopsOf, flowValue, showAccounts };
}

/** What is known of accounts and tokens. */
interface FlowFactsState {
  readonly facts: FlowFacts;
  /** Grows when labels or prices arrive. */
  readonly version: number;
  /** What is being read, or why something could not be; empty when all is known. */
  readonly status: string;
  readonly load: (request: () => Promise<void>) => void;
}

/** Returns facts that are requested one after the other while the component is mounted. */
function useFlowFacts(): FlowFactsState {
  const { services } = useExplorer();
  const [{ version, pending, problem }, set] = useState({ version: 0, pending: 0, problem: "" });
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
      set((before) => ({ ...before, pending: before.pending + 1 }));
      const settle = (text: string) =>
        set((before) => ({ version: before.version + 1, pending: before.pending - 1, problem: text }));
      last.current = last.current.then(request).then(
        () => settle(""),
        // Without them, the graph has amounts and addresses.
        (error: unknown) => {
          if (!controller.signal.aborted) settle(`Some prices or names are missing: ${toSentence(toSolxError(error))}`);
        },
      );
    },
    [controller],
  );
  return { facts, version, status: pending > 0 ? "reading prices and names …" : problem, load };
}
