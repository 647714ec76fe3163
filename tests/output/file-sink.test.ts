/** A file as a sink. */
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { createFile, reopenFile } from "../../src/output/stream/file-sink.ts";

const folder = mkdtempSync(join(tmpdir(), "solx-file-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const fresh = () => {
  files += 1;
  return join(folder, String(files));
};

const chunks = fc.array(
  fc.oneof(
    fc.string({ unit: "binary" }),
    fc.uint8Array(),
    fc.nat(400_000).map((n) => "é".repeat(n)),
  ),
  {
    maxLength: 6,
  },
);
const bytesOf = (list: readonly (string | Uint8Array)[]) =>
  Buffer.concat(list.map((chunk) => Buffer.from(chunk as string)));

describe("a file", () => {
  it("has every byte in order, and counts them", async () => {
    await fc.assert(
      fc.asyncProperty(chunks, async (list) => {
        const path = fresh();
        const sink = await createFile(path);
        // Writes are not awaited, and the file is synced in between.
        const writes = list.flatMap((chunk, at) => (at % 2 ? [sink.write(chunk)] : [sink.write(chunk), sink.sync()]));
        expect(sink.bytes).toBe(bytesOf(list).length);
        await Promise.all([...writes, sink.sync()]);
        expect(readFileSync(path).equals(bytesOf(list))).toBe(true);
        expect(sink.written).toBe(sink.bytes);
        await sink.close();
      }),
      { numRuns: 30 },
    );
  });

  it("can be reopened after any byte; the rest is dropped", async () => {
    const path = fresh();
    writeFileSync(path, "one,two,thr");
    const sink = await reopenFile(path, 8);
    expect(statSync(path).size).toBe(8);
    await sink.write("three\n");
    expect(sink.bytes).toBe(14);
    await sink.sync();
    await sink.close();
    expect(readFileSync(path, "utf8")).toBe("one,two,three\n");
  });

  it("is written in chunks, so that little is in memory", async () => {
    const path = fresh();
    const sink = await createFile(path);
    await sink.write("x".repeat(1_000_000));
    expect(statSync(path).size).toBe(1_000_000);
    await sink.close();
  });

  it("never replaces an existing one", async () => {
    const path = fresh();
    writeFileSync(path, "mine");
    await expect(createFile(path)).rejects.toMatchObject({ code: "EEXIST" });
    expect(readFileSync(path, "utf8")).toBe("mine");
  });

  it.runIf(existsSync("/dev/full") && existsSync("/proc/self/fd"))(
    "that cannot be truncated is closed again",
    async () => {
      await expect(reopenFile("/dev/full", 0)).rejects.toMatchObject({ code: "EINVAL" });
      const open = readdirSync("/proc/self/fd").map((fd) => {
        // The descriptor of the listing itself is closed by now.
        return existsSync(`/proc/self/fd/${fd}`) ? readlinkSync(`/proc/self/fd/${fd}`) : "";
      });
      expect(open).not.toContain("/dev/full");
    },
  );
});
