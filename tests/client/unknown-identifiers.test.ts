/** Calls of the library about what does not exist: their values are as the types say, or they throw as documented. */
import { base58 } from "@scure/base";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { clientTypes } from "../../scripts/client-types.ts";
import { type Endpoint, endpoints, type ValueType } from "../../src/catalogue/index.ts";
import { ENTITIES } from "../../src/catalogue/schemas.ts";
import { createClient, NotFoundError } from "../../src/index.ts";
import { type RunningSandbox, startSandbox } from "../../src/sandbox/index.ts";
import { worldsFolder } from "../support/ledger.ts";

const random = (length: number) => base58.encode(crypto.getRandomValues(new Uint8Array(length)));
const UNKNOWN: Partial<Record<ValueType, () => string>> = {
  address: () => random(32),
  signature: () => random(64),
  slot: () => "1",
  text: () => "nothing has this name",
};

/** Returns the parameters of the first example with identifiers that do not exist; undefined without identifiers. */
function unknownParams({ query, examples }: Endpoint): Readonly<Record<string, unknown>> | undefined {
  const params = { ...examples[0]?.params };
  const names = Object.keys(query).filter((name) => name in params && query[name] && UNKNOWN[query[name].type]);
  for (const name of names) {
    const { type, arity } = query[name] as Endpoint["query"][string];
    const value = UNKNOWN[type]?.();
    params[name] = arity === "one" ? value : [value];
  }
  return names.length === 0 ? undefined : params;
}

/** Returns the schema of what a call is awaited for. */
function schemaOf({ returns: { shape, entity, at, total, beside, unwrapped } }: Endpoint): z.ZodType {
  if (shape === "number") return z.number();
  if (shape === "object") return ENTITIES[entity];
  const rows = z.array(shape === "csv" ? z.unknown() : ENTITIES[entity]);
  if (at === undefined) return rows;
  const wrapped = z.looseObject({ [at]: rows, ...(total === undefined ? {} : { [total]: z.number() }) });
  const whole = beside === undefined ? wrapped : z.intersection(wrapped, ENTITIES[beside]);
  return unwrapped ? z.union([whole, rows]) : whole;
}

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ folder: worldsFolder(), seed: "test", size: 0.05, port: 0, usage: "memory" });
});
afterAll(() => sandbox.close());

const asked = endpoints.filter((endpoint) => unknownParams(endpoint) !== undefined);
const methods = clientTypes().split("  /**\n");

test.each(asked.map((endpoint) => [endpoint.command, endpoint] as const))("%s", async (_, endpoint) => {
  await using client = createClient({ baseUrl: sandbox.url, key: sandbox.key, rate: "off", numbers: "number" });
  // biome-ignore lint/suspicious/noExplicitAny: the methods are called by their names.
  const all = client as any;
  const group = endpoint.family === "legacy" ? all.legacy : all;
  const call = (group[endpoint.group] ?? group)[endpoint.call];
  const outcome = await call(unknownParams(endpoint)).then(
    (data: unknown) => ({ data }),
    (error: unknown) => ({ error }),
  );
  if ("data" in outcome) return void schemaOf(endpoint).parse(outcome.data);
  expect(outcome.error).toBeInstanceOf(NotFoundError);
  const place = `@throws {NotFoundError} when the API has no data for`;
  const example = `// ${endpoint.examples[0]?.about}`;
  expect(methods.filter((text) => text.includes(example) && text.includes(place))).not.toEqual([]);
});
