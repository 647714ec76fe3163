/**
 * Everything that must hold: format, lint, import rules, types, then all tests on the Node that the checkout brings
 * along and again on the oldest one supported. Ends with the line `N passed, N failed`.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const OLDEST = "node_modules/node-oldest/bin/node";
const BIOME = "node_modules/@biomejs/biome/bin/biome";
const TSC = "node_modules/typescript/bin/tsc";
const VITEST = "node_modules/vitest/vitest.mjs";

const reports = mkdtempSync(join(tmpdir(), "solx-test-"));
let passed = 0;
let failed = 0;

/** Runs a step; a step that is no test run counts as one check. */
function step(title: string, command: string, args: readonly string[]): boolean {
  console.log(`\n== ${title}`);
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  return status === 0;
}

function check(title: string, args: readonly string[]): void {
  if (step(title, process.execPath, args)) passed += 1;
  else failed += 1;
}

/** Runs all tests on one Node and adds up its report; a run without a report is a failure. */
function tests(title: string, node: string, extra: readonly string[]): void {
  const report = join(reports, `${title.replace(/\W+/g, "-")}.json`);
  const ok = step(title, node, [
    VITEST,
    "run",
    "--reporter=dot",
    "--reporter=json",
    `--outputFile=${report}`,
    ...extra,
  ]);
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, "utf8"));
    passed += numPassedTests;
    failed += numFailedTests;
    if (!ok && numFailedTests === 0) failed += 1;
  } catch {
    failed += 1;
  }
}

const only = process.argv.slice(2);
check("build", ["scripts/build.ts"]);
check("format, lint, import rules", [BIOME, "ci", "--error-on-warnings", "."]);
check("types", [TSC, "-p", "."]);
tests(`tests on Node ${process.version}`, process.execPath, only);
tests("tests on the oldest Node", OLDEST, only);

rmSync(reports, { recursive: true, force: true });
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
