/** Which test files take long, and the order of all of them. */
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that only `--all` runs: the longest. What they test has a shorter test among the others, such as
 * `explore-terminal.test.ts` for the explorer in a terminal and `package.test.ts` for what is published.
 */
export const ONLY_IN_ALL: readonly string[] = [
  "tests/chain/clickhouse/answers.test.ts",
  "tests/chain/clickhouse/kills.test.ts",
  "tests/chain/clickhouse/statistics.test.ts",
  "tests/chain/clickhouse/tip.test.ts",
  "tests/chain/indexer/gaps.test.ts",
  "tests/chain/ledger/chain-queries.test.ts",
  "tests/commands/openapi-agreement.test.ts",
  "tests/commands/row-contract.test.ts",
  "tests/e2e/captures.test.ts",
  "tests/e2e/executable.test.ts",
  "tests/e2e/explore-tasks.test.ts",
  "tests/e2e/explore-tour.test.ts",
  "tests/e2e/formats.test.ts",
  "tests/e2e/install.test.ts",
  "tests/e2e/library-types.test.ts",
  "tests/e2e/memory.test.ts",
  "tests/e2e/out-sandbox.test.ts",
  "tests/e2e/release.test.ts",
  "tests/e2e/runtimes.test.ts",
  "tests/e2e/watch-kills.test.ts",
  "tests/e2e/watch-shared.test.ts",
  "tests/sandbox/query-plans.test.ts",
  "tests/sources/api/rate-limit/outage.test.ts",
  "tests/sources/api/rate-limit/processes.test.ts",
  "tests/sources/node/methods-off.test.ts",
  "tests/ui/actions/sort-program.test.ts",
];

/** Files that start processes, and take long for it. */
const OF_PROGRAM = /^tests\/(e2e|docs)\//;

function rankOf({ moduleId }: TestSpecification): number {
  const file = relative(".", moduleId);
  return ONLY_IN_ALL.includes(file) ? 0 : OF_PROGRAM.test(file) ? 1 : 2;
}

/**
 * The order of the test files: long ones begin first, so that none of them is left at the end while other processes have
 * nothing to do, and each part of a run has its share of them.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
  }

  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index, count } = this.ctx.config.shard ?? { index: 1, count: 1 };
    const byName = files.toSorted((a, b) => rankOf(a) - rankOf(b) || a.moduleId.localeCompare(b.moduleId));
    return byName.filter((_, at) => at % count === index - 1);
  }
}
