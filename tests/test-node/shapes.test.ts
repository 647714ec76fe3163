/** The answers of the test node have the fields and types that recorded answers of real nodes have. */
import { expect, test } from "vitest";
import type { Account } from "../support/node/account.ts";
import { parseAccount } from "../support/node/parse-account.ts";
import { type Recording, recordings, recordingsOf, resultOf } from "../support/node/recorded.ts";
import { useScenario } from "../support/node/use-test-node.ts";
import { fromJson, isObjectWire, toJson, type Wire, type WireObject } from "../support/node/wire.ts";

const story = useScenario();
const hasRecordings = recordings().length > 0;

async function call(method: string, params: readonly Wire[]): Promise<Wire> {
  const body = toJson({ jsonrpc: "2.0", id: 1, method, params });
  const response = fromJson(await (await fetch(story.node.url, { method: "POST", body })).text());
  if (!isObjectWire(response) || response.result === undefined) throw new Error(`${method}: ${toJson(response)}`);
  return response.result;
}

/** Objects whose keys are data. */
const MAPS = /\.(byIdentity|Err|err|status)$/;

/** Returns the types of all parts of a value by their path; parsed data is named by program and type. */
function pathsOf(value: Wire, path = "", paths = new Map<string, Set<string>>()): Map<string, Set<string>> {
  const type = value === null ? "null" : Array.isArray(value) ? "list" : typeof value;
  const types = paths.get(path) ?? new Set();
  paths.set(path, types.add(type === "bigint" ? "number" : type));
  if (Array.isArray(value)) for (const part of value) pathsOf(part, `${path}[]`, paths);
  if (!isObjectWire(value) || MAPS.test(path)) return paths;
  const { parsed, program } = value;
  for (const [key, part] of Object.entries(value)) {
    const name = key === "parsed" && isObjectWire(parsed) ? `parsed<${String(program)} ${String(parsed.type)}>` : key;
    const isExtension = key === "state" && typeof value.extension === "string";
    pathsOf(part, `${path}.${isExtension ? `state<${String(value.extension)}>` : name}`, paths);
  }
  return paths;
}

/** Fields of newer nodes than those that were recorded. */
const NEWER = /transactionIndex|costUnits|stackHeight|apiVersion$/;
/** Fields that only some subjects have, and that the recordings of a method happen to lack. */
const RARE: Readonly<Record<string, RegExp>> = {
  getTokenAccountsByOwner: /\.(delegate|delegatedAmount)\b/,
  // Every part of its transactions is compared with recordings of getTransaction.
  getBlock: /\.(version|computeUnitsConsumed|parsed)$|addressTableLookups/,
};

/** Returns the paths of a value that recordings do not have, or have with other types. */
function unknownPaths(value: Wire, recorded: readonly Recording[]): readonly string[] {
  const known = new Map<string, Set<string>>();
  for (const each of recorded) pathsOf(resultOf(each) ?? null, "", known);
  return [...pathsOf(value)].flatMap(([path, types]) => {
    if (NEWER.test(path) || RARE[recorded[0]?.method ?? ""]?.test(path)) return [];
    const seen = known.get(path);
    // Recordings do not have every kind of parsed data.
    const parsed = path.lastIndexOf(">");
    if (seen === undefined && parsed >= 0 && !known.has(path.slice(0, parsed + 1))) return [];
    if (seen === undefined) return [`${path}: not recorded`];
    // A null says nothing about the type of a field that has a value elsewhere.
    const others = [...types].filter((type) => !seen.has(type) && type !== "null");
    return others.length > 0 && [...seen].some((type) => type !== "null")
      ? [`${path}: ${others} instead of ${[...seen]}`]
      : [];
  });
}

const REQUESTS: readonly (readonly [string, () => readonly Wire[]])[] = [
  ["getEpochInfo", () => []],
  ["getEpochSchedule", () => []],
  ["getVersion", () => []],
  ["getIdentity", () => []],
  ["getSupply", () => []],
  ["getLargestAccounts", () => []],
  ["getLatestBlockhash", () => []],
  ["getVoteAccounts", () => []],
  ["getBlockProduction", () => []],
  ["getRecentPerformanceSamples", () => [4]],
  ["getRecentPrioritizationFees", () => []],
  ["getInflationGovernor", () => []],
  ["getInflationRate", () => []],
  ["getInflationReward", () => [[story.scenario.addresses.stake], { epoch: story.scenario.delegationEpoch + 1 }]],
  ["getSlotLeaders", () => [1000, 5]],
  ["getBlocks", () => [1000, 1100]],
  ["getBlockTime", () => [1006]],
  ["getBalance", () => [story.scenario.addresses.alice]],
  ["getTokenSupply", () => [story.scenario.addresses.mint]],
  ["getTokenAccountBalance", () => [story.scenario.addresses.bobToken]],
  ["getTokenLargestAccounts", () => [story.scenario.addresses.mint]],
  ["getSignaturesForAddress", () => [story.scenario.addresses.alice]],
  ["getSignatureStatuses", () => [[story.scenario.signatures.solTransfer], { searchTransactionHistory: true }]],
  ["getProgramAccounts", () => ["Stake11111111111111111111111111111111111111", { encoding: "base64" }]],
  [
    "getTokenAccountsByOwner",
    () => [
      story.scenario.addresses.alice,
      { programId: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA" },
      { encoding: "jsonParsed" },
    ],
  ],
  ["isBlockhashValid", () => [story.node.chain.tip.blockhash]],
];

test.skipIf(!hasRecordings).each(REQUESTS)("%s", async (method, params) => {
  expect(unknownPaths(await call(method, params()), recordingsOf(method))).toEqual([]);
});

const ENCODINGS = ["json", "jsonParsed", "base64"];
const encodingIn =
  (encoding: string) =>
  ({ name }: Recording) =>
    name.includes(`-${encoding}-`);

test.skipIf(!hasRecordings).each(ENCODINGS)("getTransaction in the encoding %s", async (encoding) => {
  const recorded = recordingsOf("getTransaction", { complete: true }).filter(encodingIn(encoding));
  for (const signature of Object.values(story.scenario.signatures)) {
    const answer = await call("getTransaction", [signature, { encoding, maxSupportedTransactionVersion: 1 }]);
    expect(unknownPaths(answer, recorded)).toEqual([]);
  }
});

test.skipIf(!hasRecordings).each(ENCODINGS)("getBlock in the encoding %s", async (encoding) => {
  const recorded = recordingsOf("getBlock").filter(encodingIn(encoding));
  const options = { encoding, maxSupportedTransactionVersion: 1, rewards: true };
  for (const { slot } of story.node.chain.blocks.filter(({ transactions }) => transactions.length > 0)) {
    expect(unknownPaths(await call("getBlock", [slot, options]), recorded)).toEqual([]);
  }
});

test.skipIf(!hasRecordings)("a transaction has every field that the newest recordings have", async () => {
  const newest = recordingsOf("getTransaction", { complete: true })
    .filter(encodingIn("json"))
    .filter((each) => Number((resultOf(each) as WireObject).slot) > 376_000_000);
  const options = { encoding: "json", maxSupportedTransactionVersion: 1 };
  const ours = pathsOf(await call("getTransaction", [story.scenario.signatures.tableTransfer, options]));
  const always = newest
    .map((each) => new Set(pathsOf(resultOf(each) ?? null).keys()))
    .reduce((common, paths) => common.intersection(paths));
  expect(
    [...always].filter((path) => !ours.has(path) && !/innerInstructions\[\]|TokenBalances\[\]/.test(path)),
  ).toEqual([]);
});

/** Returns an account of a recording. */
function accountOf(recording: Recording): (Account & { readonly parsed: Wire }) | undefined {
  const result = resultOf(recording);
  const value = isObjectWire(result) ? result.value : undefined;
  const key = recording.params?.[0];
  if (!isObjectWire(value) || typeof key !== "string") return undefined;
  const { data, owner } = value;
  const bytes = Array.isArray(data) && data[1] === "base64" ? Buffer.from(String(data[0]), "base64") : Buffer.alloc(0);
  return {
    address: key,
    lamports: 1n,
    owner,
    executable: false,
    data: new Uint8Array(bytes),
    parsed: data,
  } as Account & { parsed: Wire };
}

test.skipIf(!hasRecordings)("accounts that were recorded raw are parsed as nodes did", () => {
  const accounts = recordingsOf("getAccountInfo").flatMap((each) => accountOf(each) ?? []);
  const raw = new Map(accounts.filter(({ data }) => data.length > 0).map((each) => [each.address as string, each]));
  let compared = 0;
  for (const { address, parsed } of accounts) {
    const same = raw.get(address);
    if (!isObjectWire(parsed) || same === undefined || same.data.length !== parsed.space) continue;
    const { info, type } = parsed.parsed as WireObject;
    const ours = parseAccount(same, { get: (key) => raw.get(key), time: 1_700_000_000 });
    expect(ours).toMatchObject({ program: parsed.program, parsed: { type } });
    const ourPaths = pathsOf((ours?.parsed as WireObject | undefined)?.info ?? null);
    expect([...pathsOf(info ?? null).keys()].filter((path) => !ourPaths.has(path))).toEqual([]);
    compared += 1;
  }
  expect(compared).toBeGreaterThan(3);
});
