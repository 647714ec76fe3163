/** What an index knows about NFTs: those that it saw, with their metadata, and nothing of what marketplaces know. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/base/index.ts";
import { runInProcess } from "../../support/in-process.ts";
import { useScenario } from "../../support/node/use-test-node.ts";

const shared = useScenario();
const home = mkdtempSync(join(tmpdir(), "solx-nfts-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const solx = (...words: readonly string[]) => runInProcess(words, { env: { SOLX_HOME: home, SOLX_CACHE: "off" } });
const ask = (...words: readonly string[]) => solx(...words, "--index", "whole", "-o", "json");
async function rowsOf(...words: readonly string[]): Promise<readonly JsonObject[]> {
  const { stdout, code, stderr } = await ask(...words);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  return JSON.parse(stdout);
}

const ITEM = {
  name: "Scenario #1",
  symbol: "SCN",
  uri: "https://example.com/1.json",
  sellerFeeBasisPoints: 500,
  creators: [{ address: expect.any(String), verified: true, share: 100 }],
  id: 1,
};

describe("an index", () => {
  const address = (name: "nft" | "collection") => String(shared.scenario.addresses[name]);
  beforeAll(async () => {
    const { url } = shared.node;
    for (const [name, from] of [
      ["whole", "earliest"],
      ["late", String(shared.node.chain.tip.slot)],
    ] as const)
      expect((await solx("index", "--rpc", url, "--index", name, "--from", from, "--to", "now")).code).toBe(0);
  });

  it("has the newest NFTs, with the transaction that minted them", async () => {
    const [row] = await rowsOf("nft", "news");
    expect(row?.info).toMatchObject({
      address: address("nft"),
      collectionKey: address("collection"),
      mintTx: shared.scenario.signatures.mintNft,
      data: ITEM,
      meta: null,
    });
  });

  it("has the NFTs of a collection, by its address or identifier, and no trades", async () => {
    const [collection] = await rowsOf("nft", "collection-lists");
    expect(collection).toEqual({
      collection_id: expect.stringMatching(/^[0-9a-f]{64}$/),
      name: null,
      symbol: null,
      items: 1,
    });
    for (const id of [address("collection"), String(collection?.collection_id)]) {
      const [item, ...more] = await rowsOf("nft", "collection-items", id);
      expect(more).toEqual([]);
      expect(item?.info).toMatchObject({ address: address("nft"), token_name: "Scenario #1", data: ITEM });
      expect(item).not.toHaveProperty("stats");
    }
  });

  it("has those that are older than it, without the transaction", async () => {
    const { stdout } = await solx("nft", "collection-items", address("collection"), "--index", "late", "-o", "json");
    expect(JSON.parse(stdout)[0].info).toMatchObject({ address: address("nft"), mint_tx: null, data: ITEM });
  });

  it.each([
    [["nft", "activities"], /needs the marketplaces of NFTs/],
    [["nft", "collection-lists", "--sort-by", "floor_price"], /^An index cannot sort by "floor_price"/],
    [
      ["nft", "collection-items", "COLLECTION", "--sort-by", "listing_price"],
      /^An index cannot sort by "listing_price"/,
    ],
    [
      ["nft", "collection-items", "43GSck5H2Xg7h4mSFZpDSvmGRZskwqiFMdGy4D76R5Re"],
      /knows no NFT of this collection.*--rpc/,
    ],
    [["nft", "collection-lists", "--collection", "43GSck5H2Xg7h4mSFZpDSvmGRZskwqiFMdGy4D76R5Re"], /knows no NFT/],
    [["account", "data-decoded", "43GSck5H2Xg7h4mSFZpDSvmGRZskwqiFMdGy4D76R5Re"], /--rpc <node>/],
  ] as const)("refuses %j, and is not empty", async (words, reason) => {
    const { stdout, stderr, code } = await ask(
      ...words.map((word) => (word === "COLLECTION" ? address("collection") : word)),
    );
    expect([stdout, code]).toEqual(["", 4]);
    const { message, hint, code: name } = JSON.parse(stderr).errors;
    expect(`${message} ${hint}`).toMatch(reason);
    expect([hint, name]).toEqual([expect.stringMatching(/^Use the API \(omit --index\)/), "INDEX_UNSUPPORTED"]);
  });

  it("leaves data of accounts and collections to a node, which answers both", async () => {
    const node = ["--rpc", shared.node.url, "-o", "json"];
    const items = JSON.parse((await solx("nft", "collection-items", address("collection"), ...node)).stdout);
    expect(items[0].info.address).toBe(address("nft"));
    const decoded = JSON.parse((await solx("account", "data-decoded", address("nft"), ...node)).stdout);
    expect(decoded.data_decoded.name).toMatch(/mint/i);
  });
});
