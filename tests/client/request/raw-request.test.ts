import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../../src/base/errors.ts";
import { SERVERS } from "../../../src/catalogue/servers.ts";
import { rawRequest, requestUrl } from "../../../src/client/index.ts";
import { json, serve, success, testClient, USDC } from "../servers.ts";

const urlOfRaw = (path: string, options = {}) => requestUrl(rawRequest(path, options), SERVERS).href;

describe("raw requests", () => {
  it.each([
    ["/account/detail?address=x", "https://pro-api.solscan.io/v2.0/account/detail?address=x"],
    ["account/detail", "https://pro-api.solscan.io/v2.0/account/detail"],
    ["/v2.0/account/detail", "https://pro-api.solscan.io/v2.0/account/detail"],
    ["/v1.0/block/last", "https://pro-api.solscan.io/v1.0/block/last"],
    ["/chaininfo", "https://public-api.solscan.io/chaininfo"],
    ["/account/splTransfers", "https://pro-api.solscan.io/v1.0/account/splTransfers"],
    ["/no/such/path", "https://pro-api.solscan.io/v2.0/no/such/path"],
    ["https://pro-api.solscan.io/v1.0/block/last?limit=1", "https://pro-api.solscan.io/v1.0/block/last?limit=1"],
    ["https://public-api.solscan.io/chaininfo", "https://public-api.solscan.io/chaininfo"],
    ["/x?a=1&a=2&b[]=3%204", "https://pro-api.solscan.io/v2.0/x?a=1&a=2&b%5B%5D=3%204"],
  ])("%s goes to %s", (path, url) => {
    expect(urlOfRaw(path)).toBe(url);
  });

  it("cost as much as the endpoint does, item by item where it takes many", () => {
    const costs = [
      "/token/meta/multi?address[]=a&address[]=b",
      "/token/meta/multi?address[]=a,b,c",
      "/token/meta?address=a",
    ];
    expect(costs.map((path) => rawRequest(path).cost)).toEqual([200, 300, 100]);
    expect(["/no/such/path", "/chaininfo"].map((path) => rawRequest(path).cost)).toEqual([100, 0]);
  });

  it("take a family and more parameters", () => {
    expect(urlOfRaw("/block/last?a=1", { family: "legacy", query: [["limit", "5"]] })).toBe(
      "https://pro-api.solscan.io/v1.0/block/last?a=1&limit=5",
    );
  });

  it.each([
    "../../admin",
    "/account/../../../x",
    "/account/%2e%2e/x",
    "/account/%2E%2E%2Fx",
    "/account/./x",
    "/a%2fb",
    "/a\\..\\b",
    "https://evil.example/v2.0/account/detail",
    "https://pro-api.solscan.io.evil.example/v2.0/x",
    "https://pro-api.solscan.io@evil.example/v2.0/x",
    "//evil.example/x",
    "/x//evil.example",
    "C:/Program Files/Git/account/detail",
    "/account/detail#x",
    "/a b",
    "/a\u0000b",
    "/ä",
    "/%zz",
    "",
    "/",
  ])("%j is refused", (path) => {
    expect(() => rawRequest(path)).toThrow(UsageError);
  });

  it("never leave the server, whatever the path", () => {
    const part = fc.constantFrom(
      "..",
      ".",
      "/",
      "\\",
      "%2e",
      "%2f",
      "@",
      ":",
      "?",
      "#",
      "//",
      "evil.example",
      "http:",
      "v2.0",
      "x",
      " ",
      "\t",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        try {
          const { href } = new URL(urlOfRaw(parts.join("")));
          expect(Object.values(SERVERS).some((base) => href.startsWith(`${base}/`))).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("are sent, and decoded like those of the endpoint", async () => {
    const server = await serve((_request, response) =>
      json(response, success({ total: 1, items: [{ address: "x" }] })),
    );
    const answer = await testClient(server).request("/token/holders", { query: [["address", USDC]] });
    expect(answer).toMatchObject({
      rows: [{ address: "x" }],
      at: "items",
      request: { endpoint: { route: "v2-token-holders" } },
    });
    expect(server.requests[0]?.url).toBe(`/v2.0/token/holders?address=${USDC}`);
    const whole = await testClient(server).request(`${server.url}/v1.0/block/last`);
    expect(whole.request.family).toBe("legacy");
  });
});
