/** `solx usage --watch` in a terminal, and as lines for programs. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningSandbox, startSandbox } from "../../src/sandbox/index.ts";
import { runInProcess } from "../support/in-process.ts";
import { worldsFolder } from "../support/ledger.ts";
import { describeWith } from "../support/programs.ts";
import { cleanEnv, createTempFolder } from "../support/solx.ts";
import { closeTerminals, Terminal } from "../support/terminal.ts";

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox({
    seed: "test",
    size: 0.05,
    port: 0,
    folder: worldsFolder(),
    faults: ["503@/monitor/usage#2"],
  });
});
afterAll(() => sandbox.close());

const envOf = (home = createTempFolder()) => ({
  SOLX_HOME: home,
  SOLX_BASE_URL: sandbox.url,
  SOLX_API_KEY: sandbox.key,
});

test("prints a line for each poll, survives an error, and ends by signal or limit with its exit code", async () => {
  const env = envOf();
  const stop = new AbortController();
  const onOutput = (text: string) => {
    if (text.includes("\n")) stop.abort();
  };
  const stopped = await runInProcess(["usage", "--watch", "10s", "-o", "ndjson"], {
    env,
    signal: stop.signal,
    onOutput,
  });
  expect(stopped.code).toBe(130);
  expect(JSON.parse(stopped.stdout)).toMatchObject({ usage_cus: expect.anything(), derived: { stale: false } });
  expect(stopped.stderr).toContain("Polling every 10 s (36,000 compute units per hour).");
  // The second request to the sandbox fails once, and is retried.
  const limited = await runInProcess(["usage", "--watch", "--fail-under-units", "100G"], { env });
  expect(limited.code).toBe(11);
  expect(limited.stdout).toMatch(/^\d{4}-\S+Z {2}\S+% used {2}[\d,]+ units left /);
  expect(limited.stderr).toContain("units are left, fewer than");
});

test("rejects unsupported options", async () => {
  const env = envOf();
  const failures = [
    ["--watch", "2s"],
    ["--watch", "soon"],
    ["--watch", "-o", "csv"],
    ["--watch", "--jq", "."],
  ];
  for (const args of failures) {
    expect(await runInProcess(["usage", ...args], { env })).toMatchObject({ code: 2, stdout: "" });
  }
  const refused = await runInProcess(["usage", "--watch"], { env: { ...env, SOLX_API_KEY: "another-key" } });
  expect(refused).toMatchObject({ code: 3, stdout: "" });
});

describeWith("tmux")("in a terminal", () => {
  afterAll(closeTerminals);

  test("draws a screen that q closes, and restores the terminal", async () => {
    const env = { ...cleanEnv(envOf()), LANG: "C.UTF-8" };
    const terminal = new Terminal(["usage", "--watch", "1h"], { env, shell: true, width: 80, height: 24 });
    await terminal.waitFor(/ left[\s\S]*every 1 h, 100 units per hour/);
    expect(terminal.state()).toMatchObject({ alternate: true, cursor: false });
    terminal.type("C-z");
    await terminal.waitFor(/Stopped/);
    // Keys typed before the shell is back would go to the screen.
    terminal.type("fg; echo left with $?", "Enter");
    await terminal.waitFor(/every 1 h, 100 units per hour/);
    terminal.resize(60, 15);
    await terminal.waitFor(/q quit {2}\? help/);
    terminal.type("q");
    await terminal.waitFor(/left with 0/);
    expect(terminal.state()).toEqual({ alternate: false, cursor: true, mouse: false });
  });
});
