/** Recorded answers of nodes, and a server that replays them. The recordings are not part of the repository. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { RpcError } from "./errors.ts";
import { type JsonRpcServer, type ServerOptions, serveJsonRpc } from "./json-rpc-server.ts";
import { fromJson, isObjectWire, toJson, type Wire, type WireObject } from "./wire.ts";

const FOLDER = fileURLToPath(new URL("../../../../shared/rpc-recorded", import.meta.url));

/** A recorded answer. */
export interface Recording {
  /** The name of its file. */
  readonly name: string;
  readonly method: string;
  /** What was asked; null when unknown. */
  readonly params: readonly Wire[] | null;
  /** The answer: an object with `result` or `error`, or text. Integers beyond 2^53 are bigints. */
  readonly body: Wire;
  /** Whether nothing is known to be cut or edited. */
  readonly complete: boolean;
  readonly verified: string | null;
  readonly note: string | null;
}

let cache: readonly Recording[] | undefined;

/** Returns all recordings; none in a checkout without them. */
export function recordings(): readonly Recording[] {
  cache ??= existsSync(FOLDER)
    ? readdirSync(FOLDER)
        .filter((name) => name.endsWith(".json"))
        .sort()
        .map((name) => readRecording(name))
    : [];
  return cache;
}

function readRecording(name: string): Recording {
  const { method, params, body, complete, verified, note } = fromJson(
    readFileSync(`${FOLDER}/${name}`, "utf8"),
  ) as unknown as Recording;
  // The names of blocks end with their slot, also where the request is unknown.
  const slot = method === "getBlock" ? /-(\d+)(?:-\d+)?\.json$/.exec(name)?.[1] : undefined;
  const known = params ?? (slot === undefined ? null : [Number(slot)]);
  return { name, method, params: known, body, complete, verified: verified ?? null, note: note ?? null };
}

/** Returns the recordings of a method, of all or only of complete answers without an error. */
export function recordingsOf(method: string, { complete = false } = {}): readonly Recording[] {
  return recordings().filter(
    (each) => each.method === method && (!complete || (each.complete && resultOf(each) !== undefined)),
  );
}

/** Returns the recording with a file name. Throws when there is none. */
export function recording(name: string): Recording {
  const match = recordings().find((each) => each.name === name || each.name === `${name}.json`);
  if (match === undefined) throw new Error(`No recording ${name}`);
  return match;
}

/** Returns the result of a recording; undefined when an error was recorded. */
export const resultOf = ({ body }: Recording): Wire | undefined => (isObjectWire(body) ? body.result : undefined);

/** The parameters that a request is recognised by: all of them for lists of addresses, else the first. */
const keyOf = (params: readonly Wire[]) => toJson(params[0] ?? null);

const optionOf = (params: readonly Wire[], name: string): Wire => params.findLast(isObjectWire)?.[name] ?? null;
const sameOption = (a: readonly Wire[], b: readonly Wire[], name: string) =>
  toJson(optionOf(a, name)) === toJson(optionOf(b, name));

/** Returns the recording that answers a request best: same subject, then same encoding, then complete. */
export function findRecording(method: string, params: readonly Wire[]): Recording | undefined {
  const rank = (each: Recording) =>
    (sameOption(each.params ?? [], params, "dataSlice") ? 8 : 0) +
    (sameOption(each.params ?? [], params, "encoding") ? 4 : 0) +
    (resultOf(each) === undefined ? 0 : 2) +
    (each.complete ? 1 : 0);
  return recordingsOf(method)
    .filter((each) => each.params !== null && keyOf(each.params) === keyOf(params))
    .toSorted((a, b) => rank(b) - rank(a))[0];
}

/** The methods about the node itself, whose recordings answer every request. */
const GENERAL =
  /^(get(Health|Version|Identity|Slot|BlockHeight|Epoch|FirstAvailable|LatestBlockhash|Supply|VoteAccounts|ClusterNodes|Inflation(Rate|Governor)|RecentP|TransactionCount|LargestAccounts|MinimumBalance|BlockProduction)|minimumLedgerSlot)/;

/** Settings of a replaying server. */
export interface RecordedNodeOptions extends ServerOptions {
  /** Recordings that answer a method whatever is asked, by the name of their file. */
  readonly pin?: Readonly<Record<string, string>>;
}

/** Starts a server that answers from recordings; undefined in a checkout without them. */
export async function startRecordedNode(options: RecordedNodeOptions = {}): Promise<JsonRpcServer | undefined> {
  if (recordings().length === 0) return undefined;
  return serveJsonRpc((method, params) => answer(method, params, options.pin ?? {}), options);
}

function answer(method: string, params: readonly Wire[], pin: Readonly<Record<string, string>>): Wire | undefined {
  const pinned = pin[method];
  if (pinned !== undefined) return replay(recording(pinned));
  if (method === "getMultipleAccounts" && Array.isArray(params[0])) return accounts(params[0], params);
  const match = findRecording(method, params) ?? (GENERAL.test(method) ? anyOf(method) : undefined);
  return match === undefined ? unknownSubject(method, params) : replay(match);
}

const anyOf = (method: string) => recordingsOf(method, { complete: true })[0] ?? recordingsOf(method)[0];

/** Returns the recorded result, or throws the recorded error. */
function replay({ body, name }: Recording): Wire {
  const { result, error } = isObjectWire(body) ? body : ({} as WireObject);
  if (isObjectWire(error)) {
    throw new RpcError(Number(error.code), String(error.message), error.data);
  }
  if (result === undefined) throw new RpcError(-32603, `The recording ${name} has no result`);
  return result;
}

/** Puts an answer for many accounts together from those for one. */
function accounts(keys: readonly Wire[], params: readonly Wire[]): Wire {
  const whole = findRecording("getMultipleAccounts", params);
  if (whole !== undefined) return replay(whole);
  const options = params[1] ?? {};
  const value = keys.map((key) => {
    const match = findRecording("getAccountInfo", [key, options]);
    const result = match && resultOf(match);
    return isObjectWire(result) ? (result.value ?? null) : null;
  });
  return { context: { slot: 0 }, value };
}

/** What a node says about subjects that it does not know. */
function unknownSubject(method: string, params: readonly Wire[]): Wire | undefined {
  if (method === "getTransaction") return null;
  if (method === "getSignaturesForAddress" || method === "getProgramAccounts") return [];
  if (method === "getBlock" || method === "getBlockTime") {
    throw new RpcError(-32009, `Slot ${String(params[0])} was skipped, or missing in long-term storage`);
  }
  if (/^getTokenAccountsBy/.test(method)) return { context: { slot: 0 }, value: [] };
  if (method === "getAccountInfo") return { context: { slot: 0 }, value: null };
  if (method === "getSignatureStatuses" || method === "getInflationReward") {
    const nothing = ((params[0] ?? []) as readonly Wire[]).map(() => null);
    return method === "getInflationReward" ? nothing : { context: { slot: 0 }, value: nothing };
  }
  return undefined;
}
