/** The column that `s` sorts by before the cursor is moved, for every list of the API. */
import { describe, expect, test } from "vitest";
import type { ZodType } from "zod";
import { type EntityName, endpoints, type Kind, returnsList } from "../../../../src/catalogue/index.ts";
import * as entities from "../../../../src/catalogue/schemas.ts";
import { deriveShape } from "../../../../src/catalogue/schemas.ts";
import { apiSortKey, type ListColumn, listColumns } from "../../../../src/ui/widgets/list/columns.ts";
import { naturalColumn } from "../../../../src/ui/widgets/list/rows.ts";

const ENTITIES: Readonly<Record<EntityName, ZodType>> = entities;
const LISTS = endpoints.filter(returnsList);

const kindOf = (column: ListColumn | undefined): Kind | undefined => column?.sources[0]?.meta?.kind;

/** Returns the columns of a list without rows, and the one that it is sorted by at first. */
function sortOf(endpoint: (typeof LISTS)[number]) {
  const columns = listColumns({ endpoint, shape: deriveShape(ENTITIES[endpoint.returns.entity]), rows: [] });
  const at = naturalColumn(columns, (column) => apiSortKey(endpoint, column, columns) !== undefined);
  return { columns, chosen: columns[at] };
}

const AMOUNTS: readonly (Kind | undefined)[] = ["usd", "tokenAmount", "lamports", "sol", "amount"];
const TIMES: readonly (Kind | undefined)[] = ["unixTime", "isoTime", "date", "minute"];

describe.each(LISTS.map((one) => [one.route, one] as const))("the list of %s", (_route, endpoint) => {
  test("is sorted by an amount or a time where it has one", () => {
    const { columns, chosen } = sortOf(endpoint);
    const sortable = columns.filter((column) => [...AMOUNTS, ...TIMES].includes(kindOf(column)));
    if (sortable.length > 0) expect([...AMOUNTS, ...TIMES]).toContain(kindOf(chosen));
  });
});

test.each([
  ["v2-account-transfer", "amount"],
  ["v2-account-defi-activities", "value"],
  ["v2-token-holders", "value"],
  ["v2-token-markets", "volume 24h"],
  ["v2-nft-activities", "price"],
  ["v2-account-transactions", "fee"],
  ["account-transactions", "amount"],
  ["v2-account-funded-by", "time"],
])("%s is sorted by its %s", (route, head) => {
  const endpoint = LISTS.find((one) => one.route === route);
  expect(endpoint && sortOf(endpoint).chosen?.head).toBe(head);
});
