/** What the catalogue says about answers from a node, compared with the answers. */

import { describe, expect, test } from "vitest";
import { isArray, isObject, type Json, type JsonObject } from "../../../src/base/index.ts";
import {
  allEndpoints,
  type Endpoint,
  isMissingField,
  loadEntities,
  nodeSupportOf,
  recordOf,
} from "../../../src/catalogue/index.ts";
import { listFields } from "../../../src/catalogue/schemas.ts";
import { createClient } from "../../../src/sources/index.ts";
import { type Addresses, REQUESTS } from "../../support/node/requests.ts";
import { useScenario } from "../../support/node/use-test-node.ts";

const shared = useScenario();
/** Returns the paths of all fields in a value: `amount_info.token1`, `creators[].address`. */
function pathsOf(value: Json, path = ""): readonly string[] {
  if (isArray(value)) return value.flatMap((item) => pathsOf(item, `${path}[]`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const inner = path === "" ? name : `${path}.${name}`;
    return [inner, ...pathsOf(member, inner)];
  });
}

/** An empty cell of a CSV text is a missing field. */
const filledCells = (row: unknown): Json =>
  Object.fromEntries(Object.entries(row as JsonObject).filter(([, cell]) => cell !== ""));

const DETAIL_ONLY = [
  // Of programs with an interface, of tips, and of kinds of transfers that the story does not have.
  ...["parsed_instructions.idl_data", "parsed_instructions.tags", "parsed_instructions.transfers.extra_data"],
  ...["parsed_instructions.transfers.outer_program_id", "transfers.extra_data"],
];
const ACTIONS_ONLY = ["transfers.event", "transfers.fee", "activities.inst_type", "activities.program_invoke_level"];

/** Fields of an entity that other endpoints have, or data that the story does not have. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  // Of data of an unknown form.
  "node-account": ["data_base64"],
  "node-instructions": ["data"],
  "v2-block-detail": ["current_slot"],
  "block-last": ["result.code", "result.message"],
  "transaction-last": ["transaction.message.addressTableLookups", "error", "meta.returnData"],
  "block-transactions": ["meta.returnData"],
  "v2-account-transactions-enhanced": ["meta.returnData"],
  "account-transactions": ["name", "data", "dataEncode", "params"].map((name) => `parsedInstruction.${name}`),
  "v2-token-transfer": ["flow"],
  "v2-transaction-detail": DETAIL_ONLY,
  "v2-transaction-detail-multi": DETAIL_ONLY,
  "v2-transaction-actions": ACTIONS_ONLY,
  "v2-transaction-actions-multi": ACTIONS_ONLY,
};

const plain = (path: string) => path.replaceAll("[]", "");

describe.each(
  allEndpoints.filter(({ route }) => REQUESTS[route]).map((endpoint) => [endpoint.route, endpoint] as const),
)("%s", (route, endpoint: Endpoint) => {
  test("has the fields that the catalogue says, and no others", async () => {
    const { node, scenario } = shared;
    await using client = createClient({ rpc: node.url });
    const requests = REQUESTS[route]?.(scenario.addresses as Addresses, scenario.signatures) ?? [];
    const answers = await Promise.all(requests.map((params) => client.fetch(endpoint, params)));
    const rows = answers.flatMap(({ rows: list, data }) => list ?? [recordOf(endpoint, data)]);
    expect(rows.length).toBeGreaterThan(0);
    const isCsv = endpoint.returns.shape === "csv";
    const present = new Set(rows.flatMap((row) => pathsOf(isCsv ? filledCells(row) : (row as Json))).map(plain));
    const entities = await loadEntities();
    const documented = listFields(entities[endpoint.returns.entity] as never).map(({ path }) => plain(path));
    const { missing = [], level } = nodeSupportOf(endpoint);
    const isKnown = (path: string) =>
      present.has(path) || [missing, ELSEWHERE[route] ?? []].some((paths) => isMissingField(paths, path));
    expect({
      missing: documented.filter((path) => !isKnown(path)),
    }).toEqual({ missing: [] });
    expect({ invented: missing.filter((path) => present.has(path)) }).toEqual({ invented: [] });
    if (level === "full") expect(missing).toEqual([]);
  });
});
