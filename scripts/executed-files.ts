/**
 * Counts the files of which a command runs functions: node scripts/executed-files.ts [arguments of solx]. Without
 * arguments, those of one row over the network as a table.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly count: number }[];
    }[];
  }[];
}

const MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const ANSWER = `{"success":true,"data":{"address":"${MINT}","name":"USD Coin","symbol":"USDC","decimals":6}}`;
const words = process.argv.length > 2 ? process.argv.slice(2) : ["token", "meta", MINT, "-o", "table"];
const root = new URL("..", import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "solx-coverage-"));
const program = `
  import { createServer } from "node:http";
  const server = createServer((_, response) => response.end(${JSON.stringify(ANSWER)}));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  process.env.SOLX_BASE_URL = "http://127.0.0.1:" + server.address().port;
  process.argv.push("solx", ...${JSON.stringify(words)});
  const { main } = await import("./src/main.ts");
  await main({ version: "0.0.0" });
  server.close();
`;
try {
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: root,
    env: { ...process.env, HOME: folder, SOLX_API_KEY: "coverage-key", NODE_V8_COVERAGE: join(folder, "coverage") },
    encoding: "utf8",
  });
  if (status !== 0) process.stderr.write(stderr);
  const executed = new Set<string>();
  for (const name of readdirSync(join(folder, "coverage"))) {
    const { result } = JSON.parse(readFileSync(join(folder, "coverage", name), "utf8")) as Coverage;
    for (const { url, functions } of result) {
      // The first function is the module itself, which loading runs.
      const isRun = functions.slice(1).some(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
      if (isRun && url.startsWith(new URL("src/", root).href)) executed.add(url.slice(root.href.length));
    }
  }
  for (const file of [...executed].sort()) process.stdout.write(`${file}\n`);
  process.stdout.write(`${executed.size} files\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
