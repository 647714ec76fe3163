/** solx as a process: pipes, signals, closed streams, old Nodes. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { resolvePaths } from "../../src/config/paths.ts";
import { sendJson, serve } from "../support/server.ts";
import { BIN, cleanEnv, createTempFolder, solx, startSolx } from "../support/solx.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

/** Serves full pages of different rows without end. */
const endless = () =>
  serve((request, response, count) => {
    const size = Number(new URL(request.url ?? "", "http://x").searchParams.get("page_size") ?? 10);
    sendJson(
      response,
      JSON.stringify({
        success: true,
        data: Array.from({ length: size }, (_, n) => ({ trans_id: `${count}-${n}`, text: "x".repeat(500) })),
      }),
    );
  });

const shell = (command: string) => spawnSync("sh", ["-c", command], { encoding: "utf8", env: cleanEnv() });
const line = (...args: string[]) => [process.execPath, BIN, ...args].map((word) => `'${word}'`).join(" ");

describe.concurrent("pipes", () => {
  test("| head -1 is silent, exits 0 and stops the requests", async () => {
    const server = await endless();
    const child = startSolx(["account", "transfer", USDC, "--all", "-o", "ndjson", `SOLX_BASE_URL=${server.url}`]);
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text) => {
      stderr += text;
    });
    await once(child.stdout, "data");
    child.stdout.destroy();
    const [code] = await once(child, "exit");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(server.requests.length).toBeLessThan(60);
  });

  test("a large answer reaches a slow reader completely", async () => {
    const body = JSON.stringify({ success: true, data: { text: "y".repeat(3_000_000) } });
    const server = await serve((_, response) => sendJson(response, body));
    const child = startSolx(["token", "meta", USDC, `SOLX_BASE_URL=${server.url}`]);
    let size = 0;
    for await (const chunk of child.stdout) {
      size += chunk.length;
      await new Promise((next) => setImmediate(next));
    }
    expect(size).toBeGreaterThan(3_000_000);
  });

  test("a full disk is an error, not a success", async () => {
    if (!existsSync("/dev/full")) return;
    const server = await serve((_, response) => sendJson(response, '{"success":true,"data":{"a":1}}'));
    const child = spawn("sh", ["-c", `${line("token", "meta", USDC)} > /dev/full`], {
      env: cleanEnv({ SOLX_BASE_URL: server.url }),
    });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text) => {
      stderr += text;
    });
    const [code] = await once(child, "close");
    expect(code).toBe(1);
    expect(JSON.parse(stderr).errors).toMatchObject({
      ...{ code: "ENOSPC", message: "The output cannot be written: the disk is full." },
      hint: "Free some space, then run the command again.",
    });
  });

  test("help onto a full disk is an error message", () => {
    if (!existsSync("/dev/full")) return;
    for (const flag of ["--help", "--version"]) {
      const { status, stderr } = shell(`${line(flag)} > /dev/full`);
      expect(status).toBe(1);
      expect(stderr).toMatch(/cannot be written/);
      expect(stderr).not.toMatch(/^\s+at /m);
    }
  });

  test("help into a closed pipe is silent", () => {
    const { stderr } = shell(`${line("--help")} | true`);
    expect(stderr).toBe("");
  });
});

test("contradicting colour variables cause no warning of Node", async () => {
  const env = { NO_COLOR: "1", FORCE_COLOR: "1", SOLX_FORCE_TTY: "80" };
  const { code, stdout, stderr } = await solx(["config", "path"], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).not.toContain("\u001B");
});

describe.concurrent("signals", () => {
  for (const [signal, expected] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    test(`${signal} aborts the request and exits ${expected}`, async () => {
      const server = await serve(() => {});
      const child = startSolx(["token", "meta", USDC, `SOLX_BASE_URL=${server.url}`]);
      const requested = new Promise<void>((resolve) => {
        const poll = () => (server.requests.length > 0 ? resolve() : setImmediate(poll));
        poll();
      });
      await requested;
      child.kill(signal);
      const [code] = await once(child, "exit");
      expect(code).toBe(expected);
    });
  }
});

describe.concurrent("Node", () => {
  /** Returns the option that replaces a property of `process`. */
  const pretend = (path: string, value: string) => {
    const [name = "", property] = path.split(".").toReversed();
    const object = property === undefined ? "process" : `process.${property}`;
    return `--import=data:text/javascript,Object.defineProperty(${object},"${name}",{value:"${value}"})`;
  };
  const OLD_NODE = pretend("versions.node", "18.20.0");
  /** Runs a launcher with a fake, older version of Node. */
  const runOnOldNode = (root: string) =>
    spawnSync(process.execPath, [OLD_NODE, join(root, "bin", "solx.js"), "--version"], {
      encoding: "utf8",
      env: cleanEnv(),
    });

  test("a version that is too old is an error message", () => {
    const root = createTempFolder();
    mkdirSync(join(root, "bin"));
    cpSync(BIN, join(root, "bin", "solx.js"));
    const { status, stdout, stderr } = runOnOldNode(root);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toBe("solx: requires Node.js 22.19 or later (this is 18.20.0).\n");
  });

  test("in a checkout the installed Node runs the program", () => {
    const root = fileURLToPath(new URL("../..", import.meta.url));
    const { status, stdout, stderr } = runOnOldNode(root);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test.skipIf(process.platform === "win32")("on Windows, signals are left to the program that it runs", async () => {
    const root = createTempFolder();
    for (const folder of ["bin", "node_modules/node/bin"]) mkdirSync(join(root, folder), { recursive: true });
    cpSync(BIN, join(root, "bin", "solx.js"));
    const program = "trap 'echo ended' INT\necho ready\nread line\necho finished\n";
    writeFileSync(join(root, "node_modules/node/bin/node.exe"), `#!/bin/sh\n${program}`, { mode: 0o755 });
    const args = [OLD_NODE, pretend("platform", "win32"), join(root, "bin", "solx.js")];
    const child = spawn(process.execPath, args, { env: cleanEnv(), stdio: ["pipe", "pipe", "inherit"] });
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      if (stdout === "") child.kill("SIGINT");
      stdout += text;
    });
    await expect.poll(() => stdout).toContain("ready");
    child.stdin.end("\n");
    const [code] = await once(child, "close");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "ready\nfinished\n" });
  });

  test.each(["linux", "darwin", "win32"] as const)("compiled code is in the cache folder of %s", async (platform) => {
    const root = createTempFolder();
    const env = { PATH: process.env.PATH, HOME: root, USERPROFILE: root };
    for (const variables of [{}, { LOCALAPPDATA: join(root, "Local"), XDG_CACHE_HOME: join(root, "cache") }]) {
      const all = { ...env, ...variables };
      const { status, stderr } = spawnSync(process.execPath, [pretend("platform", platform), BIN, "help"], {
        encoding: "utf8",
        env: all,
      });
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      const compiled = join(resolvePaths(all, platform).cache ?? "", "compiled");
      expect([compiled, readdirSync(compiled).length]).toEqual([compiled, 1]);
    }
    const homeless = spawnSync(process.execPath, [pretend("platform", platform), BIN, "help"], {
      encoding: "utf8",
      env: { PATH: process.env.PATH },
    });
    expect([homeless.status, homeless.stderr]).toEqual([0, ""]);
  });

  test("warnings of Node do not reach the user", async () => {
    const { stderr } = await solx(["docs", "chaininfo"]);
    expect(stderr).toBe("");
  });
});
