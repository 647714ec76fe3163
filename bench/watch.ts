/**
 * What watching 500 wallets costs, without a screen and on the dashboard in a pseudo-terminal (`script` of util-linux):
 * requests a minute, memory, and the share of a core. Of the wallets, 10 have a new transfer with each answer.
 * Usage: node bench/watch.ts [minutes]
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { report } from "./report.ts";

const MINUTES = Number(process.argv[2] ?? 5);
const WALLETS = 500;
const BUSY = 10;
const REQUESTS = 120;
const PREFIX = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge";
const DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZ";

const wallets = Array.from(
  { length: WALLETS },
  (_, at) => `${PREFIX}${DIGITS[Math.floor(at / 33)]}${DIGITS[at % 33]}1`,
);
const counts = new Map(wallets.map((wallet) => [wallet, 20]));
let requests = 0;
const server = createServer((request, response) => {
  requests += 1;
  const wallet = new URL(request.url ?? "", "http://x").searchParams.get("address") ?? "";
  const count = counts.get(wallet) ?? 0;
  if (wallets.indexOf(wallet) < BUSY) counts.set(wallet, count + 1);
  const data = Array.from({ length: 20 }, (_, at) => ({ trans_id: `${wallet}${count - at}`, amount: count - at }));
  response.setHeader("content-type", "application/json").end(JSON.stringify({ success: true, data }));
}).listen(0, "127.0.0.1");
await once(server, "listening");

const folder = mkdtempSync(join(tmpdir(), "solx-bench-"));
const rules = join(folder, "rules.yaml");
writeFileSync(join(folder, "wallets.txt"), wallets.join("\n"));
writeFileSync(
  rules,
  `requests: ${REQUESTS}
rules:
  moves:
    what: account transfer @${join(folder, "wallets.txt")}
    every: 60s
    then:
      - file: ${join(folder, "events")}
`,
);

/** The peak memory in MiB and the processor time in seconds of a process, as Linux states them. */
function usageOf(pid: number) {
  const [, peak = "0"] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/.*\) /, "").split(" ");
  return { memory: Number(peak) / 1024, seconds: (Number(fields[11]) + Number(fields[12])) / 100 };
}

const BIN = process.env.SOLX_BENCH_BIN ?? fileURLToPath(new URL("../bin/solx.js", import.meta.url));
const LINE = `exec '${process.execPath}' '${BIN}' watch '${rules}'`;
const WAYS = [
  { name: "Watching", words: ["sh", "-c", LINE] },
  { name: "The dashboard", words: ["script", "-qfec", `stty rows 60 cols 200; ${LINE} --ui`, "/dev/null"] },
] as const;

for (const { name, words } of WAYS) {
  const [program, ...args] = words;
  const child = spawn(program, args, {
    env: {
      ...process.env,
      ...{
        SOLX_HOME: mkdtempSync(join(folder, "home-")),
        SOLX_API_KEY: "key",
        SOLX_BUDGET: "process",
        TERM: "xterm-256color",
      },
      SOLX_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  let drawn = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    drawn += chunk.length;
  });
  // Starting is not part of watching.
  await delay(5000);
  const { pid = 0 } = child;
  const inner = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim() || pid);
  const before = { requests, drawn, ...usageOf(inner) };
  await delay(MINUTES * 60_000);
  const after = usageOf(inner);
  const perMinute = (requests - before.requests) / MINUTES;
  const share = ((after.seconds - before.seconds) / (MINUTES * 60)) * 100;
  const note = drawn === 0 ? "" : `${((drawn - before.drawn) / MINUTES / 1024).toFixed(0)} KiB drawn a minute`;
  process.kill(inner, "SIGINT");
  await once(child, "exit");
  report({
    measure: `${name}: requests a minute for ${WALLETS} wallets`,
    value: perMinute,
    unit: "",
    atMost: REQUESTS,
  });
  report({ measure: `${name}: peak memory`, value: after.memory, unit: "MiB", atMost: 150 });
  report({ measure: `${name}: share of a core`, value: share, unit: "%", atMost: 3, note });
}
server.close();
rmSync(folder, { recursive: true });
