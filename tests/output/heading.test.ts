import { describe, expect, it } from "vitest";
import { allEndpoints, type EntityName } from "../../src/catalogue/index.ts";
import * as schemas from "../../src/catalogue/schemas.ts";
import { deriveShape } from "../../src/catalogue/schemas.ts";
import { buildColumns, catalogueField, fieldWords, headingOf } from "../../src/output/index.ts";

const ENTITIES = schemas as unknown as Readonly<Record<EntityName, Parameters<typeof deriveShape>[0]>>;
/** Lower case, apart from acronyms. */
const PLAIN = /^(?:[a-z0-9]+|CU|DEX|FDV|HHI|IDL|LP|NFT|SOL|SPL|TPS|TVL|URI|URL|USD|%|\((?:off-chain|SOL)\))$/;

describe("headings", () => {
  it.each([
    ["changeType", "change type"],
    ["block_time", "block time"],
    ["remaining_cus", "remaining CU"],
    ["IDLName", "IDL name"],
    ["token_1", "token 1"],
    ["TokenDecimals1", "token decimals 1"],
    ["Symbol(off-chain)", "symbol (off-chain)"],
    ["holder_top_20_balance_pct", "holder top 20 balance %"],
    ["u64", "u64"],
    ["constructor", "constructor"],
  ])("%s is written as %s", (name, words) => {
    expect(fieldWords(name)).toBe(words);
  });

  it("leave out what the values say, and prefer labels", () => {
    const heading = (name: string, kind: "address" | "unixTime" | "signature" | "lamports", label?: string) =>
      headingOf(name, { kind, description: "", ...(label !== undefined && { label }) });
    expect(heading("from_address", "address")).toBe("from");
    expect(heading("block_time", "unixTime")).toBe("time");
    expect(heading("created_time", "unixTime")).toBe("created");
    expect(heading("trans_id", "signature")).toBe("signature");
    expect(heading("lamports", "lamports", "balance")).toBe("balance");
  });

  it.each(allEndpoints.map((endpoint) => [endpoint.command, endpoint] as const))(
    "of %s are plain words in one case, each once",
    (_command, { columns, returns }) => {
      const heads = buildColumns(columns.map(catalogueField), deriveShape(ENTITIES[returns.entity])).map(
        ({ head }) => head,
      );
      for (const head of heads) for (const word of head.split(" ")) expect(word, head).toMatch(PLAIN);
      expect(new Set(heads).size).toBe(heads.length);
    },
  );
});
