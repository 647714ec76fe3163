/** Files that somebody else may have written: what is read of them, and that nothing about them can hang or be endless. */
import { execFileSync } from "node:child_process";
import { appendFileSync, createWriteStream, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { InterruptedError, readInputChunks, readInputFile, UsageError } from "../../src/base/index.ts";
import { createTempFolder } from "../support/solx.ts";

const folder = createTempFolder();
const pathOf = (name: string) => join(folder, name);
const pipeOf = (name: string) => {
  execFileSync("mkfifo", [pathOf(name)]);
  return pathOf(name);
};

describe("an input file", () => {
  test("a regular file is read to its end", async () => {
    const bytes = Buffer.alloc(200_000, "abc");
    writeFileSync(pathOf("file"), bytes);
    expect((await readInputFile(pathOf("file"))).equals(bytes)).toBe(true);
  });

  test("a regular file that grows faster than it is read has an end", async () => {
    const part = Buffer.alloc(200_000, "abc");
    writeFileSync(pathOf("growing"), part);
    let size = 0;
    for await (const chunk of readInputChunks(pathOf("growing"))) {
      size += chunk.length;
      if (size > 10 * part.length) break;
      appendFileSync(pathOf("growing"), part);
    }
    expect(size).toBe(part.length);
  });

  test.skipIf(process.platform === "win32")("a named pipe is read until its writers close it", async () => {
    const path = pipeOf("pipe");
    const read = readInputFile(path);
    const writer = createWriteStream(path);
    writer.write("a".repeat(100_000));
    writer.end("b");
    expect((await read).length).toBe(100_001);
  });

  test.skipIf(process.platform === "win32")("a named pipe without a writer ends with the signal", async () => {
    const controller = new AbortController();
    const read = readInputFile(pipeOf("silent"), { signal: controller.signal });
    controller.abort(new InterruptedError("Stopped."));
    await expect(read).rejects.toThrow("Stopped.");
  });

  test.skipIf(process.platform === "win32")("what has no end is refused", async () => {
    symlinkSync("/dev/zero", pathOf("endless"));
    await expect(readInputFile(pathOf("endless"))).rejects.toThrow("neither a regular file nor a pipe");
    const path = pipeOf("flood");
    const read = readInputFile(path, { maxBytes: 1_048_576 });
    const writer = createWriteStream(path).on("error", () => {});
    for (let count = 0; count < 40; count += 1) writer.write(Buffer.alloc(65_536));
    await expect(read).rejects.toThrow("it is larger than 1 MiB");
    writer.destroy();
  });

  test("a file of a folder is regular and in it", async () => {
    const inner = pathOf("inner");
    mkdirSync(inner);
    writeFileSync(join(inner, "a"), "a");
    symlinkSync("a", join(inner, "inside"));
    expect(String(await readInputFile(join(inner, "inside"), { isInFolder: true }))).toBe("a");
    writeFileSync(pathOf("secret"), "b");
    symlinkSync("../secret", join(inner, "outside"));
    const outside = readInputFile(join(inner, "outside"), { isInFolder: true });
    await expect(outside).rejects.toThrow(UsageError);
    await expect(outside).rejects.toThrow("a link to a file outside of its folder");
  });
});
