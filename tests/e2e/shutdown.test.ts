/** Every peer falls silent in turn: after a signal, and at the natural end, the process ends all the same, with its code. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { useTestNode } from "../support/node/use-test-node.ts";
import { describeWith } from "../support/programs.ts";
import { sendJson, serve } from "../support/server.ts";
import { BIN, cleanEnv, createTempFolder, startSolx } from "../support/solx.ts";
import { waitFor } from "../support/wait-for.ts";
import { redisServer } from "../support/workers.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
/** Stopping is the regular end of an index. */
const STOPPED = [143, 0];
const META = ["token", "meta", USDC, "-o", "json"];

/** A server that takes connections and, without a port to forward to, says nothing; frozen, it forwards nothing more. */
async function peer(forwardTo?: number) {
  const sockets = new Set<Socket>();
  let transcript = "";
  let isFrozen = false;
  const server = createServer((socket) => {
    const other = forwardTo === undefined ? undefined : connect(forwardTo, "127.0.0.1");
    for (const [from, to] of [
      [socket, other],
      [other, socket],
    ] as const) {
      if (from) sockets.add(from.on("error", () => {}));
      from?.on("data", (chunk) => {
        transcript += chunk.toString("latin1");
        if (!isFrozen) to?.write(chunk);
      });
      from?.on("end", () => {
        if (!isFrozen) to?.end();
      });
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    wasMet: (text = "", act = () => {}) =>
      waitFor(() => {
        act();
        expect(transcript.length > 0 && transcript.includes(text)).toBe(true);
      }),
    freeze: () => {
      isFrozen = true;
    },
  };
}

const codeOf = async (child: ChildProcess) => {
  onTestFinished(() => void child.kill("SIGKILL"));
  const [code, signal] = await once(child, "exit");
  return code ?? signal;
};

const answer = () => serve((_, response) => sendJson(response, '{"success":true,"data":{"a":1}}'));

describe("a peer that says nothing", () => {
  const node = (address: string) => ["--rpc", `http://${address}`];
  const PEERS: Readonly<Record<string, (address: string) => readonly string[]>> = {
    "the API": (address) => [...META, `SOLX_BASE_URL=http://${address}`],
    "the API, paged": (address) => ["account", "transfer", USDC, "--all", `SOLX_BASE_URL=http://${address}`],
    "the API, followed": (address) => ["account", "transfer", USDC, "--follow", `SOLX_BASE_URL=http://${address}`],
    "a TLS server": (address) => [...META, `SOLX_BASE_URL=https://${address}`],
    "a proxy": () => [...META, "SOLX_BASE_URL=https://api.example"],
    Redis: (address) => [...META, "SOLX_BASE_URL=http://127.0.0.1:9", `SOLX_BUDGET=redis://${address}`],
    "a Sentinel": (address) => [
      ...META,
      "SOLX_BASE_URL=http://127.0.0.1:9",
      `SOLX_BUDGET=redis+sentinel://${address}/a`,
    ],
    "a node": (address) => ["account", "detail", USDC, ...node(address)],
    "a node, walked": (address) => ["account", "transactions", USDC, "--all", ...node(address)],
    "a node, called": (address) => ["rpc", "getSlot", ...node(address)],
    "a node, indexed": (address) => ["index", ...node(address)],
    doctor: (address) => ["doctor", ...node(address)],
  };

  test.for(Object.entries(PEERS))("%s: SIGTERM ends it", async ([name, args]) => {
    const { address, wasMet } = await peer();
    const env = name === "a proxy" ? { HTTPS_PROXY: `http://${address}` } : {};
    const child = startSolx(args(address), { env });
    child.stdout.resume();
    child.stderr.resume();
    await wasMet();
    child.kill("SIGTERM");
    expect(STOPPED).toContain(await codeOf(child));
  });
});

describe.skipIf(process.platform === "win32")("a pipe", () => {
  test("of identifiers without a writer: SIGTERM ends it", async () => {
    const pipe = join(createTempFolder(), "pipe");
    execFileSync("mkfifo", [pipe]);
    const { url } = await answer();
    const child = startSolx(["token", "meta", `@${pipe}`, `SOLX_BASE_URL=${url}`]);
    // Opening it fails until somebody reads.
    const writer = await waitFor(() => openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK));
    child.kill("SIGTERM");
    expect(await codeOf(child)).toBe(143);
    closeSync(writer);
  });

  test.for([
    ["account", "transfer"],
    ["token", "meta"],
  ])("of standard input that stays open: %s %s", async (command) => {
    const server = await answer();
    const child = startSolx([...command, "-", "--batch", "fail-fast", `SOLX_BASE_URL=${server.url}`]);
    child.stdin.write(`${USDC}\n`.repeat(60));
    await waitFor(() => expect(server.requests.length).toBeGreaterThan(0));
    child.kill("SIGTERM");
    expect(await codeOf(child)).toBe(143);
  });

  test("of output that nobody reads: SIGTERM ends it", async () => {
    const pipe = join(createTempFolder(), "pipe");
    execFileSync("mkfifo", [pipe]);
    const output = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    const full = Buffer.alloc(4096);
    try {
      for (;;) writeSync(output, full);
    } catch {
      // It is full.
    }
    const server = await answer();
    const child = spawn(process.execPath, [BIN, ...META], {
      env: cleanEnv({ SOLX_BASE_URL: server.url }),
      stdio: ["ignore", output, "pipe"],
    });
    await waitFor(() => expect(server.requests).toHaveLength(1));
    child.kill("SIGTERM");
    expect(await codeOf(child)).toBe(143);
    closeSync(output);
  });
});

describeWith("redis-server")("a server that falls silent while the work ends", () => {
  test("Redis: the code is that of the work", async () => {
    const { port } = await redisServer(undefined, onTestFinished);
    const redis = await peer(port);
    const server = await serve((_, response) => {
      redis.freeze();
      sendJson(response, '{"success":true,"data":{"a":1}}');
    });
    const env = { SOLX_BASE_URL: server.url, SOLX_BUDGET: `redis://${redis.address}` };
    const child = startSolx(META, { env });
    child.stdout.resume();
    expect(await codeOf(child)).toBe(0);
  });
});

describe("a websocket that falls silent", () => {
  const node = useTestNode();

  test("the index ends with the signal", async () => {
    const silent = await peer(Number(new URL(node.url).port));
    const child = startSolx(["index", "--rpc", `http://${silent.address}`]);
    child.stdout.resume();
    child.stderr.resume();
    await silent.wasMet("101 Switching Protocols");
    await silent.wasMet("rootNotification", () => node.chain.produceBlock());
    silent.freeze();
    child.kill("SIGTERM");
    expect(STOPPED).toContain(await codeOf(child));
  });
});

describeWith("bash")("an index of a shell", () => {
  const node = useTestNode();
  const start = async (prefix: string) => {
    const line = `${prefix} "$0" "$@" & echo "pid:$!:"; wait $!`;
    const args = ["-c", line, process.execPath, BIN, "index", "--rpc", node.url, "--from", "earliest"];
    const env = cleanEnv({ SOLX_HOME: createTempFolder() });
    const child = spawn("bash", args, { env, stdio: ["ignore", "pipe", "ignore"] });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    const prints = (text: string) => waitFor(() => expect(output).toContain(text));
    await prints('"at_tip":true');
    const pid = Number(/pid:(\d+):/.exec(output)?.[1]);
    return { prints, ended: codeOf(child), kill: (signal: NodeJS.Signals) => process.kill(pid, signal) };
  };

  test("keeps on after SIGHUP under nohup, and ends in order without", async () => {
    const kept = await start("nohup");
    kept.kill("SIGHUP");
    await node.airdrop(USDC, 1n);
    for (let at = 0; at < 40; at += 1) node.chain.produceBlock();
    await kept.prints(`"slot":${node.chain.blockAt("finalized").slot}`);
    kept.kill("SIGTERM");
    expect(STOPPED).toContain(await kept.ended);
    const plain = await start("");
    plain.kill("SIGHUP");
    expect(STOPPED).toContain(await plain.ended);
  });
});
