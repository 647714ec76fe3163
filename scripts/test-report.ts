/**
 * A reporter of vitest: writes what `scripts/test.ts` counts into the file of `SOLX_TEST_REPORT`. The JSON of vitest
 * leaves out errors outside the tests (a rejection that nothing handles, a process that dies): these fail a run too.
 */
import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

/** The result of a test run. */
export interface TestReport {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The files to run once more. Undefined when it is not known for each failure where it happened. */
  readonly failedFiles: readonly string[] | undefined;
  /** One line for each failure. */
  readonly failures: readonly string[];
  /** The files that took longest, with their seconds. */
  readonly longest: readonly (readonly [file: string, seconds: number])[];
}

/** An error as vitest hands it over from the process of a test. */
interface ReceivedError {
  readonly message?: string;
  readonly stack?: string;
  readonly VITEST_TEST_PATH?: unknown;
}

const MAX_LENGTH = 400;
const MAX_LONGEST = 25;

export default class implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly ReceivedError[]): void {
    const path = process.env.SOLX_TEST_REPORT;
    if (path !== undefined) writeFileSync(path, JSON.stringify(testReport(modules, unhandled)));
  }
}

function testReport(modules: readonly TestModule[], unhandled: readonly ReceivedError[]): TestReport {
  const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 };
  const failures: string[] = [];
  const failedFiles = new Set<unknown>();
  for (const module of modules) {
    const file = relative(".", module.moduleId);
    const before = failures.length;
    for (const test of module.children.allTests()) {
      const { state, errors } = test.result();
      counts[state] += 1;
      if (state === "failed") failures.push(`${file}: ${test.fullName}: ${line(errors[0])}`);
    }
    for (const suite of [module, ...module.children.allSuites()]) {
      for (const error of suite.errors()) failures.push(`${file}: ${line(error)}`);
    }
    const ended = module.state() !== "queued" && module.state() !== "pending";
    if (!ended) failures.push(`${file}: did not end`);
    if (failures.length > before) failedFiles.add(file);
  }
  // The error of a process that died names no file: the file is the one that did not end.
  const filesBefore = failedFiles.size;
  for (const error of unhandled) {
    const file = error.VITEST_TEST_PATH;
    if (typeof file === "string") failedFiles.add(relative(".", file));
    else if (filesBefore === 0) failedFiles.add(undefined);
    failures.push(`outside the tests${file ? `, during ${relative(".", String(file))}` : ""}: ${line(error, 5)}`);
  }
  const files = [...failedFiles].filter((file) => typeof file === "string");
  return {
    passed: counts.passed,
    failed: counts.failed,
    skipped: counts.skipped + counts.pending,
    failedFiles: files.length === failedFiles.size ? files : undefined,
    failures,
    longest: modules
      .map((module) => [relative(".", module.moduleId), Math.round(module.diagnostic().duration / 1000)] as const)
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, MAX_LONGEST),
  };
}

/** Returns the first lines of an error as one. */
function line(error: ReceivedError | undefined, lines = 1): string {
  const text = error?.stack ?? error?.message ?? "no error";
  return text.split("\n", lines).join(" ").slice(0, MAX_LENGTH);
}
