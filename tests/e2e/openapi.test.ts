/** `solx openapi` on the command line. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { recordExamples } from "../../src/commands/openapi/examples.ts";
import { openapiDocument } from "../../src/commands/openapi/openapi.ts";
import { worldsFolder } from "../support/ledger.ts";
import { solx } from "../support/solx.ts";

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

test("prints the whole document as JSON and a family as YAML without a key; rejects other formats and families", async () => {
  const env = { SOLX_API_KEY: undefined, SOLX_OUTPUT: "table" };
  const [whole, family, rows, unknown] = await Promise.all([
    solx(["openapi"], { env }),
    solx(["openapi", "--family", "legacy", "-o", "yaml"], { env }),
    solx(["openapi", "-o", "csv"], { env }),
    solx(["openapi", "--family", "v3"], { env }),
  ]);
  const examples = await recordExamples(worldsFolder());
  expect(whole).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(whole.stdout)).toEqual(plain(openapiDocument({ version, examples })));
  expect(parse(family.stdout)).toEqual(plain(openapiDocument({ version, family: "legacy", examples })));
  expect(rows).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("-o yaml") });
  expect(unknown).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("public, legacy or v2") });
});
