/**
 * Every source answers every endpoint as it says: with content that has the form of the catalogue, or with an error that
 * says what is missing and who can answer; never with nothing. A recording answers as what was recorded. Totals are the
 * number of rows that there are, or the answer says why not.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_SECONDS, isObject, type Json, type JsonObject, SolxError, stringifyJson } from "../../src/base/index.ts";
import { allEndpoints, type Endpoint, hasPages, loadEntityShape, type Shape } from "../../src/catalogue/index.ts";
import { openChainLedger } from "../../src/chain/ledger/store/chain-writer.ts";
import { createLedgerReader, type LedgerReader } from "../../src/chain/ledger/store/reader.ts";
import { openGrowingLedger } from "../../src/chain/ledger/store/store.ts";
import { type Answer, type ClientEvent, findFieldDrift } from "../../src/client/index.ts";
import { totalRows } from "../../src/client/paging/page-strategy.ts";
import { openLedgerService, openSandbox, type RunningSandbox, startSandbox } from "../../src/sandbox/index.ts";
import { type ClientOptions, type ConnectedClient, createClient, describeSource } from "../../src/sources/index.ts";
import { filterCombinations } from "../support/filter-combinations.ts";
import { worldsFolder } from "../support/ledger.ts";
import type { FaultRule } from "../support/node/faults.ts";
import { REQUESTS } from "../support/node/requests.ts";
import { useScenario } from "../support/node/use-test-node.ts";
import { hasContent, storyBlocks, storySubjects } from "../support/story-index.ts";
import { nodeFaults, sandboxFaults } from "./faults.ts";
import { CASES_EACH, endpointOf, UNLIMITED } from "./readings.ts";

type Params = Readonly<Record<string, unknown>>;

/** A source with the requests that it has answers to. */
interface SourceUnderTest {
  readonly clients: readonly ConnectedClient[];
  readonly info: ReturnType<typeof describeSource>;
  requests(endpoint: Endpoint): Iterable<Params>;
}

const folder = mkdtempSync(join(tmpdir(), "solx-law-"));
const shared = useScenario();
const sources: Record<string, SourceUnderTest> = {};
/** The data of answers by request. */
const exchanges = new Map<string, string>();
let sandbox: RunningSandbox;

const examplesOf = ({ examples }: Endpoint): readonly Params[] => examples.map(({ params }) => params);
const requestsOfNode = ({ route }: Endpoint): readonly Params[] =>
  REQUESTS[route]?.(shared.scenario.addresses, shared.scenario.signatures) ?? [];

beforeAll(async () => {
  const world = { seed: "test", size: 0.05, now: Date.UTC(2024, 6, 5, 12) / 1000, folder: worldsFolder() };
  sandbox = await startSandbox({ ...world, port: 0 });
  const common = { rateLimiter: UNLIMITED, retries: 0, key: sandbox.key, now: () => sandbox.now() };
  // The server closes idle connections, also one that a request was just written to.
  const http = { ...common, retries: 2, sleep: async () => {}, baseUrl: sandbox.url };
  const ofSandbox = (options: ClientOptions) => ({
    clients: [createClient(options)],
    info: describeSource({ kind: "sandbox", name: "" }),
    requests: examplesOf,
  });
  const inProcess = {
    open: async () => openSandbox({ ...world, usage: "memory" }),
    source: { kind: "sandbox", name: "test" },
    failure: { code: "LAW", hint: "" },
  } as const;
  sources["the sandbox in process"] = ofSandbox({ ...common, ledger: inProcess });
  sources["the sandbox over HTTP"] = ofSandbox({ ...http, record: { folder: join(folder, "recording") } });
  // A recording is read when it is first asked: another reader has what was recorded later, closed connections too.
  for (const name of ["a recording of it", "a recording of it without data"])
    sources[name] = ofSandbox({ ...http, replay: join(folder, "recording") });
  sources["a node"] = {
    clients: [createClient({ rpc: shared.node.url, strict: true })],
    info: describeSource({ kind: "rpc", name: "" }),
    requests: requestsOfNode,
  };
  sources["an index"] = await openIndex();
});
afterAll(async () => {
  for (const { clients } of Object.values(sources)) for (const client of clients) await client.close();
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens an index: when its last block happened, and a day later, because statistics are of complete days. */
async function openIndex(): Promise<SourceUnderTest> {
  const path = join(folder, "index.db");
  const writer = openChainLedger(path, "chain:test");
  const blocks = await storyBlocks(shared.node);
  writer.write({ blocks, meta: { commitment: "confirmed", filter: "", gaps: "[]" } });
  writer.close();
  const ledgers = [0, DAY_SECONDS].map((later) => {
    const ledger = openGrowingLedger(path);
    if (!ledger) throw new Error("no ledger");
    const clock = () => ({ shift: 0, end: Number(blocks.at(-1)?.time) + 1 + later });
    return { ...ledger, reader: createLedgerReader(ledger.db, clock, { isChain: true }) };
  });
  const subjects = storySubjects(ledgers[0]?.reader as LedgerReader);
  const clients = ledgers.map(async (ledger) => {
    const service = await openLedgerService(ledger, { name: "law" });
    const source = { kind: "index", name: "law" } as const;
    const served = { open: async () => service, source, failure: { code: "LAW", hint: "" } };
    return createClient({ ledger: served, key: service.key, rateLimiter: UNLIMITED, retries: 0, strict: true });
  });
  return {
    clients: await Promise.all(clients),
    info: describeSource({ kind: "index", name: "law" }),
    *requests(endpoint) {
      yield* requestsOfNode(endpoint);
      for (const values of filterCombinations(endpoint, subjects)) yield Object.fromEntries(values);
    },
  };
}

/** Returns the fields of an answer that have amounts in US dollars; of what did not happen, the value is known to be 0. */
async function pricedFields({ rows, data, request }: Answer): Promise<readonly string[]> {
  const fieldsIn = (value: unknown, shape: Shape, path: string): readonly string[] => {
    if (Array.isArray(value)) return value.flatMap((item) => fieldsIn(item, shape, path));
    if (shape.meta?.kind === "usd") return value == null || value === "" || value === 0 ? [] : [path];
    if (!isObject(value as Json)) return [];
    return Object.entries(value as JsonObject).flatMap(([name, item]) =>
      fieldsIn(item, shape.field(name), `${path}.${name}`),
    );
  };
  const { returns } = request.endpoint as Endpoint;
  return [...new Set(fieldsIn(rows ?? data, await loadEntityShape(returns.entity), returns.entity))];
}

/** Endpoints that have nothing to say of the story: a node has no trades, votes and rewards, an index no accounts of NFTs. */
const NOTHING_THERE: Readonly<Record<string, readonly string[]>> = {
  "a node": [
    ...["v2-account-defi-activities", "v2-account-defi-activities-export"],
    ...["node-validators", "node-program", "node-block-rewards"],
  ],
  "an index": ["v2-nft-news", "v2-nft-collection-lists", "v2-nft-collection-items"],
};

const TRANSFER_TOTAL = "v2-account-transfer-total";

/** Returns parameters without those that select a page. */
function withoutPage({ query }: Endpoint, params: Params): Params {
  const isOfPage = (name: string) => ["page", "offset", "size"].includes(query[name]?.role ?? "");
  return Object.fromEntries(Object.entries(params).filter(([name]) => !isOfPage(name)));
}

const NAMES = ["the sandbox in process", "the sandbox over HTTP", "a recording of it", "a node", "an index"] as const;

describe.each(NAMES)("%s", (name) => {
  test.each(allEndpoints.map((endpoint) => [endpoint.route, endpoint] as const))("%s", async (route, endpoint) => {
    const source = sources[name] as SourceUnderTest;
    const { level, refusal } = source.info.supports(endpoint);
    if (level === "none") {
      const [params = {}] = [...requestsOfNode(endpoint), ...examplesOf(endpoint)];
      const error = await source.clients[0]?.fetch(endpoint, params).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(SolxError);
      expect(error).toMatchObject({ message: refusal?.reason, code: refusal?.code });
      expect(JSON.stringify((error as SolxError).hints())).toMatch(/API|--rpc|--sandbox/);
      return;
    }
    let isAnswered = false;
    const isExchange = name === "the sandbox over HTTP" || name === "a recording of it";
    for (const params of source.requests(endpoint)) {
      for (const client of source.clients) {
        const answer = await client.fetch(endpoint, params).catch((reason: unknown) => reason as Error);
        // The clients are strict: answers in another form are errors, too.
        if (answer instanceof Error) expect(answer).not.toMatchObject({ code: "DRIFT" });
        if (answer instanceof Error) continue;
        const isOfChain = name === "a node" || name === "an index";
        expect(await findFieldDrift(answer, { unknown: !isOfChain })).toEqual([]);
        if (!source.info.facts.hasPrices) expect(await pricedFields(answer)).toEqual([]);
        const request = `${route} ${JSON.stringify(params)}`;
        const text = stringifyJson(answer.data);
        // What is recorded of a key is not its owner.
        if (isExchange && route !== "v2-monitor-usage") expect(text).toBe(exchanges.get(request) ?? text);
        exchanges.set(request, text);
        const asked = new Set(Object.values(params).flat().map(String));
        isAnswered ||= hasContent(answer.rows ?? answer.data, asked);
      }
      if (isAnswered) break;
    }
    expect(isAnswered, "has content").toBe(NOTHING_THERE[name]?.includes(route) !== true);
  });

  test.each(
    allEndpoints
      .filter((endpoint) => (endpoint.returns.total && hasPages(endpoint)) || endpoint.route === TRANSFER_TOTAL)
      .map((endpoint) => [endpoint.route, endpoint] as const),
  )("the total of %s is the number of rows", async (route, endpoint) => {
    const source = sources[name] as SourceUnderTest;
    // A recording has the requests of the other tests.
    if (source.info.supports(endpoint).level === "none" || name === "a recording of it") return;
    const list = route === TRANSFER_TOTAL ? endpointOf("v2-account-transfer") : endpoint;
    const [client] = source.clients as [ConnectedClient];
    for (const requested of [...source.requests(endpoint)].slice(0, 5)) {
      // Without a time, the number is of three weeks.
      const params = route === TRANSFER_TOTAL ? { from_time: 1, ...requested } : requested;
      const answer = await client.fetch(endpoint, params);
      const total = route === TRANSFER_TOTAL ? Number(answer.data) : totalRows(answer);
      // Where only a walk through everything would show it, a node says so in the documentation of the endpoint.
      if (total === undefined) {
        expect(name).toBe("a node");
        continue;
      }
      let count = 0;
      for await (const { rows } of client.pages(list, withoutPage(list, params), { all: true })) count += rows.length;
      if (answer.coverage?.incomplete === undefined) expect(count, JSON.stringify(params)).toBe(total);
      else expect(count).toBeGreaterThanOrEqual(total);
    }
  });
});

/** Faults of one source at a time, and what takes them away. */
const FAULTY = {
  "the sandbox over HTTP": {
    faults: sandboxFaults,
    start: (faults: readonly string[]) => sandbox.setFaults(faults),
    options: () => ({ key: sandbox.key, now: () => sandbox.now(), baseUrl: sandbox.url }),
  },
  "a node": {
    faults: nodeFaults,
    start(faults: readonly FaultRule[]) {
      shared.node.clearFaults();
      for (const fault of faults) shared.node.fail(fault);
    },
    options: () => ({ rpc: shared.node.url }),
  },
} as const;

describe.each(["the sandbox over HTTP", "a node"] as const)("%s that fails now and then", (name) => {
  test("answers as it does otherwise, says what is missing, or fails with the reason", async () => {
    const source = sources[name] as SourceUnderTest;
    const { faults, start, options } = FAULTY[name];
    // The usage of a key counts the requests that ask for it.
    const answered = allEndpoints.filter(
      (one) => source.info.supports(one).level !== "none" && one.group !== "monitor",
    );
    const ask = async (endpoint: Endpoint, params: Params, retries: number) => {
      const notes: string[] = [];
      const onEvent = (event: ClientEvent) =>
        (event.type === "warning" || event.type === "coverage") && notes.push(event.text);
      await using client = createClient({
        ...options(),
        rateLimiter: UNLIMITED,
        retries,
        sleep: async () => {},
        onEvent,
      });
      const answer = await client.fetch(endpoint, params).catch((reason: unknown) => reason as Error);
      return answer instanceof Error ? answer : { text: stringifyJson(answer.data), notes };
    };
    const run = async (route: string, faults: readonly never[], retries: number) => {
      const endpoint = endpointOf(route);
      // A cut of JSON changes a cell of CSV.
      if (endpoint.returns.shape === "csv" && String(faults).includes("bad-json")) return;
      const [params = {}] = source.requests(endpoint);
      const truth = await ask(endpoint, params, 2);
      start(faults);
      const outcome = await ask(endpoint, params, retries);
      start([]);
      if (outcome instanceof Error)
        expect(outcome).toSatisfy((error) => error instanceof SolxError && error.exit !== "unexpected");
      else if (outcome.notes.length === 0)
        expect(outcome, `${endpoint.route} ${JSON.stringify(params)}`).toEqual(truth);
    };
    const cases = fc.asyncProperty(
      fc.constantFrom(...answered.map(({ route }) => route)),
      faults as fc.Arbitrary<readonly never[]>,
      fc.constantFrom(0, 2),
      run,
    );
    await fc.assert(cases, { numRuns: 20 * CASES_EACH });
  });
});

/** What messages call each source. */
const TITLES: Readonly<Record<(typeof NAMES)[number], () => string>> = {
  "the sandbox in process": () => "The sandbox",
  "the sandbox over HTTP": () => "The API",
  "a recording of it": () => "The recording",
  "a node": () => new URL(shared.node.url).host,
  "an index": () => "The index law",
};
const UNKNOWN = "2".repeat(88);

describe.each(NAMES)("%s without data", (name) => {
  test.each([
    ["v2-transaction-detail", "tx", UNKNOWN],
    ["v2-transaction-actions", "tx", UNKNOWN],
    ["transaction-detail", "signature", UNKNOWN],
    ["v2-block-detail", "block", 3],
  ])("says that it is the one that has none (%s)", async (route, parameter, value) => {
    const [client] = (sources[`${name} without data`] ?? sources[name])?.clients ?? [];
    const error = await client?.fetch(endpointOf(route), { [parameter]: value }).catch((failure: unknown) => failure);
    // Nodes know why they have no block.
    const nothing = name === "a node" && parameter === "block" ? "" : ` has no data for ${value}.`;
    const message = expect.stringContaining(`${TITLES[name]()}${nothing}`);
    expect(error).toMatchObject({ exit: "notFound", message });
    if (name === "an index") expect((error as SolxError).hint).toContain("solx index info law");
  });
});
