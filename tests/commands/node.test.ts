/** Commands that a Solana node answers. */
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import type { Address } from "@solana/kit";
import { afterAll, describe, expect, test } from "vitest";
import { encodeBase58 } from "../../src/chain/solana/index.ts";
import { runInProcess } from "../support/in-process.ts";
import { FAULTS } from "../support/node/faults.ts";
import { useScenario } from "../support/node/use-test-node.ts";

const shared = useScenario();
const home = mkdtempSync(join(tmpdir(), "solx-node-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Runs a command with the node; `KEY` stands for the key of a provider in its URL. */
const solx = (line: string | readonly string[], options: Parameters<typeof runInProcess>[1] = {}) =>
  runInProcess([...(typeof line === "string" ? line.split(" ") : line), "--rpc", `${shared.node.url}/KEY`], {
    ...options,
    env: { SOLX_HOME: home, ...options.env },
  });
const json = async (...args: Parameters<typeof solx>) => JSON.parse((await solx(...args)).stdout);

describe("endpoints", () => {
  test("are answered without a key", async () => {
    const { alice } = shared.scenario.addresses;
    expect(await json(`account detail ${alice}`)).toMatchObject({ account: alice, type: "system_account" });
  });

  test("print what the same formats print from the API", async () => {
    const { mint } = shared.scenario.addresses;
    const { stdout } = await solx(`token meta ${mint} -o csv --fields address,decimals,supply`);
    expect(stdout.split("\n")[1]).toMatch(new RegExp(`^${mint},6,\\d+$`));
  });

  test("accept identifiers from standard input", async () => {
    const { alice, bob } = shared.scenario.addresses;
    const { stdout } = await solx("account detail - -o ndjson --fields account", { input: `${alice}\n${bob}\n` });
    expect(stdout).toContain(alice);
    expect(stdout).toContain(bob);
  });

  test("of which a node knows nothing exit with 4 and send nothing", async () => {
    const before = shared.node.httpRequests();
    const { code, stderr } = await solx("token trending");
    expect(code).toBe(4);
    expect(JSON.parse(stderr).errors).toMatchObject({
      code: "NODE_UNSUPPORTED",
      hint: expect.stringContaining("solx index"),
    });
    expect(shared.node.httpRequests()).toBe(before);
  });

  test("that a node lacks exit with 5 and say why", async () => {
    const unknown = "5wHu1qwD7q5ifaN5nwdcDqNFo53GJqa7nLp2BeeEpcHCusb4GzARz4GjgzsEHMkBMgCJMGa6GSQ1VG96Exvthbzr";
    const lines = [
      ...[`tx detail ${unknown}`, `node instructions ${unknown}`, "block detail 99999999"],
      ...["node block-rewards 99999999", "node block-programs 99999999", "node block-accounts 99999999"],
    ];
    for (const line of lines) {
      const { code, stderr } = await solx(line);
      expect([line, code, JSON.parse(stderr).errors.hint]).toEqual([line, 5, expect.stringContaining("archive node")]);
    }
  });

  test("resolve well-known symbols, and say that a node cannot search for others", async () => {
    expect(await json("token meta SOL")).toMatchObject({ symbol: "WSOL", decimals: 9 });
    const { code, stderr } = await solx("token holders NO_SUCH_SYMBOL");
    expect([code, JSON.parse(stderr).errors]).toEqual([
      2,
      expect.objectContaining({
        message:
          'invalid value "NO_SUCH_SYMBOL" for <address>: expected a mint, since a Solana node cannot search for symbols',
        hint: "Give the mint of the token.",
      }),
    ]);
  });

  test("begin a list at the requested page, also with a limit", async () => {
    const line = `account transfer ${shared.scenario.addresses.alice}`;
    const all = await json(`${line} --all`);
    expect(await json(`${line} --page 3 --page-size 10 --limit 5`)).toEqual(all.slice(20, 25));
    expect(await json(`${line} --page 2 --all`)).toEqual(all.slice(10));
  });

  test("export transfers to a file, which is complete for --resume", async () => {
    const { bob } = shared.scenario.addresses;
    const out = join(home, "transfers.ndjson");
    const line = ["account", "transfer", bob, "--all", "--out", out];
    expect((await solx(line)).code).toBe(0);
    const rows = readFileSync(out, "utf8").trim().split("\n");
    expect(rows.length).toBeGreaterThan(10);
    expect(rows).toEqual((await solx(`account transfer ${bob} --all -o ndjson`)).stdout.trim().split("\n"));
    expect((await solx([...line, "--resume"])).code).toBe(0);
    expect(readFileSync(out, "utf8").trim().split("\n")).toEqual(rows);
  });
});

describe("--dry-run and --curl", () => {
  test("print the first calls and name the rest, and send nothing", async () => {
    const before = shared.node.httpRequests();
    const run = await solx(`tx detail ${shared.scenario.signatures.solTransfer} --dry-run`);
    const { method, url, body } = JSON.parse(run.stdout);
    expect({ method, url }).toEqual({ method: "POST", url: "$SOLX_RPC_URL" });
    expect(body).toMatchObject({
      method: "getTransaction",
      params: [shared.scenario.signatures.solTransfer, expect.anything()],
    });
    expect(shared.node.httpRequests()).toBe(before);
  });

  test("never contain the key", async () => {
    const outputs = await Promise.all(
      ["--dry-run", "--curl", "-v"].map((flag) => solx(`account transfer ${shared.scenario.addresses.alice} ${flag}`)),
    );
    expect(JSON.stringify(outputs)).not.toContain("KEY");
  });
});

describe("solx rpc", () => {
  test("prints a result with exact digits", async () => {
    const { alice } = shared.scenario.addresses;
    const { stdout } = await solx(["rpc", "getAccountInfo", alice, '{"encoding":"base64"}']);
    expect(stdout).toContain('"rentEpoch": 18446744073709551615');
    expect(JSON.parse((await solx("rpc getSlot")).stdout)).toBeGreaterThan(1000);
  });

  test("calls once for each line of standard input, and reports failures", async () => {
    const { bob } = shared.scenario.addresses;
    const run = await solx(["rpc", "getBalance", "-", "-o", "ndjson"], { input: `${bob}\nbad\n` });
    expect(run.code).toBe(10);
    expect(JSON.parse(run.stdout)).toMatchObject({ input: bob, result: { value: expect.any(Number) } });
    expect(run.stderr).toContain("bad");
  });

  test.each([
    [["rpc", "getSlot", "{"], 2, /invalid JSON/],
    [["rpc", "getBalance", "-", "@file"], 2, /only one parameter/],
    [["rpc", "noSuchMethod"], 4, /noSuchMethod/],
  ])("%j fails with %i", async (words, code, message) => {
    const run = await solx(words);
    expect([run.code, JSON.parse(run.stderr).errors.message]).toEqual([code, expect.stringMatching(message)]);
  });

  test("needs a node", async () => {
    const run = await runInProcess(["rpc", "getSlot"], { env: { SOLX_HOME: home } });
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining("--rpc mainnet")]);
  });
});

describe("show", () => {
  test("opens links of any cluster where a node answers", async () => {
    const { bob } = shared.scenario.addresses;
    const { solTransfer } = shared.scenario.signatures;
    const cluster = "cluster=devnet";
    expect(await json(`show https://explorer.solana.com/tx/${solTransfer}?${cluster}`)).toMatchObject({
      kind: "transaction",
      tx_hash: solTransfer,
    });
    const custom = `https://explorer.solana.com/address/${bob}?cluster=custom&customUrl=http%3A%2F%2Flocalhost%3A8899`;
    expect(await json(`show ${custom}`)).toMatchObject({ kind: "account", account: bob });
  });

  test.each([
    [["--rpc", "testnet"], "the node is of testnet"],
    [["--sandbox"], "the API only covers mainnet"],
  ])("refuses links of another cluster with %j", async (source, message) => {
    const link = `https://explorer.solana.com/address/${shared.scenario.addresses.bob}?cluster=devnet`;
    const run = await runInProcess(["show", link, ...source], { env: { SOLX_HOME: home } });
    expect(run.code).toBe(2);
    expect(JSON.parse(run.stderr).errors).toMatchObject({
      message: expect.stringContaining(message),
      hint: expect.stringContaining("--rpc devnet"),
    });
  });
});

describe("solx mcp", () => {
  test("lists and calls what the node answers", async () => {
    const { alice, mint } = shared.scenario.addresses;
    const callOf = (name: string, args: object) => ["tools/call", { name, arguments: args }] as const;
    const requests = [
      ["initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } }],
      ["tools/list", {}],
      callOf("search_endpoints", { query: "transfer" }),
      callOf("search_endpoints", { query: "trending" }),
      callOf("call_endpoint", { endpoint: "account detail", params: { address: alice } }),
      callOf("call_endpoint", { endpoint: "account transfer", params: { address: alice } }),
      callOf("show", { what: mint }),
      callOf("call_endpoint", { endpoint: "token trending" }),
    ] as const;
    const lines = requests.map(([method, params], id) => JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    const stdin = new PassThrough();
    stdin.write(`${lines.join("\n")}\n`);
    // The end of the input cancels what is not answered.
    const onOutput = (text: string) => text.trim().split("\n").length === lines.length && stdin.end();
    const run = await solx("mcp", { stdin, onOutput });
    expect(run.stdout + run.stderr).not.toContain("KEY");
    const messages = run.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const [, tools, matches, noMatches, detail, transfers, entity, refused] = requests.map(
      (_, id) => messages.find((message) => message.id === id)?.result,
    );
    expect(JSON.stringify(tools)).toContain("call_endpoint");
    expect(JSON.stringify(matches)).toContain("account transfer");
    const endpoints = noMatches.structuredContent.endpoints.map(({ endpoint }: { endpoint: string }) => endpoint);
    expect(endpoints).not.toContain("token trending");
    expect(noMatches.structuredContent.note).toContain('A Solana node cannot answer "token trending"');
    for (const [result, text] of [
      [detail, "system_account"],
      [transfers, "trans_id"],
      [entity, "decimals"],
    ]) {
      expect(result.isError).not.toBe(true);
      expect(result.content[0].text).toContain(text);
    }
    expect(refused).toMatchObject({
      isError: true,
      content: [expect.objectContaining({ text: expect.stringContaining("A Solana node cannot answer") })],
    });
  });
});

describe("other commands", () => {
  test("overview has the parts that a node knows", async () => {
    const run = await solx("overview");
    expect([run.code, run.stderr]).toEqual([0, ""]);
    const { chain, blocks, trending } = JSON.parse(run.stdout);
    expect([chain.absoluteSlot, blocks.length > 0, trending]).toEqual([expect.any(Number), true, []]);
  });

  test("usage is refused", async () => {
    const { code, stderr } = await solx("usage");
    expect([code, stderr]).toEqual([2, expect.stringContaining("--rpc has no effect on usage")]);
  });

  test("doctor checks the node, and no key", async () => {
    const run = await solx("doctor");
    const findings: { check: string; level: string; value: unknown }[] = JSON.parse(run.stdout);
    const checked = (name: string) => findings.find(({ check }) => check === name)?.value;
    expect(findings.filter(({ level }) => level === "problem")).toEqual([]);
    expect([checked("batches"), checked("methods"), checked("history")]).toEqual([true, [], 0]);
    expect(run.stdout).not.toContain("KEY");
    expect(findings.map(({ check }) => check)).not.toContain("v2");
  });

  test("doctor reports answers that are none", async () => {
    const body = '{"jsonrpc":"2.0","id":1,"result":{}}';
    const stop = shared.node.fail({
      method: ["getGenesisHash", "getSlot"],
      status: 200,
      body,
    });
    const run = await solx("doctor").finally(stop);
    const findings: { level: string; message: string }[] = JSON.parse(run.stdout);
    const malformed = findings.filter(({ message }) => /malformed/.test(message));
    expect(malformed.map(({ level }) => level)).toEqual(["problem", "problem"]);
    expect(run.stdout).not.toMatch(/NaN|\[object/);
  });

  test("doctor names disabled methods and the commands that need them", async () => {
    const end = shared.node.fail({ method: "getTokenLargestAccounts", ...FAULTS.gone() });
    try {
      const findings: { check: string; level: string; message: string; hint: string }[] = await json("doctor");
      const finding = findings.find(({ check }) => check === "methods");
      expect(finding).toMatchObject({ level: "warning", message: "does not serve getTokenLargestAccounts" });
      expect(finding?.hint).toContain("token holders");
    } finally {
      end();
    }
  });

  test("an account that does not exist is no wallet", async () => {
    const { alice } = shared.scenario.addresses;
    const nobody = await json("node account Gh9ZwEmdLJ8DscKNTkTqPbNwLNNBjuSzaG9Vp2KGtKJr");
    expect(nobody).toMatchObject({ kind: "no account", lamports: 0 });
    expect(nobody).not.toHaveProperty("owner_program");
    for (const line of ["account detail", "legacy account detail"]) {
      const detail = await json(`${line} Gh9ZwEmdLJ8DscKNTkTqPbNwLNNBjuSzaG9Vp2KGtKJr`);
      expect(detail).toMatchObject({ type: "no_account", lamports: 0 });
      expect(Object.keys(detail).filter((name) => /owner|rent/i.test(name))).toEqual([]);
    }
    expect(await json(`node account ${alice}`)).toMatchObject({ kind: "wallet" });
  });

  test("the data of an unknown program is complete in JSON, and its beginning is in tables", async () => {
    const owner = shared.scenario.addresses.mint;
    const plant = (seed: number, size: number): string => {
      const address = encodeBase58(new Uint8Array(32).fill(seed));
      const data = new Uint8Array(size).fill(seed);
      shared.node.chain.setAccount({
        address: address as Address,
        data,
        executable: false,
        lamports: 10n ** 12n,
        owner: owner as Address,
      });
      return address;
    };
    const { vaultIdl } = shared.scenario.addresses;
    expect(await json(`node account ${vaultIdl}`)).toMatchObject({
      owner_name: "scenario_vault",
      space: expect.any(Number),
    });
    const middle = plant(81, 100_000);
    expect(Buffer.from((await json(`node account ${middle}`)).data_base64, "base64")).toEqual(
      Buffer.alloc(100_000, 81),
    );
    const { stdout } = await solx(`node account ${middle} -o table`);
    expect(stdout).toContain("UVFRUVFRUVFR");
    expect(stdout).toContain("…(133.3 kB; use -o json)");
    const large = await solx(`node account ${plant(82, 2 ** 20 + 1)}`);
    expect(JSON.parse(large.stdout)).toMatchObject({ space: 2 ** 20 + 1 });
    expect(JSON.parse(large.stdout)).not.toHaveProperty("data_base64");
    expect(large.stderr).toContain("Without the data of 1048577 bytes");
  });

  test("doctor says of a node that refuses connections only that", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, "close");
    const env = { SOLX_HOME: home };
    const { stdout } = await runInProcess(["doctor", "-o", "json", "--rpc", `http://127.0.0.1:${port}`], { env });
    const findings: { area: string; check: string; level: string; message: string }[] = JSON.parse(stdout);
    const ofNode = findings.filter(({ check }) => ["node", "health", "cluster", "methods", "batches"].includes(check));
    expect(ofNode).toHaveLength(5);
    expect(ofNode.filter(({ level }) => level === "ok" || level === "warning")).toEqual([]);
    expect(ofNode.filter(({ message }) => message.startsWith("not checked"))).toHaveLength(4);
  });

  test("docs list only what the node answers", async () => {
    const rows: { command: string; rpc: { level: string } }[] = await json("docs");
    expect(rows.map(({ rpc }) => rpc.level)).not.toContain("none");
    expect(rows.map(({ command }) => command)).toContain("account transfer");
  });
});
