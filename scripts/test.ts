/**
 * Runs the tests of a contributor: build, format, lint, unused code, types, then unit tests, contracts and one
 * end-to-end test of each capability on the current Node. `--all` runs every test, on the current and, but for a few,
 * on the oldest supported Node, and gives the OpenAPI document to tools of a registry. In CI (`CI` set), tests whose
 * programs (tmux, redis-server, zsh, fish, chdb) are missing fail instead of being skipped. Up to five files with
 * failures run once more: what passes then is reported, and is no failure. Other arguments are passed to vitest: files,
 * which are then run on both Nodes, and options.
 * Ends with the failures of all steps, and the line `N passed, N failed`, with `, N skipped` where tests were.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ONLY_IN_ALL } from "./test-order.ts";
import type { TestReport } from "./test-report.ts";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const CACHE = resolve("node_modules/.cache/solx");
// Programs that tests start from the sources compile them once.
process.env.NODE_COMPILE_CACHE ??= join(CACHE, "compiled");

const OLDEST = "node_modules/node-oldest/bin/node";
const BIOME = "node_modules/@biomejs/biome/bin/biome";
const KNIP = "node_modules/knip/bin/knip.js";
const TSC = "node_modules/typescript/bin/tsc";
const VITEST = "node_modules/vitest/vitest.mjs";
const REPORTER = "./scripts/test-report.ts";

/**
 * Files whose result does not depend on Node: pictures, the tour of all pages of which they are made, tasks in them, and
 * compilers that read declarations; whether the lines of the documentation are right; what servers and nodes do that fail
 * in all ways, one after the other, and programs that are killed; the statements of ClickHouse, but for those of all
 * answers; and those whose limits are of one Node: bytes of memory.
 */
const ONLY_ON_CURRENT: readonly string[] = [
  "tests/chain/clickhouse/faults.test.ts",
  "tests/chain/clickhouse/kills.test.ts",
  "tests/chain/clickhouse/rows-read.test.ts",
  "tests/chain/clickhouse/statistics.test.ts",
  "tests/chain/clickhouse/tip.test.ts",
  "tests/chain/indexer/gaps.test.ts",
  "tests/chain/indexer/lasting.test.ts",
  "tests/docs/command-lines.test.ts",
  "tests/e2e/captures.test.ts",
  "tests/e2e/explore-tasks.test.ts",
  "tests/e2e/explore-tour.test.ts",
  "tests/e2e/library-types.test.ts",
  "tests/e2e/memory.test.ts",
  "tests/e2e/watch-kills.test.ts",
  "tests/e2e/watch-shared.test.ts",
  "tests/sources/api/rate-limit/outage.test.ts",
  "tests/sources/node/hostile.test.ts",
  "tests/sources/node/methods-off.test.ts",
];

const reports = mkdtempSync(join(tmpdir(), "solx-test-"));
const totals = { passed: 0, skipped: 0 };
/** Each failure, repeated at the end: the output of a run is long, and of a log often only the end is at hand. */
const failures: string[] = [];
/** Each failure of a test that passed when it was run once more: it depends on something that it should not. */
const unstable: string[] = [];
const MAX_REPEATED_FILES = 5;
/** The number of processes after another that run all tests. */
const PARTS = 3;

/** Returns one line for each text. */
function indented(texts: readonly string[]): string {
  return texts.map((text) => `  ${text}`).join("\n");
}

/** Runs a command with its output on the terminal; true when it succeeds. */
function step(title: string, command: string, args: readonly string[]): boolean {
  console.log(`\n== ${title}`);
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  return status === 0;
}

/** Runs a check that is no test run; it counts as one test. */
function check(title: string, args: readonly string[]): void {
  if (step(title, process.execPath, args)) totals.passed += 1;
  else failures.push(title);
}

/**
 * Runs the tests of all files but some in parts, each in new processes: files share the memory of their process, and
 * after hundreds of files its collector took minutes of single tests.
 */
function runAllTests(title: string, node: string, left: readonly string[]): void {
  const parts = Array.from({ length: PARTS }, (_, index) => `${index + 1}/${PARTS}`);
  const excluded = left.map((file) => `--exclude=${file}`);
  for (const part of parts) runTests(`${title}, part ${part}`, node, [...excluded, `--shard=${part}`]);
}

/** Runs vitest on a Node and adds its report to the totals; a run without a report counts as a failure. */
function runTests(title: string, node: string, filters: readonly string[]): void {
  const report = runVitest(title, node, filters);
  if (report === undefined) return void failures.push(`${title}: no report`);
  totals.passed += report.passed;
  totals.skipped += report.skipped;
  console.log(`Longest: ${report.longest.map(([file, seconds]) => `${file} ${seconds} s`).join(", ")}`);
  const failed = report.failures.map((text) => `${title}: ${text}`);
  const files = report.failedFiles ?? [];
  const isRepeated = files.length > 0 && files.length <= MAX_REPEATED_FILES;
  const repeated = isRepeated ? runVitest(`once more ${title}`, node, files) : undefined;
  if (repeated?.failures.length !== 0) return void failures.push(...failed);
  totals.passed += report.failed;
  unstable.push(...failed);
}

/** Runs vitest. Returns its report, or undefined when it wrote none, or failed for a reason that it does not tell. */
function runVitest(title: string, node: string, filters: readonly string[]): TestReport | undefined {
  const path = join(reports, `${title.replace(/\W+/g, "-")}.json`);
  process.env.SOLX_TEST_REPORT = path;
  const succeeded = step(title, node, [VITEST, "run", "--reporter=dot", `--reporter=${REPORTER}`, ...filters]);
  try {
    const report: TestReport = JSON.parse(readFileSync(path, "utf8"));
    return succeeded || report.failures.length > 0 ? report : undefined;
  } catch {
    return undefined;
  }
}

const filters = process.argv.slice(2).filter((argument) => argument !== "--all");
const all = filters.length < process.argv.length - 2;
check("build", ["scripts/build.ts"]);
check("format and lint", [BIOME, "ci", "--error-on-warnings", "."]);
check("unused code", [KNIP, "--cache", "--cache-location", join(CACHE, "knip")]);
check("types", [TSC, "-p", ".", "--incremental", "--tsBuildInfoFile", join(CACHE, "types.tsbuildinfo")]);
// Laws are tested with more generated cases where time matters less.
if (all) process.env.LAW_CASES ??= "2000";
const current = `tests on Node ${process.version}`;
const oldest = "tests on the oldest Node";
if (filters.length > 0) {
  runTests(current, process.execPath, filters);
  runTests(oldest, OLDEST, filters);
} else {
  runAllTests(current, process.execPath, all ? [] : ONLY_IN_ALL);
}
if (all && filters.length === 0) {
  // The same cases again would show the same, on another Node too.
  delete process.env.LAW_CASES;
  // The checks that need a registry. What they say does not depend on Node.
  check("OpenAPI document in linters and code generators", ["scripts/openapi-tools.ts"]);
  check("library in bundlers", ["scripts/bundlers.ts"]);
  runAllTests(oldest, OLDEST, ONLY_ON_CURRENT);
}

rmSync(reports, { recursive: true, force: true });
const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : "";
if (unstable.length > 0) console.log(`\nPassed only when run once more:\n${indented(unstable)}`);
if (failures.length > 0) console.log(`\nFailed:\n${indented(failures)}`);
console.log(`\n${totals.passed} passed, ${failures.length} failed${skipped}`);
process.exitCode = failures.length > 0 ? 1 : 0;
