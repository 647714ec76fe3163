import { describe, expect, it } from "vitest";
import * as entities from "../../../../src/catalogue/entities/index.ts";
import { shapeOf } from "../../../../src/output/fields/schema.ts";
import { UNKNOWN_SHAPE } from "../../../../src/output/fields/shape.ts";
import { createLinkFinder, linksIn, rowLinks } from "../../../../src/ui/widgets/list/links.ts";
import { OTHER, SIGNATURE, transfer, transferTable, USDC, WALLET } from "./samples.ts";

const TRANSFER = shapeOf(entities.Transfer);
const wordsOf = (links: ReturnType<typeof rowLinks>) =>
  links.map(({ route }) => (route.kind === "entity" ? `${route.entity} ${route.id}` : ""));

describe("what a row leads to", () => {
  it("begins with its transaction, each place once", () => {
    const links = wordsOf(rowLinks(transfer({ from_address: WALLET }), TRANSFER));
    expect(links).toEqual([`transaction ${SIGNATURE}`, "block 275770049", `account ${WALLET}`, `token ${USDC}`]);
  });

  it("takes mints for tokens by the words of the catalogue, unless the list says what its addresses are of", () => {
    const meta = shapeOf(entities.TokenMeta);
    expect(wordsOf(linksIn({ address: USDC }, "", meta))).toEqual([`token ${USDC}`]);
    expect(wordsOf(linksIn({ address: USDC }, "", meta, "account"))).toEqual([`account ${USDC}`]);
    expect(wordsOf(linksIn({ address: OTHER }, "", shapeOf(entities.TokenHolder)))).toEqual([`account ${OTHER}`]);
  });

  it("looks inside lists and objects, and tells unknown fields by their form", () => {
    const row = { parts: [{ owner: WALLET }, { owner: OTHER }], note: "hello", tx: SIGNATURE };
    expect(wordsOf(linksIn(row, "", UNKNOWN_SHAPE))).toEqual([
      `account ${WALLET}`,
      `account ${OTHER}`,
      `transaction ${SIGNATURE}`,
    ]);
  });

  it("is found by cell", () => {
    const table = transferTable([transfer()]);
    const finder = createLinkFinder(table, TRANSFER, undefined);
    const at = (key: string) => table.columns.findIndex((column) => column.key === key);
    expect(wordsOf(finder.cell(0, at("token_address")))).toEqual([`token ${USDC}`]);
    expect(finder.cell(0, at("amount"))).toEqual([]);
    expect(finder.cell(7, 0)).toEqual([]);
  });
});
