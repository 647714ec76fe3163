import { beforeAll, describe, expect, test } from "vitest";
import { endpoints, QueryParams } from "../../src/catalogue/index.ts";
import { type BusySubjects, busySubjects, filterCombinations } from "../support/filter-combinations.ts";
import { type TestLedger, worldLedger } from "../support/ledger.ts";
import { answerParams } from "../support/query.ts";
import { type PlannedStatement, planStatements } from "../support/query-plans.ts";

let world: TestLedger;
let subjects: BusySubjects;
/** The tables that grow with the number of transactions. */
let eventTables: ReadonlySet<string>;

beforeAll(async () => {
  world = await worldLedger();
  subjects = busySubjects(world.reader);
  const names = world.reader.all("SELECT name FROM sqlite_schema WHERE type = 'table'").map(({ name }) => String(name));
  const count = (name: string) => Number(world.reader.get(`SELECT count(*) AS n FROM ${name}`)?.n);
  const transactions = count("transactions");
  const isLarge = (name: string) => count(name) > transactions * 0.8;
  eventTables = new Set(names.filter((name) => !name.startsWith("sqlite_") && isLarge(name)));
});

/** Returns the table of a name in a statement: an alias or the table itself. */
function tableOf(sql: string, name: string): string {
  return (
    [...sql.matchAll(/(?:FROM|JOIN)\s+(\w+)(?:\s+(?:AS\s+)?(\w+))?/gi)].find(([, , alias]) => alias === name)?.[1] ??
    name
  );
}

/** Returns what would make a statement slow on a busy subject. */
function problemsOf({ sql, steps }: PlannedStatement): readonly string[] {
  const problems: string[] = [];
  for (const step of steps) {
    const [, name] = /^SCAN (\w+)/.exec(step) ?? [];
    // Lists of the newest blocks and transactions are scans by id, which end with the page.
    const isNewest = name !== undefined && /^(blocks|transactions)$/.test(tableOf(sql, name)) && / LIMIT /.test(sql);
    if (name !== undefined && eventTables.has(tableOf(sql, name)) && !isNewest) problems.push(step);
    if (/AUTOMATIC/.test(step)) problems.push(step);
  }
  // Sums by id sort all events of the subject where they could be ranges of an index. Sums by time have no such index.
  const readsEvents = steps.some((step) => {
    const [, name] = /^SEARCH (\w+)/.exec(step) ?? [];
    return name !== undefined && eventTables.has(tableOf(sql, name));
  });
  const grouping = steps.find((step) => step.endsWith("FOR GROUP BY"));
  if (grouping !== undefined && readsEvents && /GROUP BY (\w+\.)?\w*id\b/.test(sql)) problems.push(grouping);
  // SQLite uses one lower and one upper bound of a column: with two, it may read the wider range for every outer row.
  for (const bound of [/(\w+\.\w*id) >= /g, /(\w+\.\w*id) < /g]) {
    for (const part of sql.split(" UNION ")) {
      const columns = [...part.matchAll(bound)].map(([, column]) => column);
      for (const column of new Set(columns)) {
        if (columns.filter((one) => one === column).length > 1) problems.push(`two bounds of ${column}`);
      }
    }
  }
  return problems;
}

describe("combinations of filters never scan the events of the whole chain", () => {
  test.each(endpoints.map((endpoint) => [endpoint.route, endpoint] as const))("%s", (_route, endpoint) => {
    const statements = planStatements(world.reader, (recording) => {
      for (const values of filterCombinations(endpoint, subjects)) {
        answerParams(recording, endpoint, new QueryParams(endpoint.query, values));
      }
    });
    const slow = statements.flatMap((statement) => {
      const problems = problemsOf(statement);
      return problems.length === 0 ? [] : [{ problems, sql: statement.sql }];
    });
    expect(slow).toEqual([]);
  });
});
