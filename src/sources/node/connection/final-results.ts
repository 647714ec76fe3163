/**
 * Results that never change, such as finalized blocks and transactions, in the file of the answer cache.
 *
 * They are stored by cluster, which its genesis hash identifies: all nodes of a cluster share them, and a validator that
 * restarts from nothing has another genesis. The genesis hash of a node is requested once a day. Nodes on this machine are the
 * ones that restart so, and fast: without `local`, nothing of them is stored.
 */
import {
  DAY_MS,
  FILL_CACHE,
  ignoreFailure,
  type Json,
  NetworkError,
  parseJson,
  sha256,
  stringifyJson,
} from "../../../base/index.ts";
import { MAX_CACHE_SECONDS } from "../../../catalogue/index.ts";
import type { CallOptions, RpcCall } from "../../../chain/solana/index.ts";
import { AnswerStore, type CacheOptions, packBody, type SharedSettings, unpackBody } from "../../../client/index.ts";
import type { NodeAddress } from "./address.ts";
import { callKey } from "./exchange.ts";

/** What the cache depends on. */
interface FinalResultsParts {
  readonly settings: Pick<SharedSettings, "now" | "onEvent"> & { readonly cache: CacheOptions };
  readonly address: NodeAddress;
  readonly requestGenesis: () => Promise<Json>;
}

/** Opens the cache. The file is created when there is something to store. */
export function openFinalResults({ settings, address, requestGenesis }: FinalResultsParts) {
  const { cache, onEvent } = settings;
  const now = cache.now ?? settings.now;
  const store = new AnswerStore(cache.file, onEvent);
  const isOffline = cache.mode === "offline";
  const isUsed = isOffline || !address.isLocal || cache.local === true;
  const genesisId = sha256(`genesis\n${address.id}`);
  let genesis: Promise<Json | undefined> | undefined;

  const read = async (id: string, maxAge: number) => {
    const cached = store.get(id);
    const age = cached ? now() - cached.at : -1;
    if (!cached || age < 0 || age > maxAge) return undefined;
    try {
      return { value: parseJson((await unpackBody(cached)).toString()), age: Math.floor(age / 1000) };
    } catch {
      return undefined;
    }
  };
  const write = async (id: string, kind: "final" | "metadata", result: Json) => {
    const text = stringifyJson(result);
    if (address.mask(text) !== text) return;
    store.set(id, { kind, at: now(), status: 200, headers: {}, ...(await packBody(text)) });
  };
  const loadGenesis = async () => {
    const known = await read(genesisId, isOffline ? Number.POSITIVE_INFINITY : DAY_MS);
    if (known !== undefined || isOffline) return known?.value;
    const requested = await requestGenesis().catch(ignoreFailure);
    if (requested !== undefined) await write(genesisId, "metadata", requested);
    return requested;
  };
  /** Returns the id of a call's result; undefined while the cluster is unknown. */
  const idOf = async (call: RpcCall) => {
    genesis ??= loadGenesis();
    const cluster = await genesis;
    return typeof cluster === "string" ? sha256(`cluster ${cluster}\n${callKey(call)}`) : undefined;
  };

  return {
    /**
     * Returns the stored result of a call; undefined when it has to be sent.
     * @throws NetworkError (code `OFFLINE`) for a result that is not stored, when nothing may be sent
     */
    async find(call: RpcCall, { isFinal, fresh }: CallOptions): Promise<Json | undefined> {
      const mayFind = isUsed && (isOffline || (isFinal !== undefined && cache.mode !== "refresh" && fresh !== true));
      const id = mayFind ? await idOf(call) : undefined;
      const result = id === undefined ? undefined : await read(id, MAX_CACHE_SECONDS * 1000);
      if (result) onEvent({ type: "cached", url: `${address.origin} ${call.method}`, age: result.age });
      else if (isOffline) throw offlineError(call);
      return result?.value;
    },
    /** Stores the result of a call if it never changes. */
    async add(call: RpcCall, result: Json, { isFinal }: CallOptions): Promise<void> {
      if (!isUsed || isOffline || isFinal?.(result) !== true) return;
      const id = await idOf(call);
      if (id !== undefined) await write(id, "final", result);
    },
    close: () => store.close(),
  };
}

/** The permanent results in the cache. */
export type FinalResults = ReturnType<typeof openFinalResults>;

function offlineError({ method }: RpcCall): NetworkError {
  return new NetworkError(`The result of ${method} is not cached, and only the cache is used.`, {
    code: "OFFLINE",
    retryable: false,
    hint: FILL_CACHE,
  });
}
