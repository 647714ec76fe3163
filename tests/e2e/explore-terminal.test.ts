/** The explorer in a real terminal: starting, suspending, resuming and ending without traces. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { describeWith } from "../support/programs.ts";
import { serve } from "../support/server.ts";
import { createTempFolder, solx } from "../support/solx.ts";
import { closeTerminals, Terminal } from "../support/terminal.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const ARGS = ["explore", "--sandbox"];
const ENV = { SOLX_SANDBOX_SIZE: "0.02", LANG: "C.UTF-8" };
const READY = / sandbox\s[\s\S]*\? help/;
const SHELL = { alternate: false, cursor: true, mouse: false };

/** Starts the explorer in a window, or in a shell where it can be suspended. */
const open = (more: { width?: number; height?: number; shell?: boolean; env?: Record<string, string> } = {}) =>
  new Terminal(ARGS, { ...more, env: { ...ENV, ...more.env } });

/** A process that throws an uncaught error on a signal. */
function faulty(): Record<string, string> {
  const file = join(createTempFolder(), "faulty.mjs");
  writeFileSync(file, 'process.on("SIGUSR2", () => setImmediate(() => { throw new Error("a fault for a test"); }));\n');
  return { NODE_OPTIONS: `--import=${file}` };
}

/** Below what several answers of 20 MB take that are kept for a page: about 450 MiB. */
const MAX_MIB = 300;

describeWith("tmux")("the explorer in a terminal", () => {
  afterAll(closeTerminals);

  test("answers that are too large for a page are refused, and fill no memory", async () => {
    const row = `{"block_id":1,"address":"${USDC}","name":"${"x".repeat(1000)}"}`;
    const body = `{"success":true,"data":[${new Array(20_000).fill(row)}]}`;
    const server = await serve((_, response) => response.setHeader("content-type", "application/json").end(body));
    onTestFinished(server.close);
    const env = { SOLX_API_KEY: "key-of-a-test-0123456789", SOLX_BASE_URL: server.url };
    const terminal = new Terminal(["explore"], { env: { ...ENV, ...env } });
    await terminal.waitFor(/larger than 8 MiB/);
    const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${terminal.pid()}/status`, "utf8"))?.[1]) / 1024;
    expect(peak).toBeLessThan(MAX_MIB);
  });

  test.each([
    ["q", "q"],
    ["Ctrl-C", "C-c"],
  ])("%s restores the terminal", async (_, key) => {
    const terminal = open({ shell: true });
    await terminal.waitFor(READY);
    expect(terminal.state()).toMatchObject({ alternate: true, cursor: false });
    terminal.type(key);
    await terminal.waitFor(/exit 0/);
    expect(terminal.state()).toEqual(SHELL);
    terminal.type("stty -a", "Enter");
    const modes = await terminal.waitFor(/icanon/);
    expect(modes).not.toMatch(/-icanon|-echo\b|-isig/);
  });

  test.each([
    ["SIGTERM", 143],
    ["SIGHUP", 143],
    ["SIGINT", 130],
  ] as const)("%s ends it with its code, the terminal as it was", async (signal, code) => {
    const terminal = open();
    await terminal.waitFor(READY);
    process.kill(terminal.pid(), signal);
    await terminal.waitFor(new RegExp(`exit ${code}`));
    expect(terminal.state()).toEqual(SHELL);
  });

  test.each(["SIGQUIT", "SIGABRT", "SIGALRM"] as const)("%s ends it, the terminal as it was", async (signal) => {
    const terminal = open();
    await terminal.waitFor(READY);
    expect(terminal.state().mouse).toBe(true);
    process.kill(terminal.pid(), signal);
    await terminal.waitFor(/exit \d+/);
    expect(terminal.state()).toEqual(SHELL);
  });

  test("the mouse works; a crash restores the terminal and prints a message with the log file", async () => {
    const terminal = open({ env: faulty() });
    await terminal.waitFor(READY);
    expect(terminal.state().mouse).toBe(true);
    terminal.type("B");
    await terminal.waitFor(/home › bookmarks[\s\S]*\? help/);
    await terminal.click("home");
    await terminal.waitFor(/solx home {2}/);
    await terminal.click("? help");
    await terminal.waitFor(/─ Keys ─/);
    process.kill(terminal.pid(), "SIGUSR2");
    const screen = await terminal.waitFor(/exit 1/);
    expect(screen).toMatch(/a fault for a test/);
    expect(screen).toMatch(/explore\.log/);
    expect(terminal.state()).toEqual(SHELL);
  });

  test("the mouse filters a list: form, options, hints and filters above the rows", async () => {
    const terminal = open({ width: 120 });
    await terminal.waitFor(READY);
    terminal.type(":");
    await terminal.waitFor(/go to/);
    terminal.type("-l", "transaction last");
    await terminal.waitFor(/1 of 1 /);
    await terminal.click("Latest transactions");
    await terminal.waitFor(/solx home › transaction last[\s\S]*rows 1–[\s\S]*Enter open/);
    await terminal.click("F filter form");
    await terminal.waitFor(/filter transaction last/);
    await terminal.click(" all ");
    await terminal.click("Enter apply");
    await terminal.click("filter = all");
    await terminal.waitFor(/^(?!.*filter = all)/s);
    terminal.type("q");
    await terminal.waitFor(/exit 0/);
  });

  test("the process ends when the window is closed", async () => {
    const terminal = open();
    await terminal.waitFor(READY);
    const pid = terminal.pid();
    terminal.close();
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  test("Ctrl-Z returns to the shell, fg restores the screen", async () => {
    const terminal = open({ shell: true });
    await terminal.waitFor(READY);
    terminal.type("B");
    await terminal.waitFor(/home › bookmarks/);
    terminal.type("C-z");
    await terminal.waitFor(/Stopped/);
    expect(terminal.state()).toEqual(SHELL);
    terminal.type('fg; echo "end $?"', "Enter");
    await terminal.waitFor(/home › bookmarks[\s\S]*\? help/);
    expect(terminal.state()).toMatchObject({ alternate: true, cursor: false });
    terminal.type("Escape");
    await terminal.waitFor(/solx home {2}/);
    terminal.type("q");
    await terminal.waitFor(/end 0/);
    expect(terminal.state()).toEqual(SHELL);
  });

  test("a window that is too small is reported, and used again when it grows", async () => {
    const terminal = open({ width: 50, height: 10 });
    await terminal.waitFor(/Window too small: 50 × 10, minimum 60 × 15/);
    terminal.resize(80, 24);
    const screen = await terminal.waitFor(READY);
    expect(screen).not.toMatch(/needs/);
  });

  test("many resizes leave no artifacts", async () => {
    const terminal = open({ width: 120, height: 40 });
    await terminal.waitFor(READY);
    terminal.type("B");
    await terminal.waitFor(/bookmarks[\s\S]*\? help/);
    // The header contains ages and costs, the footer temporary messages.
    const body = () => terminal.screen().split("\n").slice(1, 38);
    const before = body();
    for (let step = 0; step < 30; step += 1) terminal.resize(60 + ((step * 37) % 140), 12 + ((step * 17) % 48));
    terminal.resize(120, 40);
    await expect.poll(body).toEqual(before);
    await expect.poll(() => terminal.screen().match(/\? help/g)).toHaveLength(1);
  });

  test.each([
    [120, 40],
    [70, 20],
  ])("a window that became %i × %i while it was suspended is filled", async (width, height) => {
    const terminal = open({ shell: true, width: 90, height: 28 });
    await terminal.waitFor(READY);
    terminal.type("B");
    await terminal.waitFor(/bookmarks[\s\S]*\? help/);
    terminal.type("C-z");
    await terminal.waitFor(/Stopped/);
    terminal.resize(width, height);
    terminal.type("fg", "Enter");
    const ends = () => {
      const lines = terminal.screen().split("\n");
      return { header: lines[0]?.search(/sandbox *$/), hints: lines.findIndex((line) => line.includes("? help")) };
    };
    await expect.poll(ends).toEqual({ header: width - "sandbox ".length, hints: height - 2 });
  });

  test("pasted text is opened, not interpreted as keys", async () => {
    const terminal = open();
    await terminal.waitFor(READY);
    terminal.paste("\nq\n");
    await terminal.waitFor(/─ go to ─[\s\S]* › q /);
    // Both may arrive at once.
    terminal.type("Escape");
    terminal.paste(`https://solscan.io/token/${USDC}\n`);
    await terminal.waitFor(/home › token USDC[\s\S]*holders/);
  });

  test("a second Ctrl-C ends an unterminated paste", async () => {
    const terminal = open();
    await terminal.waitFor(READY);
    terminal.type("-l", "\u001B[200~unfinished");
    terminal.type("q", "C-c");
    terminal.type("C-c");
    await terminal.waitFor(/exit 0/);
    expect(terminal.state()).toEqual(SHELL);
  });

  test("uses plain lines in a terminal without control sequences", async () => {
    const terminal = new Terminal([...ARGS, "usage"], { env: { ...ENV, TERM: "dumb" }, height: 40 });
    const screen = await terminal.waitFor(/usage:[\s\S]*\n>/);
    expect(screen).toMatch(/solx explore, plain mode/);
    expect(terminal.state()).toMatchObject({ alternate: false, cursor: true });
    terminal.type("-l", "nothing-of-this-name");
    terminal.type("Enter");
    await terminal.waitFor(/No results|Type \? for help/);
    terminal.type("q", "Enter");
    await terminal.waitFor(/exit 0/);
  });

  test("plain lines typed while waiting for an answer are processed in order", async () => {
    const env = { ...ENV, SOLX_SANDBOX_FAULTS: "latency=100ms" };
    const args = ["explore", "token", "list", "--plain", "--sandbox"];
    const { code, stdout } = await solx(args, { env, input: "n\n1\nb\nK\nq\n" });
    expect(code).toBe(0);
    expect(stdout).toMatch(/Rows 1 to 10[\s\S]*> token list:\nRows 11 to 20[\s\S]*> token \S+:[\s\S]*> token list:/);
    expect(stdout).toMatch(/solx auth login\n> $/);
  });

  test("is refused without a terminal, and so is -i", async () => {
    for (const args of [ARGS, ["token", "meta", USDC, "--sandbox", "-i"]]) {
      const { code, stdout, stderr } = await solx(args, { env: ENV });
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(/needs a terminal/);
    }
  });

  test("solx without arguments opens it, and -i opens the page of a command", async () => {
    const bare = new Terminal(["--sandbox"], { env: ENV });
    await bare.waitFor(READY);
    const list = new Terminal(["token", "holders", USDC, "--sandbox", "-i"], { env: ENV });
    await list.waitFor(/solx token USDC[\s\S]*rank {2}owner/);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
