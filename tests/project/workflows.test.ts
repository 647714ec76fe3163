/** The workflows of CI and of releases run what exists: scripts, actions of the repository, jobs and artefacts. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const FOLDER = join(ROOT, ".github/workflows");
const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job extends Step {
  readonly needs?: readonly string[];
  readonly "runs-on"?: string;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const readWorkflow = (file: string): Workflow => parse(readFileSync(join(FOLDER, file), "utf8"), { strict: true });

/** Returns what a workflow refers to and does not exist, and steps that GitHub would refuse. */
function problemsOf({ jobs }: Workflow): readonly string[] {
  return Object.entries(jobs).flatMap(([name, job]) => {
    const text = JSON.stringify(job);
    const steps = job.steps ?? [];
    return [
      ...(job.needs ?? []).filter((other) => !(other in jobs)).map((other) => `${name} needs ${other}`),
      ...((job.uses === undefined) === (job["runs-on"] !== undefined && steps.length > 0) ? [] : [`${name}: no steps`]),
      ...steps.filter((step) => (step.uses === undefined) === (step.run === undefined)).map(() => `${name}: a step`),
      ...[job, ...steps].flatMap(({ uses }) => (uses === undefined || isAction(uses) ? [] : [uses])),
      ...[...text.matchAll(/(?<![\w/])(?:scripts|tests|node_modules)\/[\w./-]+/g)].flatMap(([path]) =>
        existsSync(join(ROOT, path)) ? [] : [path],
      ),
      ...[...text.matchAll(/npm (?:run )?(test|run [\w-]+)/g)].flatMap(([, script = ""]) =>
        script.replace("run ", "") in scripts ? [] : [script],
      ),
      ...[...text.matchAll(/\$\{\{ matrix\.(\w+) \}\}/g)].flatMap(([, key = ""]) =>
        job.strategy && key in job.strategy.matrix ? [] : [`${name}: matrix.${key}`],
      ),
    ];
  });
}

/** Whether an action is a file of the repository, or has a version. */
const isAction = (uses: string) =>
  uses.startsWith("./") ? existsSync(join(ROOT, uses)) : /^[\w-]+\/[\w./-]+@v?[\w.]+$/.test(uses);

describe("workflows", () => {
  test.each(readdirSync(FOLDER))("%s runs what exists", (file) => {
    const workflow = readWorkflow(file);
    expect(Object.keys(workflow.on).length).toBeGreaterThan(0);
    expect(workflow.permissions).toEqual({ contents: "read" });
    expect(problemsOf(workflow)).toEqual([]);
  });

  test("the check finds what does not exist", () => {
    const steps: Step[] = [{ run: "node scripts/nothing.ts && npm run nothing" }, { uses: "./nothing" }, {}];
    const jobs = { broken: { "runs-on": "$".concat("{{ matrix.os }}"), needs: ["nothing"], steps } };
    const problems = ["broken needs nothing", "broken: a step", "./nothing", "scripts/nothing.ts", "run nothing"];
    expect(problemsOf({ on: {}, permissions: {}, jobs })).toEqual([...problems, "broken: matrix.os"]);
  });

  test("CI covers the systems and the supported versions of Node", () => {
    const matrix = readWorkflow("ci.yml").jobs.package?.strategy?.matrix;
    expect(matrix).toEqual({ os: ["ubuntu-latest", "macos-latest", "windows-latest"], node: [22, 24, 26] });
  });

  test("a release needs CI and every executable, and has provenance and checksums", () => {
    const { release } = readWorkflow("release.yml").jobs;
    expect(release?.needs).toEqual(["ci", "executable", "musl"]);
    expect(release?.permissions).toEqual({ contents: "write", "id-token": "write", attestations: "write" });
    const text = JSON.stringify(release);
    for (const part of ["attest-build-provenance", "SHA256SUMS", "--provenance"]) expect(text).toContain(part);
  });
});
