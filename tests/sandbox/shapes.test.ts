/** The forms of answers in which servers differ: solx reads each of them as it reads the usual one. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isArray, isNumeric, isObject, type Json, numericText } from "../../src/base/index.ts";
import { type Endpoint, endpoints } from "../../src/catalogue/index.ts";
import { SHAPES, type ShapeName, startSandbox } from "../../src/sandbox/index.ts";
import { type ConnectedClient, createClient } from "../../src/sources/index.ts";
import { worldsFolder } from "../support/ledger.ts";
import { SANDBOX_NOW } from "../support/running-sandbox.ts";

interface Server {
  readonly client: ConnectedClient;
  readonly key: string;
}

const stops: (() => Promise<unknown>)[] = [];

async function open(shapes: readonly ShapeName[]): Promise<Server> {
  const options = { seed: "test", size: 0.5, now: SANDBOX_NOW, port: 0, folder: worldsFolder(), shapes };
  const sandbox = await startSandbox(options);
  const client = createClient({ baseUrl: sandbox.url, key: sandbox.key, now: () => SANDBOX_NOW * 1000 });
  stops.push(
    async () => client.close(),
    async () => sandbox.close(),
  );
  return { client, key: sandbox.key };
}

/** Returns a value with its numbers as text. */
function asText(value: Json): Json {
  if (isNumeric(value)) return numericText(value);
  if (isArray(value)) return value.map(asText);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, asText(item)]));
}

/** Returns what solx reads of an answer, and its text. */
async function read({ client, key }: Server, endpoint: Endpoint) {
  const params = endpoint.examples[0]?.params ?? {};
  const { data, rows } = await client.fetch(endpoint, params);
  const response = await fetch(client.url(client.prepare(endpoint, params)), { headers: { token: key } });
  return { value: asText([...(rows ?? [data])]), text: await response.text() };
}

describe.each<[ShapeName, (endpoint: Endpoint) => boolean]>([
  ["bare", ({ family }) => family === "public"],
  ["enveloped", ({ family, returns }) => family === "legacy" && returns.shape !== "csv"],
  ["rows", ({ returns }) => returns.unwrapped === true],
  ["text", ({ command }) => command === "transaction detail"],
  ["numbers", ({ command }) => command === "legacy account spl-transfers"],
])("%s", (shape, isChanged) => {
  let servers: readonly Server[] = [];
  beforeAll(async () => {
    servers = [await open([]), await open([shape])];
  });
  afterAll(async () => {
    for (const stop of stops.splice(0)) await stop();
  });

  test("is described", () => expect(SHAPES[shape]).not.toBe(""));

  test.for(endpoints.filter(isChanged).map((endpoint) => [endpoint.command, endpoint] as const))(
    "%s",
    async ([, endpoint]) => {
      const [usual, other] = await Promise.all(servers.map((server) => read(server, endpoint)));
      expect(other?.value).toEqual(usual?.value);
      expect(other?.text).not.toBe(usual?.text);
    },
  );
});
