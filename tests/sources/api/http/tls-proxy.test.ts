import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { failure, json, KEY, pem, serve, serveSocket, serveTls, success, testClient } from "../../../client/servers.ts";

const answer = (_request: unknown, response: http.ServerResponse) => json(response, success({ currentEpoch: 1 }));

describe("TLS", () => {
  it("trusts a configured authority, and checks the name", async () => {
    const server = await serveTls("signed", answer);
    expect(await testClient(server, { caCert: pem("ca") }).chaininfo()).toEqual({ currentEpoch: 1 });
    expect(server.requests[0]?.headers.token).toBe(KEY);
  });

  it.each([
    ["signed", undefined, "TLS_UNTRUSTED", /authority that this machine does not trust/],
    ["self-signed", undefined, "TLS_UNTRUSTED", /self-signed/],
    ["expired", "ca", "TLS_EXPIRED", /has expired/],
    ["other-name", "ca", "TLS_NAME", /is for another host/],
  ])("refuses a certificate that is %s", async (certificate, authority, code, message) => {
    const server = await serveTls(certificate, answer);
    const error = await failure(testClient(server, authority ? { caCert: pem(authority) } : {}).chaininfo());
    expect(error).toMatchObject({ code, exitCode: 9 });
    expect(error.message).toMatch(message);
    expect(error.hint).toBeTruthy();
    expect(server.requests).toHaveLength(0);
  });

  it("is missing where the port speaks plain HTTP", async () => {
    const { port } = await serve(answer);
    expect(await failure(testClient({ url: `https://localhost:${port}` }, { retries: 0 }).chaininfo())).toMatchObject({
      code: "TLS",
      exitCode: 9,
    });
  });
});

/** A proxy that connects every host to one port of this machine. */
async function proxy(port: number, options: { readonly status?: number } = {}) {
  const seen: { target: string; authorization: string | undefined }[] = [];
  const server = http.createServer();
  server.on("connect", (request, client) => {
    seen.push({ target: request.url ?? "", authorization: request.headers["proxy-authorization"] });
    client.on("error", () => {});
    if (options.status !== undefined) return client.end(`HTTP/1.1 ${options.status} No\r\n\r\n`);
    const upstream = net.connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      upstream.pipe(client);
      client.pipe(upstream);
    });
    upstream.on("error", () => client.destroy());
    client.on("close", () => upstream.destroy());
    return client;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const FAR = { url: "https://api.example.test" };

describe("a proxy", () => {
  it("is used for other hosts, with its user and password", async () => {
    const server = await serveTls("signed", answer);
    const { host, seen } = await proxy(server.port);
    for (const name of ["HTTPS_PROXY", "https_proxy"]) {
      const client = testClient(FAR, { caCert: pem("ca"), env: { [name]: `http://user:pass%40word@${host}` } });
      expect(await client.chaininfo()).toEqual({ currentEpoch: 1 });
    }
    const authorization = `Basic ${Buffer.from("user:pass@word").toString("base64")}`;
    expect(seen).toEqual([
      { target: "api.example.test:443", authorization },
      { target: "api.example.test:443", authorization },
    ]);
  });

  it("accepts a bare % in its user and password", async () => {
    const server = await serveTls("signed", answer);
    const { host, seen } = await proxy(server.port);
    const client = testClient(FAR, { caCert: pem("ca"), env: { HTTPS_PROXY: `http://us%er:50%@${host}` } });
    expect(await client.chaininfo()).toEqual({ currentEpoch: 1 });
    expect(seen[0]?.authorization).toBe(`Basic ${Buffer.from("us%er:50%").toString("base64")}`);
  });

  it("is not used for this machine", async () => {
    const server = await serve(answer);
    const { host, seen } = await proxy(server.port);
    const env = { HTTPS_PROXY: `http://${host}`, HTTP_PROXY: `http://${host}` };
    expect(await testClient(server, { env }).chaininfo()).toEqual({ currentEpoch: 1 });
    expect(seen).toEqual([]);
  });

  it("is not used for the hosts of NO_PROXY", async () => {
    const { host, seen } = await proxy(1);
    const env = { HTTPS_PROXY: `http://${host}`, NO_PROXY: ".example.test" };
    const client = testClient({ url: "https://api.example.test:1" }, { env, retries: 0, timeouts: { connect: 1 } });
    expect((await failure(client.chaininfo())).message).not.toContain("proxy");
    expect(seen).toEqual([]);
  });

  it("that requires a password is reported, without one", async () => {
    const { host } = await proxy(1, { status: 407 });
    const error = await failure(testClient(FAR, { env: { HTTPS_PROXY: `http://me:hunter2@${host}` } }).chaininfo());
    expect(error).toMatchObject({ code: "PROXY_AUTH", exitCode: 9 });
    expect(error.message).toContain(`http://***@${host}`);
    expect(`${error.message} ${error.hint} ${error.stack}`).not.toContain("hunter2");
  });

  it("that refuses the host is reported", async () => {
    const { host } = await proxy(1, { status: 403 });
    const error = await failure(testClient(FAR, { env: { HTTPS_PROXY: host } }).chaininfo());
    expect(error).toMatchObject({ code: "PROXY", exitCode: 9 });
    expect(error.message).toContain("refused to connect to api.example.test (403)");
  });

  it("that cannot be reached, or closes at once, is named", async () => {
    const closing = await serveSocket((socket) => socket.destroy());
    for (const address of ["127.0.0.1:1", `127.0.0.1:${closing.port}`]) {
      const error = await failure(
        testClient(FAR, { env: { HTTPS_PROXY: `http://${address}` }, retries: 0 }).chaininfo(),
      );
      expect(error.exitCode).toBe(9);
      expect(error.message).toContain(`proxy http://${address}`);
    }
  });

  it.each([
    ["ftp://user:hunter2@x", /is not a valid URL/],
    ["http://user:hunter2%ff@127.0.0.1:1", /http:\/\/\*\*\*@127\.0\.0\.1:1\) has a .*: write % as %25/],
    ["http://user:hunter2#@127.0.0.1:1", /is not a valid URL: write .* # as %23/],
    ["http://user:hunter2/@127.0.0.1:1", /is not a valid URL: write \/ as %2F/],
    ["user:4#hunter2@127.0.0.1:1", /HTTPS_PROXY is not a valid URL: write/],
    ["https://user:hunter2@127.0.0.1:1", /IP address with https/],
    ["https://[::1]:1", /IP address with https/],
  ])("that cannot be used is a usage error: %s", async (address, message) => {
    const error = await failure(testClient(FAR, { env: { HTTPS_PROXY: address } }).chaininfo());
    expect(error).toMatchObject({ code: "BAD_PROXY", exitCode: 2 });
    expect(error.message).toContain("HTTPS_PROXY");
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain("hunter2");
  });
});
