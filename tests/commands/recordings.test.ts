/** `--record`, `solx sandbox --replay` and `solx docs --drift`. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type InProcessOptions, runInProcess } from "../support/in-process.ts";
import { useScenario } from "../support/node/use-test-node.ts";
import { useSandbox } from "../support/running-sandbox.ts";
import { createTempFolder } from "../support/solx.ts";

const sandbox = useSandbox({ size: 0.05 });
const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const SOL = "So11111111111111111111111111111111111111112";
const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";

const solx = (line: string, options: InProcessOptions = {}) =>
  runInProcess(line.split(" "), { ...options, env: { ...sandbox.env(), ...options.env } });
const newFolder = () => join(createTempFolder(), "recordings");
const filesIn = (folder: string) => readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));

/** Starts `solx sandbox --replay` and returns the environment of its clients and what it wrote to stderr. */
async function replay(args: string, env: Record<string, string> = {}) {
  const stop = new AbortController();
  const ready = Promise.withResolvers<{ url: string; key: string; now: string }>();
  const run = runInProcess(`sandbox --port 0 --replay ${args}`.split(" "), {
    signal: stop.signal,
    env,
    onOutput: (text) => text.includes("\n") && ready.resolve(JSON.parse(text.split("\n")[0] ?? "")),
  });
  const server = await Promise.race([ready.promise, run.then(({ stderr }) => Promise.reject(new Error(stderr)))]);
  const end = async () => {
    stop.abort();
    return (await run).stderr;
  };
  onTestFinished(async () => void (await end()));
  const clientEnv = { SOLX_BASE_URL: server.url, SOLX_API_KEY: server.key, SOLX_SANDBOX_NOW: server.now };
  return { ...server, end, env: { ...sandbox.env(), ...clientEnv } };
}

describe("--record", () => {
  test("stores what each kind of command exchanges, and a replay prints the same", async () => {
    const folder = newFolder();
    const lines = [
      `account transfer ${WALLET} --all -o csv`,
      `account transfer ${WALLET} --from-time 7d --limit 3 -o ndjson`,
      `token meta ${USDC} ${SOL} -o ndjson`,
      `account transfer-export ${WALLET} -o csv`,
      `api /token/trending --raw`,
      `show ${USDC} -o json`,
      "usage -o json --fields remaining_cus",
      "chaininfo -o json",
      `explore token ${USDC} --plain`,
    ];
    const outputs: string[] = [];
    for (const line of lines) {
      const { stdout, stderr, code } = await solx(line, { env: { SOLX_RECORD: folder } });
      expect([line, code, stderr.includes("error")]).toEqual([line, 0, false]);
      outputs.push(stdout);
    }
    expect(filesIn(folder).join("")).not.toContain(sandbox.key);
    const server = await replay(folder);
    for (const [at, line] of lines.entries()) {
      expect((await solx(line, { env: server.env })).stdout, line).toBe(outputs[at]);
    }
  });

  test("with pseudonyms replaces addresses, the same ones in every run", async () => {
    const [folder, home] = [newFolder(), createTempFolder()];
    const record = { env: { SOLX_HOME: home } };
    const args = `--record ${folder},pseudonyms -o json`;
    const { stdout } = await solx(`account detail ${WALLET} ${args}`, record);
    expect(stdout).toContain(WALLET);
    await solx(`account detail ${WALLET} ${args}`, record);
    const names = readdirSync(folder).toSorted();
    expect(names.map((name) => name.replace(/-[0-9a-f]{10}-/, "-"))).toEqual([
      "v2-account-detail-1.json",
      "v2-account-detail-2.json",
    ]);
    expect(filesIn(folder).join("")).not.toContain(WALLET);
    expect((await solx(`account detail ${WALLET} --record ,pseudonyms`)).code).toBe(2);
  });

  test("is refused before a request where the folder cannot be used", async () => {
    const file = join(createTempFolder(), "file");
    writeFileSync(file, "");
    const before = sandbox.requests().length;
    const { code, stderr } = await solx(`token meta ${USDC} --record ${file}`);
    expect([code, JSON.parse(stderr).errors.code]).toEqual([2, "EEXIST"]);
    expect(sandbox.requests()).toHaveLength(before);
    expect((await solx(`token meta ${USDC} --cache only --record ${newFolder()}`)).code).toBe(2);
  });
});

describe("solx sandbox --replay", () => {
  test("reports requests that were not recorded to both sides, and sends nothing", async () => {
    const folder = newFolder();
    await solx(`account transfer ${WALLET} --page 2 --record ${folder}`);
    const server = await replay(folder);
    const before = sandbox.requests().length;
    const { code, stderr } = await solx(`account transfer ${WALLET} --page 3`, { env: server.env });
    expect(code).toBe(10);
    expect(JSON.parse(stderr).errors).toMatchObject({ code: "NO_RECORDING", retryable: false });
    expect(stderr).toContain("page is 3, recorded is 2");
    expect(await server.end()).toContain("page is 3, recorded is 2");
    expect(sandbox.requests()).toHaveLength(before);
  });

  test("--fallthrough live requests what is missing once, and records it", async () => {
    const folder = newFolder();
    const live = { SOLX_BASE_URL: sandbox.url, SOLX_API_KEY: sandbox.key, SOLX_BUDGET: "process" };
    const server = await replay(`${folder} --fallthrough live`, live);
    const line = `token meta ${USDC} -o json`;
    const before = sandbox.requests().length;
    const first = await solx(line, { env: server.env });
    expect(JSON.parse(first.stdout)).toMatchObject({ symbol: "USDC" });
    expect((await solx(line, { env: server.env })).stdout).toBe(first.stdout);
    expect(sandbox.requests().length - before).toBe(1);
    const failed = await solx("transaction detail 11111111111111111111", { env: server.env });
    expect(failed.code).toBe(2);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  test.each([
    ["--fallthrough sandbox", "--fallthrough needs recordings"],
    ["--replay x --fallthrough other", "expected sandbox or live"],
    ["--replay x --seed y", "--seed is an option of the simulated chain"],
    [`--replay ${join(newFolder(), "missing")}`, "cannot read the recordings in /"],
  ])("refuses %s", async (args, message) => {
    const { code, stderr } = await solx(`sandbox --port 0 ${args}`);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe("solx docs --drift", () => {
  test("lists missing, changed and unknown fields with exit code 11", async () => {
    const folder = newFolder();
    await solx(`account transfer ${WALLET} --limit 2 --record ${folder}`);
    await solx(`account transfer ${WALLET} --page 2 --record ${folder}`);
    const same = await solx(`docs --drift ${folder} -o json`);
    expect([same.code, same.stdout.trim()]).toEqual([0, "[]"]);
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      const recording = JSON.parse(readFileSync(path, "utf8"));
      for (const row of recording.response.json.data) {
        delete row.trans_id;
        row.block_id = String(row.block_id);
        row.memo = "new";
      }
      writeFileSync(path, JSON.stringify(recording));
    }
    const { code, stdout, stderr } = await solx(`docs --drift ${folder} -o json`);
    expect(code).toBe(11);
    expect(JSON.parse(stderr).errors.code).toBe("DRIFT");
    const route = "v2-account-transfer";
    expect(JSON.parse(stdout)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ route, kind: "missing", field: "trans_id", recordings: 2 }),
        expect.objectContaining({ route, kind: "changed", field: "block_id", recordings: 2 }),
        expect.objectContaining({ route, kind: "unknown", field: "memo", recordings: 2 }),
      ]),
    );
  });

  test("needs answers of documented endpoints", async () => {
    expect((await solx(`docs --drift ${createTempFolder()}`)).code).toBe(2);
  });
});

describe("a node", () => {
  const shared = useScenario();

  test("is recorded and replayed alike", async () => {
    const folder = newFolder();
    const { alice, bob } = shared.scenario.addresses;
    const lines = [`account detail ${alice} ${bob} -o ndjson`, `account transactions ${alice} --limit 4 -o json`];
    const run = (line: string, url: string) => solx(line, { env: { SOLX_RPC_URL: url, SOLX_RECORD: "" } });
    const outputs: string[] = [];
    for (const line of lines) outputs.push((await run(`${line} --record ${folder}`, shared.node.url)).stdout);
    outputs.push((await run(`rpc getBalance ${alice} --record ${folder}`, shared.node.url)).stdout);
    const server = await replay(folder);
    for (const [at, line] of [...lines, `rpc getBalance ${alice}`].entries()) {
      const { stdout, stderr } = await run(line, server.url);
      expect([line, stdout, stderr.includes("error")]).toEqual([line, outputs[at], false]);
    }
    const miss = await run(`rpc getBalance ${SOL}`, server.url);
    expect(miss.code).toBe(5);
    expect(miss.stderr).toContain("No recording of getBalance");
  });
});
