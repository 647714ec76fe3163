/**
 * Nodes that do not serve a method, or answer it with something else: answers are complete, or parts of the complete
 * ones with a note, or typed errors.
 */

import { isDeepStrictEqual } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import { isArray, isObject, type Json, SolxError } from "../../../src/base/index.ts";
import { allEndpoints, type Endpoint, nodeSupportOf } from "../../../src/catalogue/index.ts";
import { PROGRAM } from "../../../src/chain/solana/index.ts";
import { createClient } from "../../../src/sources/index.ts";
import { createSession, loadInspect } from "../../../src/sources/node/index.ts";
import { FAULTS } from "../../support/node/faults.ts";
import { type Addresses, REQUESTS } from "../../support/node/requests.ts";
import { useScenario } from "../../support/node/use-test-node.ts";

const shared = useScenario();

/** Requests of the endpoints that have no data in the story. */
const ALL: typeof REQUESTS = {
  ...REQUESTS,
  "v2-account-defi-activities": ({ bob }) => [{ address: bob }],
  "v2-account-defi-activities-export": ({ bob }) => [{ address: bob }],
  "node-validators": () => [{}],
  "node-program": () => [{ address: PROGRAM.token }],
  "node-block-rewards": () => [{ block: 1020 }],
};

afterEach(() => shared.node.clearFaults());

interface Outcome {
  readonly data: Json | undefined;
  readonly notes: readonly string[];
  readonly called: ReadonlySet<string>;
  readonly error: SolxError | undefined;
}

/** Answers a request by a client that knows nothing yet. */
async function answer(endpoint: Endpoint, params: Readonly<Record<string, unknown>>): Promise<Outcome> {
  const notes: string[] = [];
  const called = new Set<string>();
  await using client = createClient({
    rpc: shared.node.url,
    onEvent(event) {
      if (event.type === "warning") notes.push(event.text);
      if (event.type === "request") for (const method of event.rpc?.match(/get\w+/g) ?? []) called.add(method);
    },
  });
  try {
    const { rows, data } = await client.fetch(endpoint, params);
    return { data: (rows as Json | undefined) ?? data, notes, called, error: undefined };
  } catch (error) {
    if (!(error instanceof SolxError)) throw error;
    return { data: undefined, notes, called, error };
  }
}

/** Whether a value has nothing that the complete one does not have: fields may be missing, rows may not. */
function isPart(part: Json | undefined, complete: Json | undefined): boolean {
  if (part === undefined || complete === undefined) return part === undefined;
  if (isArray(part) && isArray(complete)) {
    return part.length === complete.length && part.every((item, at) => isPart(item, complete[at]));
  }
  if (isObject(part) && isObject(complete)) {
    return Object.entries(part).every(([name, member]) => isPart(member, complete[name]));
  }
  return isDeepStrictEqual(part, complete);
}

const answered = allEndpoints.filter(({ route }) => ALL[route]);

test("every endpoint that a node answers is tried", () => {
  const missing = allEndpoints.filter((endpoint) => nodeSupportOf(endpoint).level !== "none" && !ALL[endpoint.route]);
  expect(missing.map(({ route }) => route)).toEqual([]);
});

describe.each(answered.map((endpoint) => [endpoint.route, endpoint] as const))("%s", (route, endpoint) => {
  test("without each of its methods in turn", async () => {
    const { node, scenario } = shared;
    const { methods, required } = nodeSupportOf(endpoint);
    for (const params of ALL[route]?.(scenario.addresses as Addresses, scenario.signatures) ?? []) {
      const complete = await answer(endpoint, params);
      expect(complete.error).toBeUndefined();
      const called = [...complete.called];
      expect({ undeclared: called.filter((method) => !methods.includes(method)) }).toEqual({ undeclared: [] });
      for (const method of called) {
        for (const fault of [FAULTS.unknownMethod(), FAULTS.forbidden()]) {
          const restore = node.fail({ method, ...fault });
          const { data, notes, error } = await answer(endpoint, params);
          restore();
          const context = { method, params, notes, error: error?.message };
          if (error) expect({ ...context, isRequired: required.includes(method) }).toMatchObject({ isRequired: true });
          else if (notes.length === complete.notes.length)
            expect({ ...context, data }).toEqual({ ...context, data: complete.data });
          else expect({ ...context, data, isPart: isPart(data, complete.data) }).toMatchObject({ isPart: true });
        }
      }
    }
  });
});

/** Results that no method has where it has one, whatever it is asked. */
const MALFORMED = {
  "another type": { text: 1 },
  "a list": [null, "text"],
  nothing: null,
  "a fraction": 1.5,
  "another envelope": { context: {}, value: "text" },
} as const;

/** Methods whose result is null for what a node does not know. */
const MAY_BE_NULL: ReadonlySet<string> = new Set(["getTransaction", "getBlock", "getBlockTime"]);

describe.each(answered.map((endpoint) => [endpoint.route, endpoint] as const))("%s", (route, endpoint) => {
  test("with malformed results of each of its methods in turn", async () => {
    const { node, scenario } = shared;
    const { required } = nodeSupportOf(endpoint);
    for (const params of ALL[route]?.(scenario.addresses as Addresses, scenario.signatures).slice(0, 1) ?? []) {
      const complete = await answer(endpoint, params);
      for (const method of complete.called) {
        for (const [name, result] of Object.entries(MALFORMED)) {
          if (result === null && MAY_BE_NULL.has(method)) continue;
          const restore = node.fail({ method, change: () => result });
          const { data, notes, error } = await answer(endpoint, params);
          restore();
          const context = { method, name, params, notes, error: error?.message };
          if (error) {
            expect(error).toMatchObject({ exit: "server" });
            // What an account contains is required, whichever of two methods reads it.
            const isRequired = required.includes(method) || method === "getAccountInfo";
            expect({ ...context, isRequired }).toMatchObject({ isRequired: true });
          } else if (notes.length === complete.notes.length)
            expect({ ...context, data }).toEqual({ ...context, data: complete.data });
          else expect({ ...context, data, isPart: isPart(data, complete.data) }).toMatchObject({ isPart: true });
        }
      }
    }
  });
});

describe.each([
  ["simulated", true],
  ["decoded only", false],
])("inspection, %s", (_, simulate) => {
  const inspect = async () => {
    const called = new Set<string>();
    await using client = createClient({
      rpc: shared.node.url,
      onEvent(event) {
        if (event.type === "request")
          for (const method of event.rpc?.match(/get\w+|simulate\w+/g) ?? []) called.add(method);
      },
    });
    const { inspectTransaction } = await loadInspect();
    const reading = { node: client.node(), session: createSession(), sending: {} };
    const signature = shared.scenario.signatures.tableTransfer;
    const { notes = [], ...result } = await inspectTransaction(signature, reading, { simulate, strict: false });
    return { result, notes: notes as readonly Json[], called };
  };

  test("without each of its methods in turn", async () => {
    const complete = await inspect();
    expect(complete.notes).toEqual([]);
    expect([...complete.called]).toContain("getFeeForMessage");
    for (const method of complete.called) {
      if (method === "getTransaction") continue;
      const restore = shared.node.fail({ method, ...FAULTS.unknownMethod() });
      const { result, notes } = await inspect();
      restore();
      const context = { method, notes, result };
      if (notes.length === 0) expect(context).toEqual({ ...context, result: complete.result });
      else expect({ ...context, isPart: isPart(result, complete.result) }).toMatchObject({ isPart: true });
      if (method === "simulateTransaction") expect(result).not.toHaveProperty("simulation");
    }
  });
});
