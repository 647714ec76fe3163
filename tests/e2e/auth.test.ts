/** The commands `solx auth` and `solx config`. */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runInProcess } from "../support/in-process.ts";
import { sendJson, serve } from "../support/server.ts";
import { createTempFolder, solx } from "../support/solx.ts";

const KEY = "good-key-0123456789abcdef";
const USAGE = '{"success":true,"data":{"remaining_cus":999207030,"usage_cus":1792970}}';

/** A server that accepts one key. */
const api = () =>
  serve((request, response) =>
    request.headers.token === KEY
      ? sendJson(response, USAGE)
      : sendJson(response, '{"success":false,"errors":{"code":401,"message":"Token is invalid"}}', 401),
  );

/** A new home folder, without a key in the environment. */
const fresh = (url: string) => {
  const env = { SOLX_HOME: createTempFolder(), SOLX_API_KEY: undefined, SOLX_BASE_URL: url, SOLX_KEY_STORE: "file" };
  return { env, home: env.SOLX_HOME };
};

describe("auth", () => {
  test("login reads the key from standard input, checks it and saves it in a private file", async () => {
    const { url } = await api();
    const { env, home } = fresh(url);
    const login = await solx(["auth", "login"], { env, input: `${KEY}\r\n` });
    expect(login.code).toBe(0);
    expect(login.stdout + login.stderr).not.toContain(KEY);
    expect(statSync(join(home, "credentials.json")).mode & 0o777).toBe(0o600);
    expect((await solx(["monitor", "usage"], { env })).code).toBe(0);
    const status = await solx(["auth", "status"], { env });
    expect(JSON.parse(status.stdout)).toMatchObject({ key: "****cdef" });
    expect((await solx(["auth", "logout"], { env })).code).toBe(0);
    const gone = await solx(["monitor", "usage"], { env: { ...env, SOLX_BASE_URL: "https://api.example" } });
    expect(gone.code).toBe(3);
  });

  test("a key that the API refuses is not saved", async () => {
    const { url } = await api();
    const { env } = fresh(url);
    expect((await runInProcess(["auth", "login"], { env, input: "bad-key-0123456789\n" })).code).toBe(3);
    expect((await runInProcess(["auth", "status"], { env })).code).toBe(3);
  });

  test("without a key nothing is sent to other machines, and the error lists three ways to set one", async () => {
    const { env } = fresh("https://api.example");
    const { code, stderr } = await runInProcess(["monitor", "usage"], { env });
    expect(code).toBe(3);
    const { hint } = JSON.parse(stderr).errors;
    for (const way of ["solx auth login", "SOLX_API_KEY"]) expect(hint).toContain(way);
  });

  test("a key is never sent over plain http to another machine", async () => {
    const { env } = fresh("http://api.example");
    const { code, stderr } = await runInProcess(["monitor", "usage"], { env: { ...env, SOLX_API_KEY: KEY } });
    expect(code).toBe(2);
    expect(stderr).not.toContain(KEY);
  });
});

describe("settings", () => {
  test("precedence is flag, environment, profile, default", async () => {
    const { url } = await api();
    const { env } = fresh(url);
    const source = async (args: string[], more: Record<string, string> = {}) => {
      const { stdout } = await runInProcess(
        ["config", "list", ...args, "--jq", '.[] | select(.name=="timeout") | .value, .source'],
        {
          env: { ...env, ...more },
        },
      );
      return stdout.trimEnd().split("\n");
    };
    expect((await source([]))[1]).toBe("default");
    expect((await runInProcess(["config", "set", "timeout", "7"], { env })).code).toBe(0);
    expect(await source([])).toEqual(["7", expect.stringContaining("profile default")]);
    expect(await source([], { SOLX_TIMEOUT: "8" })).toEqual(["8", "environment SOLX_TIMEOUT"]);
    expect(await source(["--timeout", "9"], { SOLX_TIMEOUT: "8" })).toEqual(["9", "flag --timeout"]);
    await runInProcess(["config", "unset", "timeout"], { env });
    expect((await source([]))[1]).toBe("default");
  });

  test("a broken file is reported and preserved, and the key of the environment still works", async () => {
    const { url } = await api();
    const { env, home } = fresh(url);
    const broken = '{"profiles": {"default": {"output": "table"}}}}';
    writeFileSync(join(home, "config.json"), broken);
    const run = await runInProcess(["monitor", "usage"], { env: { ...env, SOLX_API_KEY: KEY } });
    expect(run.code).toBe(0);
    expect(run.stderr).toContain("config.json");
    expect((await runInProcess(["config", "set", "output", "json"], { env })).code).not.toBe(0);
    expect(readFileSync(join(home, "config.json"), "utf8")).toBe(broken);
  });

  test("each profile has its own server", async () => {
    const { url, requests } = await api();
    const { env } = fresh("");
    for (const [name, value] of [
      ["base-url", url],
      ["output", "yaml"],
    ] as const) {
      expect((await solx(["config", "set", name, value, "--profile", "work"], { env })).code).toBe(0);
    }
    const run = await solx(["monitor", "usage", "--profile", "work"], { env: { ...env, SOLX_API_KEY: KEY } });
    expect(run).toMatchObject({ code: 0 });
    expect(run.stdout).toMatch(/^"?remaining_cus"?: 999207030$/m);
    expect(requests).toHaveLength(1);
    expect((await solx(["monitor", "usage", "--profile", "wrok"], { env })).code).toBe(2);
  });
});
