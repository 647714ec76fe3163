/** Copying: which way is taken where, what is written to the terminal, what is said. */
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clipboardTools, createCopier, MAX_OSC52_BYTES, osc52 } from "../../src/commands/explore/clipboard.ts";
import { createToolRunner } from "../../src/commands/explore/run-tool.ts";
import type { Io } from "../../src/commands/run/io.ts";
import { scratch } from "../support/solx.ts";

const TERM = "xterm-256color";
const ADDRESS = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";

/** A world in which these tools work; what was written, and what each tool got. */
function world(env: Io["env"], working: readonly string[] = [], platform: NodeJS.Platform = "linux") {
  const told = { written: "", tools: [] as string[], input: undefined as string | Uint8Array | undefined };
  const copy = createCopier({
    env,
    platform,
    write: (text) => {
      told.written += text;
    },
    run: async (name, args, { input }) => {
      const line = [name, ...args].join(" ");
      told.tools.push(line);
      const works = working.includes(line) || working.includes(name);
      if (works) told.input = input;
      return works;
    },
  });
  return { told, copy };
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

/** What a terminal reads from its own sequence; tmux and screen take their wrapping off first. */
const read = (sequence: string) => /^\u001B\]52;c;([A-Za-z0-9+/=]*)\u0007$/.exec(sequence)?.[1];
const fromTmux = (sequence: string) =>
  (/^\u001BPtmux;(.*)\u001B\\$/s.exec(sequence)?.[1] ?? "").replaceAll("\u001B\u001B", "\u001B");
const fromScreen = (sequence: string) =>
  [...sequence.matchAll(/\u001BP(.*?)\u001B\\/gs)].map(([, piece]) => piece).join("");

describe("OSC 52", () => {
  const decoded = (code = "") => Buffer.from(code, "base64").toString();

  test("carries every text whole, bare and through tmux and screen", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 400 }), (text) => {
        expect(decoded(read(osc52(text, { TERM }) ?? ""))).toBe(text);
        expect(decoded(read(fromTmux(osc52(text, { TERM, TMUX: "/tmp/x,1,0" }) ?? "")))).toBe(text);
        expect(decoded(read(fromScreen(osc52(text, { TERM: "screen", STY: "1.x" }) ?? "")))).toBe(text);
      }),
    );
  });

  test("screen gets no piece that is longer than it passes on", () => {
    const pieces = (osc52("x".repeat(5000), { TERM: "screen", STY: "1.x" }) ?? "").split("\u001B\\");
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(256);
  });

  test("what is too long for a terminal is not sent, to the byte", () => {
    const bytes = Math.floor(MAX_OSC52_BYTES / 4) * 3;
    expect(osc52("x".repeat(bytes), { TERM })).toBeDefined();
    expect(osc52("x".repeat(bytes + 1), { TERM })).toBeUndefined();
  });

  test.each([undefined, "dumb", "linux"])("a terminal of the kind %s is sent nothing", (kind) => {
    expect(osc52("text", { TERM: kind })).toBeUndefined();
  });
});

describe("copying", () => {
  test("a tool of the system is first, and the terminal is left alone", async () => {
    const { copy, told } = world({ TERM, DISPLAY: ":0" }, ["xclip"]);
    const { ok, message } = await copy(ADDRESS, "the address 5Q54…e4j1");
    expect({ ok, message }).toEqual({
      ok: true,
      message: "Copied the address 5Q54…e4j1: 44 characters, by xclip.",
    });
    expect([told.input, told.written]).toEqual([ADDRESS, ""]);
  });

  test("a tool that fails gives way to the next one, at last to the terminal", async () => {
    const { copy, told } = world({ TERM, WAYLAND_DISPLAY: "w", DISPLAY: ":0" });
    const { ok, message } = await copy(ADDRESS, "the address");
    expect(told.tools.map((line) => line.split(" ")[0])).toEqual(["wl-copy", "xclip", "xsel"]);
    expect([ok, message]).toEqual([true, "Copied the address: 44 characters, by OSC 52."]);
    expect(told.written).toBe(osc52(ADDRESS, { TERM }));
  });

  test("in tmux over SSH, tmux gets it, and the terminal around it too", async () => {
    const env = { TERM: "tmux-256color", TMUX: "/tmp/tmux-0/default,1,0", SSH_TTY: "/dev/pts/1" };
    const { copy, told } = world(env, ["tmux load-buffer -w -"]);
    expect(await copy(ADDRESS, "it")).toMatchObject({
      ok: true,
      message: "Copied it: 44 characters, by tmux, OSC 52.",
    });
    expect([told.input, told.written]).toEqual([ADDRESS, osc52(ADDRESS, env)]);
  });

  test("an older tmux keeps it in its buffer", async () => {
    const { copy, told } = world({ TERM, TMUX: "x" }, ["tmux load-buffer -"]);
    expect(await copy("text", "it")).toMatchObject({ ok: true });
    expect(told.tools).toEqual(["tmux load-buffer -w -", "tmux load-buffer -"]);
  });

  test("a long text still goes into tmux, whose buffer has no such end", async () => {
    const { copy, told } = world({ TERM, TMUX: "x" }, ["tmux load-buffer -w -"]);
    const { message } = await copy("x".repeat(80_000), "the rows");
    expect([message, told.written]).toEqual(["Copied the rows: 80,000 characters, by tmux.", ""]);
  });

  test("what cannot be copied is said, with the reason", async () => {
    const long = await world({ TERM }).copy("x".repeat(80_000), "the rows");
    expect(long).toEqual({
      ok: false,
      message:
        "Not copied: the rows. 80,000 characters are more than a terminal takes, and no clipboard tool works here.",
    });
    const dumb = await world({ TERM: "dumb" }).copy("text", "the row");
    expect(dumb.message).toMatch(/^Not copied: the row\. This terminal takes no text/);
  });

  test("Windows reads every letter as it is", async () => {
    const { copy, told } = world({}, ["clip.exe"], "win32");
    await copy("naïve ≈ 猫", "it");
    expect(new TextDecoder("utf-16le", { ignoreBOM: false }).decode(told.input as Uint8Array)).toBe("naïve ≈ 猫");
  });
});

describe.skipIf(process.platform === "win32")("tools as processes", () => {
  const folder = scratch();
  const tool = (name: string, script: string) => {
    const path = join(folder, name);
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    return path;
  };
  const run = createToolRunner({ PATH: process.env.PATH });

  test("a tool gets the text byte for byte", async () => {
    const taker = tool("taker", `cat > '${join(folder, "taken")}'`);
    const text = "one\ntwo ≈ 猫\u0000";
    expect(await run(taker, [], { input: text, timeout: 10_000 })).toBe(true);
    expect(readFileSync(join(folder, "taken"), "utf8")).toBe(text);
  });

  test("one that is missing, fails, or hangs has not done it, even when it never reads", async () => {
    expect(await run(join(folder, "nothing"), [], { input: "x", timeout: 10_000 })).toBe(false);
    const input = "x".repeat(1_000_000);
    expect(await run(tool("failing", "exit 3"), [], { input, timeout: 10_000 })).toBe(false);
    expect(await run(tool("hanging", "exec sleep 60"), [], { input, timeout: 20 })).toBe(false);
  });

  test("one that is to stay has done its work when it is still there", async () => {
    expect(await run(tool("staying", "exec sleep 1"), [], { timeout: 20, detached: true })).toBe(true);
  });
});
