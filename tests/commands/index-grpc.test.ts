/** `solx index --grpc`: its address, its token, and how it connects. */
import { mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ServerCredentials } from "@grpc/grpc-js";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { pem } from "../client/servers.ts";
import { runInProcess } from "../support/in-process.ts";
import { useTestNode } from "../support/node/use-test-node.ts";
import { startYellowstone, type YellowstoneOptions } from "../support/node/yellowstone.ts";

const TOKEN = "a-secret-token";
const node = useTestNode();
const home = mkdtempSync(join(tmpdir(), "solx-grpc-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));
let homes = 0;

async function serve(options: YellowstoneOptions = {}) {
  const server = await startYellowstone(node.chain, { token: TOKEN, ...options });
  onTestFinished(() => server.close());
  return server;
}

/** Runs `solx index` until a condition holds after its first block, and returns the events. */
async function index(address: string, env: Record<string, string>, isOver: (output: string) => boolean) {
  const stop = new AbortController();
  let isExtended = false;
  const result = await runInProcess(["index", "--rpc", node.url, "--from", "earliest", "--grpc", address], {
    env: { SOLX_HOME: join(home, String(++homes)), ...env },
    signal: stop.signal,
    onOutput(text) {
      if (!isExtended && text.includes('"at_tip":true')) {
        isExtended = true;
        node.chain.produceBlock(2);
      }
      if (isOver(text)) stop.abort();
    },
  });
  expect(JSON.stringify(result)).not.toContain(TOKEN);
  return { ...result, lines: result.stdout.trim().split("\n") };
}

const isAtTip = (output: string) => output.includes('"at_tip":true');

describe("the token", () => {
  it("is that of the environment", async () => {
    const server = await serve();
    const { code } = await index(`http://${server.name}`, { SOLX_GRPC_TOKEN: TOKEN }, isAtTip);
    expect(code).toBe(0);
    expect(server.requests[0]).toMatchObject({ commitment: 2, blocks: { blocks: { includeTransactions: true } } });
  });

  it("follows SOLX_COMMITMENT", async () => {
    const server = await serve();
    const env = { SOLX_GRPC_TOKEN: TOKEN, SOLX_COMMITMENT: "confirmed" };
    expect(await index(`http://${server.name}`, env, isAtTip)).toMatchObject({ code: 0 });
    expect(server.requests[0]).toMatchObject({ commitment: 1 });
  });

  it("can be saved, and is removed", async () => {
    const { name, requests, subscribers } = await serve();
    const env = { SOLX_HOME: join(home, "saved") };
    const grpc = ["--grpc", `http://${name}`];
    const both = [...grpc, "--store", "clickhouse://user@host:8123"];
    expect(await runInProcess(["auth", "login", ...both], { env, input: TOKEN })).toMatchObject({ code: 2 });
    const login = await runInProcess(["auth", "login", ...grpc], { env, input: TOKEN });
    expect(login).toMatchObject({ code: 0, stdout: expect.stringContaining(`grpc@${name}`) });
    expect(login.stdout + login.stderr).not.toContain(TOKEN);
    await vi.waitFor(() => expect(subscribers()).toBe(0));
    expect(await index(`http://${name}`, env, isAtTip)).toMatchObject({ code: 0 });
    // One that checked the token, and one of the index.
    expect(requests).toHaveLength(2);
    expect(await runInProcess(["auth", "logout", ...grpc], { env })).toMatchObject({ code: 0 });
    const again = await index(`http://${name}`, env, () => false);
    expect(again).toMatchObject({ code: 3, stderr: expect.stringContaining(`${name} asks for a token`) });
    expect(again.stderr).toContain("SOLX_GRPC_TOKEN");
  });

  it("is saved only when the server accepts it, or without a check", async () => {
    const server = await serve();
    const env = { SOLX_HOME: join(home, "checked") };
    const grpc = ["--grpc", `http://${server.name}`];
    const login = async (...flags: readonly string[]) => {
      const { code, stderr } = await runInProcess(["auth", "login", ...grpc, ...flags], { env, input: "wrong" });
      return { exit: code, ...JSON.parse(stderr || "{}").errors };
    };
    const removed = async () => JSON.parse((await runInProcess(["auth", "logout", ...grpc], { env })).stdout).removed;
    expect(await login()).toMatchObject({
      ...{ exit: 3, code: "GRPC_TOKEN", message: expect.stringContaining(`${server.name} does not accept the token`) },
      hint: expect.stringContaining("Nothing was saved."),
    });
    expect(await removed()).toBe(false);
    server.close();
    const message = expect.stringContaining(`${server.name} cannot check the token`);
    expect(await login()).toMatchObject({
      exit: 9,
      code: "GRPC",
      message,
      hint: expect.stringContaining("--no-check"),
    });
    expect(await removed()).toBe(false);
    expect(await login("--no-check")).toEqual({ exit: 0 });
    expect(await removed()).toBe(true);
  });

  it("that is wrong ends the command, as a wrong key of a node", async () => {
    const { name } = await serve();
    const result = await index(`http://${name}`, { SOLX_GRPC_TOKEN: "wrong" }, () => false);
    expect(result).toMatchObject({ code: 3, stderr: expect.stringContaining("does not accept the token") });
    expect(result.stdout).not.toContain("No blocks come");
  });
});

it("goes on by RPC without the server, and says so once", async () => {
  const { name, close } = await startYellowstone(node.chain);
  close();
  const { code, lines } = await index(`http://${name}`, {}, isAtTip);
  expect(code).toBe(0);
  const notes = lines.filter((line) => line.includes("No blocks come from the gRPC server"));
  expect(notes).toHaveLength(1);
  expect(JSON.parse(notes[0] ?? "")).toMatchObject({ kind: "note", text: expect.stringContaining(name) });
});

it.each([
  ["127.0.0.1:443", [], "does not begin with https://"],
  ["https://x:hidden@host", [], "must have a host and a port only"],
  ["https://host/hidden", [], "must have a host and a port only"],
  ["https://host?hidden", [], "must have a host and a port only"],
  ["https://host", ["--to", "now"], "--grpc has new blocks only, and cannot be combined with --to"],
])("refuses %s", async (address, more, problem) => {
  const result = await runInProcess(["index", "--rpc", node.url, "--grpc", address, ...more], {
    env: { SOLX_HOME: join(home, "refused") },
  });
  expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining(problem) });
  expect(result.stderr).not.toContain("hidden");
});

it("connects with the proxy, and the certificates of ca-cert", async () => {
  const pair = { private_key: pem("server.key"), cert_chain: pem("signed") };
  const server = await serve({ credentials: ServerCredentials.createSsl(null, [pair].map(toBuffers)) });
  const targets: string[] = [];
  const proxy = http.createServer().on("connect", (request, client: net.Socket) => {
    targets.push(`${request.url} ${request.headers["proxy-authorization"]}`);
    const upstream = net.connect(server.port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      client.pipe(upstream).pipe(client);
    });
    for (const socket of [client, upstream]) socket.on("error", () => [client, upstream].map((each) => each.destroy()));
  });
  await new Promise<void>((listening) => proxy.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  const env = {
    HTTPS_PROXY: `http://user:p%40ss@127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    SOLX_CA_CERT: fileURLToPath(new URL("../client/certificates/ca.pem", import.meta.url)),
    SOLX_GRPC_TOKEN: TOKEN,
  };
  const { code, stdout } = await index("https://api.example.test", env, isAtTip);
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.not.stringContaining("No blocks come") });
  expect(server.requests).toHaveLength(1);
  const basic = `Basic ${Buffer.from("user:p@ss").toString("base64")}`;
  expect(new Set(targets)).toEqual(new Set([`api.example.test:443 ${basic}`]));
});

const toBuffers = (pair: { readonly private_key: string; readonly cert_chain: string }) => ({
  private_key: Buffer.from(pair.private_key),
  cert_chain: Buffer.from(pair.cert_chain),
});

it("refuses a proxy that it cannot use", async () => {
  const env = { SOLX_HOME: join(home, "proxy"), HTTPS_PROXY: "socks5://127.0.0.1:1" };
  const result = await runInProcess(["index", "--rpc", node.url, "--grpc", "https://host.example"], { env });
  expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining("cannot use the proxy socks5://") });
});
