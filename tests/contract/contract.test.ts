/** Nothing that scripts and library users rely on changes: the contract of version 0.1 is still part of today's. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type Contract, collectContract } from "./contract.ts";

const FILE = fileURLToPath(new URL("../fixtures/contract-0.1.json", import.meta.url));

test("commands, options, settings, JSON fields, exit codes and library exports of 0.1 are unchanged", async () => {
  const contract = await collectContract();
  if (process.env.SOLX_WRITE_CONTRACT) writeFileSync(FILE, `${JSON.stringify(contract)}\n`);
  const expected: Contract = JSON.parse(readFileSync(FILE, "utf8"));
  expect(differences(expected, contract)).toEqual([]);
}, 120_000);

/** Changes that are meant. */
const MEANT = [
  // `-q` is quiet everywhere, and `solx api -q name=value` is still a query.
  "/commands/solx api/options/--query/short",
  "/commands/solx api/options/--quiet/short",
  // The API leaves these out where it does not know them.
  "/endpoints/v2-account-data-decoded/fields/properties/data_decoded/required",
  "/json/show EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v/token/created_time",
  // Tables have the value in dollars where the API answers it, and actions in place of addresses of programs.
  "/endpoints/v2-account-defi-activities/columns",
  "/endpoints/v2-token-defi-activities/columns",
  "/endpoints/v2-account-transactions/columns",
  // An earlier name of a theme, which is still accepted.
  "/commands/solx explore/options/--theme/values/default",
];

/** Where `actual` lacks or contradicts something of `expected`; additions are allowed. */
function differences(expected: Contract, actual: Contract, path = ""): string[] {
  return Object.entries(expected).flatMap(([name, value]) => {
    const at = `${path}/${name}`;
    const other = actual[name];
    if (MEANT.includes(at)) return [];
    if (other === undefined) return [`${at} is missing`];
    if (typeof value === "object" && value !== null) {
      return typeof other === "object" && other !== null ? differences(value, other, at) : [`${at} is no object`];
    }
    return value === other ? [] : [`${at} is ${String(other)}, was ${String(value)}`];
  });
}
