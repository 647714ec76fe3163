/** Deviations of answers from the catalogue; the recorded answers, where available, have none. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type JsonObject, parseJson, stringifyJson } from "../../../../src/base/json.ts";
import type { Family } from "../../../../src/catalogue/endpoint.ts";
import { endpointByPath } from "../../../../src/catalogue/index.ts";
import { decode } from "../../../../src/client/answer/decode.ts";
import { findSchemaDrift } from "../../../../src/client/answer/schema-drift.ts";
import { NOW, USDC, WALLET } from "../../../client/servers.ts";

async function drift(family: Family, path: string, body: string): Promise<readonly string[]> {
  const endpoint = endpointByPath(family, path);
  const request = { ...(endpoint && { endpoint }), family, path, query: [], cost: 100, notes: [] };
  const url = new URL("https://api.example.test/");
  return findSchemaDrift(await decode({ url, status: 200, headers: {}, body }, request, NOW));
}
const driftOf = (path: string, data: unknown) => drift("v2", path, JSON.stringify({ success: true, data }));

describe("deviations", () => {
  const holder = { address: WALLET, amount: 5, decimals: 6, owner: WALLET, rank: 1 };

  it("are types that differ and fields that are missing", async () => {
    expect(
      await driftOf("/token/holders", { total: 1, items: [{ ...holder, decimals: "6", owner: undefined }] }),
    ).toEqual(["decimals: expected number, received string", "owner: expected string, received undefined"]);
    expect(await driftOf("/token/holders", { total: 1, items: [{ ...holder, owner: null }] })).toEqual([
      "owner: expected string, received null",
    ]);
  });

  it("do not include optional fields that are null", async () => {
    expect(await driftOf("/token/holders", { total: 1, items: [{ ...holder, value: null }] })).toEqual([]);
  });

  it("do not include answers without anything", async () => {
    expect(await driftOf("/token/meta", {})).toEqual([]);
    expect(await driftOf("/account/metadata", [])).toEqual([]);
    expect(await driftOf("/token/holders", {})).toEqual([]);
  });

  it("do not include fields that third parties write, or that are documented with two types", async () => {
    const info = { address: USDC, meta: { attributes: { a: 1 }, properties: "none", collection: [1], name: 404 } };
    expect(await driftOf("/nft/news", [{ info }, { info: { ...info, meta: "broken" } }])).toEqual([]);
    const token = { address: USDC, decimals: 6, supply: "1", holder: 1, metadata: { name: 5, website: ["x"] } };
    expect(await driftOf("/token/meta", token)).toEqual([]);
    const platform = { platform_id: "x", platform_name: "X", program_ids: [USDC], website: "https://x.test" };
    expect(await driftOf("/program/popular/platforms", [{ ...platform, description: 5 }])).toEqual([]);
    expect(await driftOf("/program/popular/platforms", [{ ...platform, website: 5 }])).toEqual([
      "website: expected string, received number",
    ]);
  });

  it("do not include the place of the rows", async () => {
    const token = { address: USDC, decimals: 6, name: "USDC", symbol: "USDC" };
    for (const data of [[token], { total: 1, items: [token] }, { data: [token] }]) {
      expect(await driftOf("/token/top", data)).toEqual([]);
      expect(await driftOf("/token/list", data)).toEqual([]);
    }
    expect(await drift("v2", "/token/top", JSON.stringify([token]))).toEqual([]);
    expect(await driftOf("/token/list", { tokens: 1 })).toEqual(["no rows where rows were expected"]);
  });
});

const FOLDER = new URL("../../../../shared/recorded/", import.meta.url);
const RECORDINGS = (existsSync(FOLDER) ? readdirSync(FOLDER) : [])
  .map((file) => [file, parseJson(readFileSync(new URL(file, FOLDER), "utf8")) as JsonObject] as const)
  .filter(([, { status, fragment }]) => status === 200 && fragment === undefined);

describe.skipIf(RECORDINGS.length === 0)("recorded answers", () => {
  it.each(RECORDINGS)("%s matches the catalogue", async (_file, { family, endpoint, body, body_text: csv }) => {
    const path = String(endpoint);
    expect(endpointByPath(family as Family, path)).toBeDefined();
    expect(await drift(family as Family, path, typeof csv === "string" ? csv : stringifyJson(body ?? null))).toEqual(
      [],
    );
  });
});
