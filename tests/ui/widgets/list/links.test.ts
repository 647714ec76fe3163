import { describe, expect, it } from "vitest";
import type { ZodType } from "zod";
import type { EntityName } from "../../../../src/catalogue/endpoint.ts";
import * as entities from "../../../../src/catalogue/entities/index.ts";
import { UNKNOWN_SHAPE } from "../../../../src/catalogue/index.ts";
import { deriveShape } from "../../../../src/catalogue/schemas.ts";
import { createLinkFinder, linksIn, rowLinks } from "../../../../src/ui/widgets/list/links.ts";
import { OTHER, route, SIGNATURE, transfer, transferTable, USDC, WALLET } from "./samples.ts";

const ENTITIES: Readonly<Record<EntityName, ZodType>> = entities;
const TRANSFER = deriveShape(entities.Transfer);
const describeLinks = (links: ReturnType<typeof rowLinks>) =>
  links.map(({ route }) => (route.kind === "entity" ? `${route.entity} ${route.id}` : ""));

describe("the links of a row", () => {
  it("start with its transaction and are distinct", () => {
    const links = describeLinks(rowLinks(transfer({ from_address: WALLET }), { shape: TRANSFER }));
    expect(links).toEqual([`transaction ${SIGNATURE}`, "block 275770049", `account ${WALLET}`, `token ${USDC}`]);
  });

  it.each([
    ["v2-account-transfer", transfer(), "transaction"],
    ["v2-token-holders", { address: OTHER, owner: WALLET, amount: 1 }, `account ${WALLET}`],
    ["v2-account-token-accounts", { token_account: OTHER, token_address: USDC, owner: WALLET }, `token ${USDC}`],
    ["v2-token-list", { address: USDC, creator: WALLET }, `token ${USDC}`],
    ["v2-market-list", { program_id: OTHER, pool_address: WALLET, token1: USDC }, `market ${WALLET}`],
    ["v2-nft-collection-items", { info: { address: OTHER, collection_id: "c".repeat(64) } }, `token ${OTHER}`],
    ["v2-nft-collection-lists", { collection_id: "c".repeat(64) }, `collection ${"c".repeat(64)}`],
    ["v2-block-last", { current_slot: 275770049, blockhash: OTHER, parent_slot: 275770048 }, "block 275770049"],
    ["v2-market-positions", { position_id: OTHER, position_owner: WALLET, pool_id: USDC }, `account ${WALLET}`],
    ["node-validators", { vote_account: OTHER, identity: WALLET }, `account ${OTHER}`],
  ])("start with what the row is about: %s", (name, row, subject) => {
    const endpoint = route(name);
    const shape = deriveShape(ENTITIES[endpoint.returns.entity]);
    expect(describeLinks(rowLinks(row, { endpoint, shape }))[0]).toContain(subject);
  });

  it("use the description of a field for its entity, unless the list defines it", () => {
    const meta = deriveShape(entities.TokenMeta);
    expect(describeLinks(linksIn({ address: USDC }, "", meta))).toEqual([`token ${USDC}`]);
    expect(describeLinks(linksIn({ address: OTHER }, "", deriveShape(entities.TokenHolder)))).toEqual([
      `account ${OTHER}`,
    ]);
  });

  it("include nested values, and recognise unknown fields by their format", () => {
    const row = { parts: [{ owner: WALLET }, { owner: OTHER }], note: "hello", tx: SIGNATURE };
    expect(describeLinks(linksIn(row, "", UNKNOWN_SHAPE))).toEqual([
      `account ${WALLET}`,
      `account ${OTHER}`,
      `transaction ${SIGNATURE}`,
    ]);
  });

  it("are found by cell", () => {
    const table = transferTable([transfer()]);
    const finder = createLinkFinder(table, { shape: TRANSFER });
    const at = (key: string) => table.columns.findIndex((column) => column.key === key);
    expect(describeLinks(finder.cell(0, at("token_address")))).toEqual([`token ${USDC}`]);
    expect(finder.cell(0, at("amount"))).toEqual([]);
    expect(finder.cell(7, 0)).toEqual([]);
  });
});
