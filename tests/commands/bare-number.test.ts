/** Commands of endpoints that answer a bare number: `solx account transfer-total`. */
import { afterAll, describe, expect, test } from "vitest";
import { endpointByPath } from "../../src/catalogue/index.ts";
import { findSchemaDrift } from "../../src/client/answer/schema-drift.ts";
import { openapiDocument } from "../../src/commands/openapi/openapi.ts";
import { runInProcess } from "../support/in-process.ts";
import { sendJson, serve } from "../support/server.ts";
import { answerOf } from "../ui/support.tsx";

const [WALLET, OTHER] = ["5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1", "ob2htHLoCu2P6tX7RrNVtiG1mYTas8NGJEVLaFEUngk"];
const server = await serve((request, response) =>
  sendJson(
    response,
    `{"success":true,"data":${request.url?.includes(WALLET) ? 1554 : "9007199254740993"},"metadata":{}}`,
  ),
);
afterAll(() => server.close());

const run = async (...args: readonly string[]) => {
  const words = [
    "account",
    "transfer-total",
    ...args,
    `SOLX_BASE_URL=${server.url}`,
    "SOLX_RATE=off",
    "--cache",
    "off",
  ];
  return runInProcess(words, { env: { SOLX_API_KEY: "test-key-0123456789" } });
};

describe("a bare number", () => {
  test.each([
    ["json", "1554\n"],
    ["ndjson", "1554\n"],
    ["yaml", "1554\n"],
    ["table", "1,554\n"],
    ["csv", "value\n1554\n"],
    ["tsv", "value\n1554\n"],
  ])("is printed as %s", async (format, expected) => {
    expect((await run(WALLET, "-o", format)).stdout).toBe(expected);
  });

  test("keeps all digits, and its envelope on request", async () => {
    expect((await run(OTHER)).stdout).toBe("9007199254740993\n");
    const whole = JSON.parse((await run(WALLET, "--envelope")).stdout) as unknown;
    expect(whole).toEqual({ success: true, data: 1554, metadata: {} });
    expect((await run(WALLET, "--jq", ". + 1")).stdout).toBe("1555\n");
  });

  test("has a name in the rows of several identifiers", async () => {
    expect((await run(WALLET, OTHER, "-o", "csv")).stdout).toBe(
      `input,total\n${WALLET},1554\n${OTHER},9007199254740993\n`,
    );
  });

  test("is no list", async () => {
    const { code, stderr } = await run(WALLET, "--all");
    expect(code).toBe(2);
    expect(stderr).toContain("--all cannot be used with account transfer-total, which returns one number");
  });

  test("has a schema and a drift check", async () => {
    const text = JSON.stringify(openapiDocument({ version: "1.0.0", examples: {} }));
    expect(text).toContain('"data":{"type":"integer","description":"Number of transfers"');
    const endpoint = endpointByPath("v2", "/account/transfer/total");
    if (!endpoint) throw new Error("unknown path");
    expect(await findSchemaDrift(answerOf({ endpoint, params: {} }, 5))).toEqual([]);
    expect(await findSchemaDrift(answerOf({ endpoint, params: {} }, "5"))).not.toEqual([]);
  });
});
