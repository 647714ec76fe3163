/** Rows and tables for tests of lists. */

import type { ZodType } from "zod";
import type { Json, JsonObject } from "../../../../src/base/json.ts";
import type { Column, Endpoint, EntityName } from "../../../../src/catalogue/endpoint.ts";
import * as entities from "../../../../src/catalogue/entities/index.ts";
import { endpointByRoute } from "../../../../src/catalogue/index.ts";
import { deriveShape } from "../../../../src/catalogue/schemas.ts";
import type { Clock } from "../../../../src/output/values/time.ts";
import { listColumns } from "../../../../src/ui/widgets/list/columns.ts";
import { buildTable, type CellTable } from "../../../../src/ui/widgets/list/table.ts";

export const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";
export const OTHER = "2iXUd6pLkdVWkJUDoMLBEqdKEHSxNEY1wHc4Rha1LSZd";
export const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
export const WSOL = "So11111111111111111111111111111111111111112";
export const SIGNATURE = "4AU5ShM99Db1yXr72jukaUNSJTnJtp76zt6CdL9ghatA3N4HYU9jaHre2HsHqWcKipKCD3MenvdShPsRrAU6CC4f";

/** The current time of tests of tables, ten minutes after {@link transfer}. */
export const CLOCK: Clock = { style: "relative", now: 1_720_172_255_000, timeZone: "UTC" };

/** Returns the endpoint of a documentation route. */
export function route(name: string): Endpoint {
  const endpoint = endpointByRoute(name);
  if (!endpoint) throw new Error(`No endpoint ${name}.`);
  return endpoint;
}

export const TRANSFERS = route("v2-account-transfer");

/** Returns a transfer of an account. */
export function transfer(more: JsonObject = {}): JsonObject {
  return {
    block_id: 275_770_049,
    trans_id: SIGNATURE,
    block_time: 1_720_171_655,
    activity_type: "ACTIVITY_SPL_TRANSFER",
    from_address: OTHER,
    to_address: WALLET,
    token_address: USDC,
    token_decimals: 6,
    amount: 1_500_000,
    flow: "in",
    ...more,
  };
}

const ENTITIES: Readonly<Record<EntityName, ZodType>> = entities;

/** Returns the columns of an endpoint. */
export function columnsFor(endpoint: Endpoint, rows: readonly Json[] = [], columns?: readonly Column[]) {
  const shape = deriveShape(ENTITIES[endpoint.returns.entity]);
  return listColumns({ endpoint, shape, rows, defaults: columns });
}

/** Returns a table of transfers. */
export function transferTable(rows: readonly Json[], columns?: readonly Column[]): CellTable {
  return buildTable(rows, columnsFor(TRANSFERS, rows, columns), TRANSFERS.identity, CLOCK);
}

/** Returns a table of rows with unknown fields. */
export function freeTable(rows: readonly Json[]): CellTable {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row as JsonObject)))];
  return buildTable(rows, columnsFor(TRANSFERS, rows, names.length > 0 ? names : ["a"]), undefined, CLOCK);
}
