import http from "node:http";
import net from "node:net";
import { networkInterfaces } from "node:os";
import { pipeline, Readable } from "node:stream";
import { createBrotliCompress, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { endpointByPath } from "../../../../src/catalogue/index.ts";
import { createClient } from "../../../../src/sources/index.ts";
import { failure, json, KEY, serve, serveSocket, success, testClient, USDC, WALLET } from "../../../client/servers.ts";

const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
const meta = endpointByPath("v2", "/token/meta");
if (!meta) throw new Error("The catalogue has no /token/meta.");
const send = (client: ReturnType<typeof createClient>) => client.fetch(meta, { address: USDC });

describe("an error status whose body cannot be decoded", () => {
  const bodies: readonly (readonly [string, string, string])[] = [
    ["breaks off", "content-length: 500\r\n", '{"message":"No'],
    ["is not compressed as it says", "content-encoding: gzip\r\ncontent-length: 4\r\n", "nope"],
    ["has broken chunks", "transfer-encoding: chunked\r\n", "5\r\nab"],
  ];

  it.each(bodies)("has the same meaning when the body %s", async (_how, headers, body) => {
    const server = await serveSocket((socket) => {
      socket.once("data", () => socket.end(`HTTP/1.1 401 No\r\n${headers}\r\n${body}`));
    });
    expect(await failure(send(testClient(server)))).toMatchObject({ name: "AuthError", exitCode: 3, status: 401 });
    expect(server.connections()).toBe(1);
  });

  it.each(bodies)("has its Retry-After when the body %s", async (_how, headers, body) => {
    const server = await serveSocket((socket, count) => {
      const good = `${HEAD}content-length: 35\r\n\r\n{"success":true,"data":{"ok":true}}`;
      const bad = `HTTP/1.1 429 Busy\r\nretry-after: 7\r\n${headers}\r\n${body}`;
      socket.once("data", () => socket.end(count === 1 ? bad : good));
    });
    const client = testClient(server);
    expect((await send(client)).data).toEqual({ ok: true });
    expect(client.slept).toEqual([7000]);
  });

  it("has the same meaning when the body hangs", async () => {
    const server = await serveSocket((socket) => {
      socket.once("data", () => socket.write("HTTP/1.1 403 No\r\ncontent-length: 500\r\n\r\n{"));
    });
    const client = testClient(server, { timeouts: { total: 1 } });
    expect(await failure(send(client))).toMatchObject({ name: "PermissionError", exitCode: 4, status: 403 });
  });

  it("is an interruption when the user stops it", async () => {
    const stop = new AbortController();
    const server = await serveSocket((socket) => {
      socket.once("data", () => {
        socket.write("HTTP/1.1 401 No\r\ncontent-length: 500\r\n\r\n{", () => stop.abort());
      });
    });
    const answer = testClient(server).fetch(meta, { address: USDC }, { signal: stop.signal });
    expect(await failure(answer)).toMatchObject({ exitCode: 130 });
  });
});

describe("a response", () => {
  it("is decoded correctly, wherever the network splits it", async () => {
    const body = Buffer.from(JSON.stringify({ success: true, data: { name: "\uFEFFünïcödé €😀" } }));
    const server = await serveSocket((socket) => {
      socket.setNoDelay(true);
      const next = (at: number) => {
        if (at === body.length) return;
        socket.write(body.subarray(at, at + 1), () => setImmediate(next, at + 1));
      };
      socket.once("data", () => {
        socket.write(`${HEAD}content-length: ${body.length}\r\n\r\n`, () => next(0));
      });
    });
    expect((await send(testClient(server))).body).toBe(body.toString());
  });

  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  it.skipIf(!addresses.some(({ address }) => address === "::1"))("may come from a server without IPv4", async () => {
    const server = http.createServer((_request, response) => json(response, success({ a: 1 })));
    await new Promise<void>((resolve) => server.listen(0, "::1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as net.AddressInfo;
    expect((await send(testClient({ url: `http://[::1]:${port}` }))).data).toEqual({ a: 1 });
  });

  it("has all digits, unchanged", async () => {
    const body = '{"success":true,"data":{"supply":18446744073709551615,"price":0.10}}';
    const server = await serve((_request, response) => json(response, body));
    const answer = await send(testClient(server));
    expect(JSON.stringify(answer.data)).toBe('{"supply":18446744073709551615,"price":0.10}');
    expect(answer.body).toBe(body);
    expect(answer.headers["content-type"]).toBe("application/json");
    expect(server.requests[0]?.url).toBe(`/v2.0/token/meta?address=${USDC}`);
    expect(server.requests[0]?.headers.token).toBe(KEY);
  });

  it.each([
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["deflate", deflateSync],
    ["deflate", deflateRawSync],
  ])("is decompressed: %s", async (encoding, compress) => {
    const body = compress(JSON.stringify(success({ symbol: "USDC" })));
    const server = await serve((_request, response) => {
      response.writeHead(200, { "content-encoding": encoding });
      response.end(body);
    });
    expect((await send(testClient(server))).data).toEqual({ symbol: "USDC" });
    expect(server.requests[0]?.headers["accept-encoding"]).toBe("gzip, br, deflate");
  });

  it("is decompressed: br", async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { "content-encoding": "br" });
      const brotli = createBrotliCompress();
      brotli.pipe(response);
      brotli.end(JSON.stringify(success({ symbol: "USDC" })));
    });
    expect((await send(testClient(server))).data).toEqual({ symbol: "USDC" });
  });

  it("may have a wrong encoding, or one that was not requested", async () => {
    for (const encoding of ["gzip", "zstd"]) {
      const server = await serve((_request, response) => {
        response.writeHead(200, { "content-encoding": encoding });
        response.end("{}");
      });
      expect(await failure(send(testClient(server)))).toMatchObject({ code: "ENCODING", exitCode: 8 });
      expect(server.requests).toHaveLength(1);
    }
  });

  it("is refused beyond the limit, compressed or not", async () => {
    const body = JSON.stringify(success("x".repeat(3_000_000)));
    for (const headers of [{}, { "content-encoding": "gzip" }]) {
      const server = await serve((_request, response) => {
        response.writeHead(200, headers);
        response.end("content-encoding" in headers ? gzipSync(body) : body);
      });
      const error = await failure(send(testClient(server, { maxBody: 1_048_576 })));
      expect(error).toMatchObject({ code: "TOO_LARGE", exitCode: 8 });
      expect(error.message).toContain("larger than 1 MiB");
    }
  });

  it("is refused with headers that are too large", async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { "x-long": "x".repeat(60_000) });
      response.end(JSON.stringify(success({})));
    });
    const error = await failure(send(testClient(server)));
    expect(error).toMatchObject({ code: "HEADERS_TOO_LARGE", exitCode: 8 });
    expect(error.message).toMatch(/^The headers of the response of 127\.0\.0\.1:\d+ are larger than 16 KiB\.$/);
  });

  it("with an error status is read only as far as it is useful", async () => {
    const server = await serve((_request, response) => {
      response.writeHead(500, { "content-type": "text/plain" });
      const endless = Readable.from(
        (function* () {
          for (;;) yield "the same again ".repeat(1000);
        })(),
      );
      pipeline(endless, response, () => {});
    });
    const error = await failure(send(testClient(server)));
    expect(error).toMatchObject({ exitCode: 8, status: 500 });
    expect(error.message.length).toBeLessThan(300);
  });
});

describe("a truncated response", () => {
  it.each([
    ["before its length", `${HEAD}content-length: 100\r\n\r\n{"success":true,"da`],
    ["between chunks", `${HEAD}transfer-encoding: chunked\r\n\r\n5\r\n{"suc\r\n`],
    ["inside a chunk", `${HEAD}transfer-encoding: chunked\r\n\r\n50\r\n{"suc`],
    ["without a content-length", `${HEAD}connection: close\r\n\r\n{"success":true,"da`],
  ])("%s is incomplete, and requested again", async (_where, bytes) => {
    const server = await serveSocket((socket) => socket.once("data", () => socket.end(bytes)));
    const error = await failure(send(testClient(server, { retries: 2 })));
    expect(error).toMatchObject({ code: "TRUNCATED", exitCode: 8, retryable: true });
    expect(error.message).toMatch(/^Incomplete response: .*\(tried 3 times\)\.$/);
    expect(server.connections()).toBe(3);
  });

  it.each([
    ["inside a row", "Signature,Action,From\nS1,TRANSFER,address\nS2,TRANS"],
    ["inside the first row", "Signature,Action,From\nS2,TRANS"],
    ["inside the last cell of a row", "Signature,Action,From\nS1,TRANSFER,address\nS2,TRANSFER,addr"],
  ])("of CSV that ends with the connection %s is incomplete, and requested again", async (_where, csv) => {
    const head = "HTTP/1.1 200 OK\r\ncontent-type: text/csv\r\nconnection: close\r\n\r\n";
    const server = await serveSocket((socket, count) => {
      socket.once("data", () => socket.end(`${head}${csv}${count <= 2 ? "" : ",rest\n"}`));
    });
    const exportRows = async (retries: number) =>
      (await testClient(server, { retries }).account.transferExport({ address: WALLET }).answer()).rows;
    const error = await failure(exportRows(0));
    expect(error).toMatchObject({ code: "TRUNCATED", exitCode: 8 });
    expect((await exportRows(1))?.length).toBe(csv.split("\n").length - 1);
  });

  it("is incomplete inside a compressed body, too", async () => {
    const whole = gzipSync(JSON.stringify(success("x".repeat(5000))));
    const server = await serve((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" });
      response.end(whole.subarray(0, whole.length - 12));
    });
    expect(await failure(send(testClient(server, { retries: 0 })))).toMatchObject({ code: "TRUNCATED", exitCode: 8 });
  });

  it("is no failure when the next one is complete", async () => {
    const body = JSON.stringify(success({ symbol: "USDC" }));
    const whole = `${HEAD}content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`;
    const server = await serveSocket((socket, count) => {
      socket.once("data", () => socket.end(count === 1 ? whole.slice(0, -9) : whole));
    });
    const client = testClient(server);
    expect((await send(client)).data).toEqual({ symbol: "USDC" });
    expect(client.slept).toEqual([1000]);
  });
});

describe("a slow server", () => {
  const short = { connect: 5, firstByte: 5, idle: 5, total: 5 };

  it("that does not begin to respond is given up and requested again", async () => {
    const server = await serveSocket((socket) => socket.resume());
    const error = await failure(send(testClient(server, { retries: 1, timeouts: { ...short, firstByte: 0.05 } })));
    expect(error).toMatchObject({ code: "FIRST_BYTE_TIMEOUT", exitCode: 9 });
    expect(error.message).toMatch(/did not begin to respond within 0.05 s \(tried 2 times\)/);
    expect(server.connections()).toBe(2);
  });

  it("that stops in the middle is given up", async () => {
    const server = await serveSocket((socket) =>
      socket.once("data", () => socket.write(`${HEAD}content-length: 9\r\n\r\n{`)),
    );
    const error = await failure(send(testClient(server, { timeouts: { ...short, idle: 0.05 } })));
    expect(error).toMatchObject({ code: "IDLE_TIMEOUT", exitCode: 9 });
    expect(server.connections()).toBe(1);
  });

  it("is given up when the total time is over, however often a byte arrives", async () => {
    const server = await serveSocket((socket) => {
      socket.once("data", () => {
        socket.write(`${HEAD}content-length: 1000000\r\n\r\n`);
        const timer = setInterval(() => socket.write(" "), 5);
        socket.once("close", () => clearInterval(timer));
      });
    });
    const error = await failure(send(testClient(server, { timeouts: { ...short, total: 0.1 } })));
    expect(error).toMatchObject({ code: "TIMEOUT", exitCode: 9 });
    expect(error.message).toContain("within 0.1 s");
  });

  it("may be given less time for one call", async () => {
    const server = await serveSocket((socket) => socket.resume());
    const error = await failure(testClient(server).fetch(meta, { address: USDC }, { timeout: 0.05 }));
    expect(error).toMatchObject({ code: "TIMEOUT", exitCode: 9 });
  });
});

describe("a response that never begins", () => {
  /** Writes the same text for ever, as fast as it is read, or a part every few milliseconds. */
  const repeat = (socket: net.Socket, start: string, text: string, pause?: number) => {
    socket.once("data", () => {
      socket.write(start);
      const go = () => {
        while (!socket.destroyed && socket.write(text.repeat(1000)));
        if (!socket.destroyed) socket.once("drain", go);
      };
      if (pause === undefined) return go();
      const timer = setInterval(() => socket.write(text), pause);
      socket.once("close", () => clearInterval(timer));
    });
  };
  it.each([
    ["a header without an end", "x: ", "a", undefined],
    ["headers without an end", "", "x-header: value\r\n", undefined],
    ["a header that trickles", "x: ", "a", 2],
    ["headers that trickle", "", "x-header: value\r\n", 2],
    ["a status line without an end", "", "a", undefined],
    ["interim responses", undefined, "HTTP/1.1 103 Early Hints\r\n\r\n", undefined],
    ["interim responses that trickle", undefined, "HTTP/1.1 100 Continue\r\n\r\n", 2],
    [
      "interim responses with headers",
      undefined,
      `HTTP/1.1 103 Early Hints\r\nlink: ${"a".repeat(8000)}\r\n\r\n`,
      undefined,
    ],
  ])("ends with an error: %s", async (_name, start, text, pause) => {
    const server = await serveSocket((socket) => repeat(socket, start === undefined ? "" : HEAD + start, text, pause));
    const before = process.memoryUsage().rss;
    const error = await failure(
      send(testClient(server, { retries: 0, timeouts: { connect: 5, firstByte: 5, idle: 5, total: 1 } })),
    );
    // Headers that are too long are an answer.
    expect(error).toMatchObject({ exitCode: error.code === "HEADERS_TOO_LARGE" ? 8 : 9 });
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1_048_576);
  });
});

describe("no connection", () => {
  const freePort = async () => {
    const server = net.createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as net.AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    return port;
  };

  it("because it is refused", async () => {
    const error = await failure(send(testClient({ url: `http://127.0.0.1:${await freePort()}` })));
    expect(error).toMatchObject({ code: "REFUSED", exitCode: 9 });
    expect(error.message).toMatch(/^127\.0\.0\.1:\d+ refuses connections\.$/);
    expect(error.hint).toContain("port");
  });

  it("because it is reset", async () => {
    const server = await serveSocket((socket, count) => {
      socket.once("data", () => {
        if (count < 3) return socket.resetAndDestroy();
        const body = JSON.stringify(success({ symbol: "USDC" }));
        return socket.end(`${HEAD}content-length: ${body.length}\r\n\r\n${body}`);
      });
    });
    const client = testClient(server);
    expect((await send(client)).data).toEqual({ symbol: "USDC" });
    expect(client.slept).toEqual([1000, 2000]);
  });

  it("because it is always reset", async () => {
    const server = await serveSocket((socket) => socket.once("data", () => socket.resetAndDestroy()));
    const error = await failure(send(testClient(server)));
    expect(error).toMatchObject({ code: "RESET", exitCode: 9 });
    expect(error.message).toContain("(tried 4 times)");
    expect(server.connections()).toBe(4);
  });

  it("because it is closed without data", async () => {
    const server = await serveSocket((socket) => socket.once("data", () => socket.end()));
    expect(await failure(send(testClient(server, { retries: 0 })))).toMatchObject({ code: "RESET", exitCode: 9 });
  });

  it("because the server speaks another protocol", async () => {
    const server = await serveSocket((socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n"));
    const error = await failure(send(testClient(server)));
    expect(error).toMatchObject({ code: "PROTOCOL", exitCode: 9 });
    expect(error.message).toContain("does not speak HTTP");
  });
});

describe("stopping", () => {
  it("ends a request in flight at once", async () => {
    const stop = new AbortController();
    const server = await serveSocket((socket) => socket.once("data", () => stop.abort()));
    const error = await failure(testClient(server).fetch(meta, { address: USDC }, { signal: stop.signal }));
    expect(error).toMatchObject({ name: "AbortError", exitCode: 130 });
    expect(server.connections()).toBe(1);
  });

  it("ends the wait before a retry", async () => {
    const stop = new AbortController();
    const server = await serve((_request, response) => json(response, "{}", 503, { "retry-after": "50" }));
    const client = createClient({
      baseUrl: server.url,
      key: KEY,
      onEvent: ({ type }) => type === "retry" && stop.abort(),
    });
    const error = await failure(client.fetch(meta, { address: USDC }, { signal: stop.signal }));
    expect(error.exitCode).toBe(130);
    expect(server.requests).toHaveLength(1);
    await client.close();
  });

  it("before the start sends nothing", async () => {
    const server = await serve((_request, response) => json(response, success({ ok: true })));
    const error = await failure(testClient(server).fetch(meta, { address: USDC }, { signal: AbortSignal.abort() }));
    expect(error.exitCode).toBe(130);
    expect(server.requests).toHaveLength(0);
  });

  it("by closing the client fails requests in flight and later ones", async () => {
    let arrived = () => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const server = await serveSocket((socket) => socket.once("data", () => arrived()));
    const client = testClient(server);
    const under = failure(send(client));
    await arrival;
    await client.close();
    expect((await under).exitCode).toBe(130);
    expect(await failure(send(client))).toMatchObject({ code: "CLOSED" });
  });
});
