import { spawn } from "node:child_process";
import { once } from "node:events";
import { PassThrough, Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { SolxError } from "../../src/base/errors.ts";
import { getStreamSink, PipeClosed } from "../../src/output/index.ts";

/** A stream that accepts a chunk only on demand. */
function slowStream() {
  const received: string[] = [];
  const pending: (() => void)[] = [];
  const stream = new Writable({
    highWaterMark: 16,
    write(chunk, _encoding, done) {
      pending.push(() => {
        received.push(String(chunk));
        done();
      });
    },
  });
  return { stream, received, step: () => pending.shift()?.() };
}

const failing = (code: string) =>
  new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error(`write ${code}`), { code })),
  });

describe("getStreamSink", () => {
  it("waits for a slow reader", async () => {
    const { stream, received, step } = slowStream();
    const sink = getStreamSink(stream);
    let settled = false;
    const write = sink.write("x".repeat(100)).then(() => {
      settled = true;
    });
    await new Promise(setImmediate);
    expect(settled).toBe(false);
    step();
    await write;
    expect(received.join("")).toBe("x".repeat(100));
  });

  it.each([0, 1])("delivers a text of several megabytes unchanged, %i characters from its start", async (offset) => {
    const pipe = new PassThrough();
    const sink = getStreamSink(pipe);
    // With an offset, characters of two code units are everywhere where the text may be split.
    const text = `${"x".repeat(offset)}${"🪙".repeat(1_300_000)}`;
    const received = (async () => Buffer.concat(await pipe.toArray()).toString())();
    await sink.write(text);
    await sink.flush();
    pipe.end();
    expect((await received) === text).toBe(true);
  });

  it("delivers 3 MB to a reader that pauses", async () => {
    const pipe = new PassThrough({ highWaterMark: 1024 });
    const sink = getStreamSink(pipe);
    let length = 0;
    const reading = (async () => {
      for await (const chunk of pipe) {
        length += chunk.length;
        await new Promise(setImmediate);
      }
    })();
    for (let i = 0; i < 48; i++) await sink.write("x".repeat(65_536));
    await sink.flush();
    pipe.end();
    await reading;
    expect(length).toBe(48 * 65_536);
  });

  it("flush waits for everything written before", async () => {
    const { stream, received, step } = slowStream();
    const sink = getStreamSink(stream);
    await sink.write("a");
    let flushed = false;
    const flush = sink.flush().then(() => {
      flushed = true;
    });
    await new Promise(setImmediate);
    expect([flushed, received]).toEqual([false, []]);
    step();
    await new Promise(setImmediate);
    step();
    await flush;
    expect(received.join("")).toBe("a");
  });

  it.each(["EPIPE", "ECONNRESET"])("distinguishes a closed pipe (%s) from a failure", async (code) => {
    const sink = getStreamSink(failing(code));
    const attempt = (async () => {
      await sink.write("a");
      await sink.flush();
    })();
    await expect(attempt).rejects.toBeInstanceOf(PipeClosed);
    await expect(sink.write("b")).rejects.toBeInstanceOf(PipeClosed);
    expect(new PipeClosed()).not.toBeInstanceOf(SolxError);
  });

  it("treats a closed stream as a closed pipe", async () => {
    const { stream } = slowStream();
    const sink = getStreamSink(stream);
    const write = sink.write("x".repeat(100));
    stream.destroy();
    await expect(write).rejects.toBeInstanceOf(PipeClosed);
  });

  it.each([
    ["ENOSPC", "The output cannot be written: the disk is full."],
    ["EIO", "The output cannot be written: the device reports an error."],
    ["EWEIRD", "The output cannot be written: write EWEIRD."],
  ])("reports the reason of %s", async (code, message) => {
    const sink = getStreamSink(failing(code));
    const attempt = (async () => {
      await sink.write("a");
      await sink.flush();
    })();
    await expect(attempt).rejects.toMatchObject({ message, code, exit: "unexpected" });
    await expect(attempt).rejects.toBeInstanceOf(SolxError);
  });

  it("stops waiting on abort", async () => {
    const { stream } = slowStream();
    const controller = new AbortController();
    const write = getStreamSink(stream).write("x".repeat(100), controller.signal);
    controller.abort(new Error("stop"));
    await expect(write).rejects.toThrow("stop");
  });

  it("is one per stream, and adds no listeners with each use", async () => {
    const stream = new PassThrough();
    stream.resume();
    const sink = getStreamSink(stream);
    await sink.write("a");
    const count = stream.listenerCount("error");
    for (let i = 0; i < 50; i++) await getStreamSink(stream).write("x".repeat(100_000));
    expect(getStreamSink(stream)).toBe(sink);
    expect(stream.listenerCount("error")).toBe(count);
  });

  it("ends without error and stops the source when the reader of a real pipe closes it", async () => {
    const source = `
      const { getStreamSink, write, PipeClosed } = await import(${JSON.stringify(new URL("../../src/output/index.ts", import.meta.url).href)});
      let count = 0, closed = false;
      async function* pages() {
        try { for (;;) { count += 1; yield Array.from({ length: 500 }, (_, n) => ({ n, text: "x".repeat(50) })); await new Promise(setImmediate); } }
        finally { closed = true; }
      }
      const options = { format: "ndjson", width: 80, isTerminal: false, now: 0 };
      const error = await write({ kind: "rows", pages: pages() }, {}, options, getStreamSink(process.stdout)).catch((e) => e);
      process.stderr.write(JSON.stringify({ gone: error instanceof PipeClosed, closed, stopped: count < 1000 }));
    `;
    const child = spawn(process.execPath, ["--input-type=module", "-e", source], { stdio: ["ignore", "pipe", "pipe"] });
    let stderr = "";
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    child.stdout.once("data", () => child.stdout.destroy());
    const [code] = await once(child, "close");
    expect([code, stderr]).toEqual([0, JSON.stringify({ gone: true, closed: true, stopped: true })]);
  });
});
