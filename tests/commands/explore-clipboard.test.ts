/** Copying to the clipboard: the method on each system, the sequence written to the terminal, and the message. */
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  clipboardTools,
  createCopier,
  createToolRunner,
  MAX_OSC52_BYTES,
  osc52,
} from "../../src/commands/explore/tools.ts";
import type { Io } from "../../src/commands/run/context.ts";
import { createTempFolder } from "../support/solx.ts";

const TERM = "xterm-256color";
const ADDRESS = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";

/** A copier for which the given tools work; records what was written to the terminal and passed to tools. */
function createWorld(env: Io["env"], working: readonly string[] = [], platform: NodeJS.Platform = "linux") {
  const calls = { written: "", tools: [] as string[], input: undefined as string | Uint8Array | undefined };
  const copy = createCopier({
    env,
    platform,
    write: (text) => {
      calls.written += text;
    },
    run: async (name, args, { input }) => {
      const line = [name, ...args].join(" ");
      calls.tools.push(line);
      const works = working.includes(line) || working.includes(name);
      if (works) calls.input = input;
      return works;
    },
  });
  return { calls, copy };
}

describe("the tools of a system", () => {
  test.each<[string, Io["env"], NodeJS.Platform, string[]]>([
    ["macOS", {}, "darwin", ["pbcopy"]],
    ["Windows", {}, "win32", ["clip.exe"]],
    ["Wayland with X11", { WAYLAND_DISPLAY: "wayland-0", DISPLAY: ":0" }, "linux", ["wl-copy", "xclip", "xsel"]],
    ["X11", { DISPLAY: ":0" }, "linux", ["xclip", "xsel"]],
    ["Windows' Linux", { WSL_DISTRO_NAME: "Ubuntu" }, "linux", ["clip.exe"]],
    ["no display", {}, "linux", []],
    ["SSH, though a display is forwarded", { SSH_CONNECTION: "1 2 3 4", DISPLAY: ":10" }, "linux", []],
    ["SSH into macOS", { SSH_TTY: "/dev/ttys001" }, "darwin", []],
  ])("%s", (_name, env, platform, names) => {
    expect(clipboardTools(env, platform).map(({ name }) => name)).toEqual(names);
  });
});

/** Decodes the sequence as a terminal does, after tmux or screen removed their wrapping. */
const read = (sequence: string) => /^\u001B\]52;c;([A-Za-z0-9+/=]*)\u0007$/.exec(sequence)?.[1];
const fromTmux = (sequence: string) =>
  (/^\u001BPtmux;(.*)\u001B\\$/s.exec(sequence)?.[1] ?? "").replaceAll("\u001B\u001B", "\u001B");
const fromScreen = (sequence: string) =>
  [...sequence.matchAll(/\u001BP(.*?)\u001B\\/gs)].map(([, piece]) => piece).join("");

describe("OSC 52", () => {
  const decoded = (code = "") => Buffer.from(code, "base64").toString();

  test("transfers any text unchanged, directly and through tmux and screen", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 400 }), (text) => {
        expect(decoded(read(osc52(text, { TERM }) ?? ""))).toBe(text);
        expect(decoded(read(fromTmux(osc52(text, { TERM, TMUX: "/tmp/x,1,0" }) ?? "")))).toBe(text);
        expect(decoded(read(fromScreen(osc52(text, { TERM: "screen", STY: "1.x" }) ?? "")))).toBe(text);
      }),
    );
  });

  test("chunks for screen are not longer than it passes through", () => {
    const pieces = (osc52("x".repeat(5000), { TERM: "screen", STY: "1.x" }) ?? "").split("\u001B\\");
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(256);
  });

  test("a text over the maximum length is not sent, to the byte", () => {
    const bytes = Math.floor(MAX_OSC52_BYTES / 4) * 3;
    expect(osc52("x".repeat(bytes), { TERM })).toBeDefined();
    expect(osc52("x".repeat(bytes + 1), { TERM })).toBeUndefined();
  });

  test.each([undefined, "dumb", "linux"])("nothing is sent to a terminal with TERM=%s", (kind) => {
    expect(osc52("text", { TERM: kind })).toBeUndefined();
  });
});

describe("copying", () => {
  test("uses a system tool first, without writing to the terminal", async () => {
    const { copy, calls } = createWorld({ TERM, DISPLAY: ":0" }, ["xclip"]);
    const { ok, message } = await copy(ADDRESS, "the address 5Q54…e4j1");
    expect({ ok, message }).toEqual({
      ok: true,
      message: "Copied the address 5Q54…e4j1: 44 characters, by xclip.",
    });
    expect([calls.input, calls.written]).toEqual([ADDRESS, ""]);
  });

  test("falls back to the next tool, and finally to the terminal", async () => {
    const { copy, calls } = createWorld({ TERM, WAYLAND_DISPLAY: "w", DISPLAY: ":0" });
    const { ok, message } = await copy(ADDRESS, "the address");
    expect(calls.tools.map((line) => line.split(" ")[0])).toEqual(["wl-copy", "xclip", "xsel"]);
    expect([ok, message]).toEqual([true, "Copied the address: 44 characters, by OSC 52."]);
    expect(calls.written).toBe(osc52(ADDRESS, { TERM }));
  });

  test("in tmux over SSH, copies to tmux and to the terminal around it", async () => {
    const env = { TERM: "tmux-256color", TMUX: "/tmp/tmux-0/default,1,0", SSH_TTY: "/dev/pts/1" };
    const { copy, calls } = createWorld(env, ["tmux load-buffer -w -"]);
    expect(await copy(ADDRESS, "it")).toMatchObject({
      ok: true,
      message: "Copied it: 44 characters, by tmux, OSC 52.",
    });
    expect([calls.input, calls.written]).toEqual([ADDRESS, osc52(ADDRESS, env)]);
  });

  test("an older tmux stores the text in its buffer", async () => {
    const { copy, calls } = createWorld({ TERM, TMUX: "x" }, ["tmux load-buffer -"]);
    expect(await copy("text", "it")).toMatchObject({ ok: true });
    expect(calls.tools).toEqual(["tmux load-buffer -w -", "tmux load-buffer -"]);
  });

  test("a long text is copied to tmux, whose buffer has no such limit", async () => {
    const { copy, calls } = createWorld({ TERM, TMUX: "x" }, ["tmux load-buffer -w -"]);
    const { message } = await copy("x".repeat(80_000), "the rows");
    expect([message, calls.written]).toEqual(["Copied the rows: 80,000 characters, by tmux.", ""]);
  });

  test("reports why a text could not be copied", async () => {
    const long = await createWorld({ TERM }).copy("x".repeat(80_000), "the rows");
    expect(long).toEqual({
      ok: false,
      message:
        "Not copied: the rows. 80,000 characters exceed what a terminal accepts, and no clipboard tool is available.",
    });
    const dumb = await createWorld({ TERM: "dumb" }).copy("text", "the row");
    expect(dumb.message).toMatch(/^Not copied: the row\. This terminal does not support copying/);
  });

  test("Windows receives UTF-16, which preserves all characters", async () => {
    const { copy, calls } = createWorld({}, ["clip.exe"], "win32");
    await copy("naïve ≈ 猫", "it");
    expect(new TextDecoder("utf-16le", { ignoreBOM: false }).decode(calls.input as Uint8Array)).toBe("naïve ≈ 猫");
  });
});

describe.skipIf(process.platform === "win32")("tools as processes", () => {
  const folder = createTempFolder();
  const tool = (name: string, script: string) => {
    const path = join(folder, name);
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    return path;
  };
  const run = createToolRunner({ PATH: process.env.PATH });

  test("passes the text byte for byte", async () => {
    const taker = tool("taker", `cat > '${join(folder, "taken")}'`);
    const text = "one\ntwo ≈ 猫\u0000";
    expect(await run(taker, [], { input: text, timeout: 10_000 })).toBe(true);
    expect(readFileSync(join(folder, "taken"), "utf8")).toBe(text);
  });

  test("a tool that is missing, fails or hangs has failed, even if it never reads its input", async () => {
    expect(await run(join(folder, "nothing"), [], { input: "x", timeout: 10_000 })).toBe(false);
    const input = "x".repeat(1_000_000);
    expect(await run(tool("failing", "exit 3"), [], { input, timeout: 10_000 })).toBe(false);
    expect(await run(tool("hanging", "exec sleep 60"), [], { input, timeout: 20 })).toBe(false);
  });

  test("a detached tool that is still running has succeeded", async () => {
    expect(await run(tool("staying", "exec sleep 1"), [], { timeout: 20, detached: true })).toBe(true);
  });
});
