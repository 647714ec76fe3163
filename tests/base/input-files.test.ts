/** Files that somebody else may have written: what is read of them, and that nothing about them can hang or be endless. */
import { execFileSync } from "node:child_process";
import { appendFileSync, createWriteStream, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InterruptedError, readInputFile, readInputText, UsageError } from "../../src/base/index.ts";
import { createTempFolder } from "../support/solx.ts";

const folder = createTempFolder();
const pathOf = (name: string) => join(folder, name);
const pipeOf = (name: string) => {
  execFileSync("mkfifo", [pathOf(name)]);
  return pathOf(name);
};

describe("an input file", () => {
  test("a regular file is read to its end", async () => {
    const text = "aé🦀".repeat(50_000);
    writeFileSync(pathOf("file"), text);
    expect(await readInputFile(pathOf("file"))).toBe(text);
  });

  test("a regular file that grows faster than it is read has an end", async () => {
    const part = Buffer.alloc(200_000, "abc");
    writeFileSync(pathOf("growing"), part);
    let size = 0;
    for await (const chunk of readInputText(pathOf("growing"))) {
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
    expect(await readInputFile(join(inner, "inside"), { isInFolder: true })).toBe("a");
    writeFileSync(pathOf("secret"), "b");
    symlinkSync("../secret", join(inner, "outside"));
    const outside = readInputFile(join(inner, "outside"), { isInFolder: true });
    await expect(outside).rejects.toThrow(UsageError);
    await expect(outside).rejects.toThrow("a link to a file outside of its folder");
  });

  const readAll = async (path: string) => {
    let text = "";
    for await (const part of readInputText(path)) text += part;
    return text;
  };

  test("its text is the same however it is read, and bytes that are no text are an error", async () => {
    const path = pathOf("text");
    const bytes = fc.oneof(
      fc.string({ unit: "binary", maxLength: 20 }).map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 8 }).map((some) => Buffer.from(some)),
    );
    await fc.assert(
      fc.asyncProperty(bytes, fc.nat({ max: 3 }), async (some, shift) => {
        // Characters lie across the chunks that are read.
        const content = Buffer.concat([Buffer.alloc(65_536 - shift, "a"), some]);
        writeFileSync(path, content);
        const isText = Buffer.from(content.toString()).equals(content);
        for (const read of [readInputFile, readAll]) {
          if (isText) expect(await read(path)).toBe(content.toString());
          else await expect(read(path)).rejects.toThrow("it is not text in UTF-8");
        }
      }),
      { numRuns: 200 },
    );
  });

  test("text in UTF-16 with a byte order mark is read as it arrives, unless it breaks off", async () => {
    const text = "aé🦀";
    const little = Buffer.from(`\uFEFF${text}`, "utf16le");
    writeFileSync(pathOf("little"), little);
    writeFileSync(pathOf("big"), Buffer.from(little).swap16());
    writeFileSync(pathOf("half"), little.subarray(0, -1));
    expect(await readAll(pathOf("little"))).toBe(text);
    expect(await readAll(pathOf("big"))).toBe(text);
    await expect(readAll(pathOf("half"))).rejects.toThrow("it is not text in UTF-16LE");
  });
});
