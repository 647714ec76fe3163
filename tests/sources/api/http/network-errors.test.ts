import { describe, expect, it } from "vitest";
import { toNetworkError } from "../../../../src/sources/api/http/network-errors.ts";

const place = {
  url: new URL("https://api.example.test/v2.0/token/meta"),
  timeouts: { connect: 10, firstByte: 30, idle: 30, total: 120 },
  answered: false,
  proxy: undefined,
};
const cause = (code: string, message = "some words") => Object.assign(new Error(message), { code });

describe("failures below HTTP", () => {
  it.each([
    ["ENOTFOUND", "DNS", "Cannot find the host api.example.test."],
    ["EAI_AGAIN", "DNS", "The name server has no answer for api.example.test at the moment."],
    ["ECONNREFUSED", "REFUSED", "api.example.test refuses connections."],
    ["EHOSTUNREACH", "UNREACHABLE", "api.example.test cannot be reached from this network."],
    ["ENETUNREACH", "UNREACHABLE", "api.example.test cannot be reached from this network."],
    ["ECONNRESET", "RESET", "api.example.test closed the connection without a response."],
    ["UND_ERR_CONNECT_TIMEOUT", "CONNECT_TIMEOUT", "api.example.test did not accept a connection within 10 s."],
    ["ETIMEDOUT", "CONNECT_TIMEOUT", "api.example.test did not accept a connection within 10 s."],
    ["CERT_HAS_EXPIRED", "TLS_EXPIRED", "The TLS certificate of api.example.test has expired."],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "TLS_UNTRUSTED", "The TLS certificate of api.example.test is self-signed."],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "TLS", "The TLS handshake with api.example.test failed."],
    ["ESOMETHING", "ESOMETHING", "The request to api.example.test failed: some words."],
  ])("%s has its own message", (code, expected, message) => {
    expect(toNetworkError(cause(code), place)).toMatchObject({
      name: "NetworkError",
      code: expected,
      message,
      exitCode: 9,
    });
  });

  it("have different remedies for different causes", () => {
    const codes = [
      "ENOTFOUND",
      "ECONNREFUSED",
      "EHOSTUNREACH",
      "ECONNRESET",
      "CERT_HAS_EXPIRED",
      "DEPTH_ZERO_SELF_SIGNED_CERT",
    ];
    const hints = codes.map((code) => toNetworkError(cause(code), place).hint);
    expect(new Set(hints).size).toBe(codes.length);
    expect(hints.every(Boolean)).toBe(true);
  });

  it("of several addresses report the first", () => {
    const several = new AggregateError([cause("ECONNREFUSED"), cause("ENETUNREACH")]);
    expect(toNetworkError(several, place).code).toBe("REFUSED");
  });

  it("name the proxy where there is one", () => {
    const proxied = { ...place, proxy: "http://***@proxy:8080" };
    expect(toNetworkError(cause("ECONNREFUSED"), proxied).message).toBe(
      "The proxy http://***@proxy:8080 refuses connections.",
    );
    expect(toNetworkError(cause("ENOTFOUND"), proxied).message).toBe(
      "Cannot find the host of the proxy http://***@proxy:8080.",
    );
  });
});
