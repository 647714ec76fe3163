/**
 * Runs all measurements one after the other and prints one table; a run of all of them writes docs/benchmarks.md too.
 * Exits with 1 when a goal is missed. With another checkout, each measurement of that one follows, and the notes compare.
 * Usage: npm run bench [-- name … --against checkout], such as `npm run bench -- start-up explore --against ../before`
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { arch, cpus, platform, release, totalmem } from "node:os";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Cells, cellsOf, isMet, lineOf, type Result } from "./report.ts";

const ALL = ["start-up", "sandbox", "queries", "rate-limit", "bulk", "memory", "watch", "explore", "explore-terminal"];
const HEADINGS: Cells = ["Measure", "Value", "Goal", "Compared with", "Note"];
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Runs the script of a measurement and returns its results. A script that fails adds one that meets no goal. */
async function measure(name: string, folder = here(".")): Promise<readonly Result[]> {
  console.error(`Measuring ${name} …`);
  const child = spawn(process.execPath, [resolve(folder, `${name}.ts`)], {
    env: { ...process.env, SOLX_BENCH_JSON: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const results: Result[] = [];
  const add = (result: Result) => {
    results.push(result);
    console.error(`  ${cellsOf(result).filter(Boolean).join("; ")}`);
  };
  createInterface({ input: child.stdout }).on("line", (line) => add(JSON.parse(line)));
  const [code] = await once(child, "close");
  if (code !== 0) add({ measure: `${name}.ts`, value: Number.NaN, unit: "", note: `failed with exit code ${code}` });
  return results;
}

/** Returns results with those of another checkout in their notes. */
async function compared(name: string, results: readonly Result[], checkout: string): Promise<readonly Result[]> {
  const before = new Map((await measure(name, resolve(checkout, "bench"))).map((result) => [result.measure, result]));
  return results.map((result) => {
    const other = before.get(result.measure);
    if (other === undefined) return result;
    const change = ((result.value / other.value - 1) * 100).toFixed(0);
    const note = `before ${cellsOf(other)[1]} (${change} %)`;
    return { ...result, note: result.note ? `${result.note}; ${note}` : note };
  });
}

function textTable(rows: readonly Cells[]): string {
  const widths = HEADINGS.map((_, at) => Math.max(...rows.map((row) => (row[at] as string).length)));
  return rows.map((row) => `${lineOf(row, widths)}\n`).join("");
}

/** What readers of a table have to know, by measurement. */
const REMARKS: Readonly<Record<string, readonly string[]>> = {
  bulk: [
    "The bare loop neither keeps digits beyond a double nor compares a page with those before it. Programs run beside",
    "each other on two processors: collections of garbage, which solx has more of, count where none is free. Of a page of",
    "100 rows, the loop takes 440 µs of CPU time and `-o ndjson` 700: 50 of these find numbers that a double would change,",
    "40 print, and 50 compare rows with those before. So the goals are 0.5, 0.45, 0.5 and 0.45, not the 0.85 and 0.6 of a",
    "version that took numbers for doubles and did not check the order, nor the 0.75 and 0.55 set before these checks.",
    "",
  ],
  "start-up": [
    "The goal of `token meta` is 3 times a bare Node, not 2.7. Of its 81 ms, a bare Node takes 28, and a request with",
    "`node:http` 11. What remains loads the program, the settings, the shared rate limit and the usage, and saves it.",
    "",
  ],
  sandbox: [
    "Throughput is that of different pages and tokens: *for the first time*, or else of the same hundred again and again,",
    "which the server answers from memory until its ledger changes. A bare server is `node:http` with a body of as many",
    "bytes. CPU time of the server for a request, in µs, and the shares of its parts in a profile, on a busy machine:",
    "",
    "| Server | Main thread | Largest parts |",
    "| --- | --: | --- |",
    "| bare | 18 | |",
    "| object, again, without the log | 41 | |",
    "| object, again | 55 | socket write 47 %, garbage 17 %, keys, usage and check 10 %, headers 8 %, `node:http` 7 % |",
    "| list, again | 71 | socket write 48 %, garbage 11 %, keys, usage and check 16 %, `node:http` 7 %, headers 6 % |",
    "| list, for the first time | 221 | SQLite 31 %, socket write 25 %, rows and text 22 %, garbage 7 %, `node:http` 7 % |",
    "",
    "The goal for objects is 50 %, not 70 %. The client takes 34 µs for a request, which limits a bare server, so that 70 %",
    "is 49 µs in all. A server that only sends takes 18 µs, and 10 to 15 more when it waits before it answers, because each",
    "write then wakes the client: 20 µs would be left for key, rate, plan, units, usage, faults, headers and the log.",
    "",
  ],
};

function page(groups: ReadonlyMap<string, readonly Result[]>): string {
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const sections = [...groups].flatMap(([name, results]) => [
    `## ${name}`,
    "",
    ...(REMARKS[name] ?? []),
    row(HEADINGS),
    row(HEADINGS.map((_, at) => (at === 1 ? "--:" : "---"))),
    ...results.map((result) => row(cellsOf(result))),
    "",
  ]);
  const [{ model = "unknown" } = {}] = cpus();
  return [
    "# Benchmarks",
    "",
    "Written by `npm run bench`. Ratios (`×`) compare two programs in the same run on the same machine; other values",
    "depend on the machine.",
    "",
    `Node ${process.version}, ${platform()} ${arch()} ${release()}, ${cpus().length} × ${model},`,
    `${Math.round(totalmem() / 2 ** 30)} GiB, ${new Date().toISOString().slice(0, 10)}.`,
    "",
    ...sections,
  ].join("\n");
}

const { positionals: names, values } = parseArgs({ allowPositionals: true, options: { against: { type: "string" } } });
const groups = new Map<string, readonly Result[]>();
for (const name of names.length > 0 ? names : ALL) {
  const results = await measure(name);
  groups.set(name, values.against === undefined ? results : await compared(name, results, values.against));
}
const results = [...groups.values()].flat();
process.stdout.write(textTable([HEADINGS, ...results.map(cellsOf)]));
if (names.length === 0 && values.against === undefined) writeFileSync(here("../docs/benchmarks.md"), page(groups));
process.exitCode = results.every(isMet) ? 0 : 1;
