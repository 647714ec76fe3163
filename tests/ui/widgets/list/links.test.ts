import { describe, expect, it } from "vitest";
import * as entities from "../../../../src/catalogue/entities/index.ts";
import { shapeOf } from "../../../../src/output/fields/schema.ts";
import { UNKNOWN_SHAPE } from "../../../../src/output/fields/shape.ts";
import { createLinkFinder, linksIn, rowLinks } from "../../../../src/ui/widgets/list/links.ts";
import { OTHER, SIGNATURE, transfer, transferTable, USDC, WALLET } from "./samples.ts";

const TRANSFER = shapeOf(entities.Transfer);
const describeLinks = (links: ReturnType<typeof rowLinks>) =>
  links.map(({ route }) => (route.kind === "entity" ? `${route.entity} ${route.id}` : ""));

describe("the links of a row", () => {
  it("start with its transaction and are distinct", () => {
    const links = describeLinks(rowLinks(transfer({ from_address: WALLET }), TRANSFER));
    expect(links).toEqual([`transaction ${SIGNATURE}`, "block 275770049", `account ${WALLET}`, `token ${USDC}`]);
  });

  it("use the description of a field for its entity, unless the list defines it", () => {
    const meta = shapeOf(entities.TokenMeta);
    expect(describeLinks(linksIn({ address: USDC }, "", meta))).toEqual([`token ${USDC}`]);
    expect(describeLinks(linksIn({ address: USDC }, "", meta, "account"))).toEqual([`account ${USDC}`]);
    expect(describeLinks(linksIn({ address: OTHER }, "", shapeOf(entities.TokenHolder)))).toEqual([`account ${OTHER}`]);
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
    const finder = createLinkFinder(table, TRANSFER, undefined);
    const at = (key: string) => table.columns.findIndex((column) => column.key === key);
    expect(describeLinks(finder.cell(0, at("token_address")))).toEqual([`token ${USDC}`]);
    expect(finder.cell(0, at("amount"))).toEqual([]);
    expect(finder.cell(7, 0)).toEqual([]);
  });
});
