/** `--numbers text`: large numbers and identifiers that no reader takes for a double. */
import { describe, expect, onTestFinished, test } from "vitest";
import { runInProcess } from "../support/in-process.ts";
import { sendJson, serve } from "../support/server.ts";

const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";
const DIGITS = "11111111111111111111111111111111";
const MAX = "18446744073709551615";

/** Runs a command against a server that answers with one text. */
async function run(data: string, ...words: string[]) {
  const server = await serve((_request, response) => sendJson(response, `{"success":true,"data":${data}}`));
  onTestFinished(() => server.close());
  return runInProcess([...words, "--cache", "off"], { env: { SOLX_BASE_URL: server.url } });
}

const transfers = `[{"block_id":7,"from_address":"${DIGITS}","amount":${MAX},"token_decimals":0.10,"token_address":"5"},{"amount":-5,"flow":null}]`;
const list = (...words: string[]) => run(transfers, "account", "transfer", WALLET, "SOLX_NUMBERS=text", ...words);
const columns = ["--fields", "block_id,from_address,amount,token_decimals,token_address,flow"];

describe("--numbers text", () => {
  test("quotes text and large numbers in CSV, and nothing else", async () => {
    expect((await list("-o", "csv", ...columns)).stdout).toBe(
      `"block_id","from_address","amount","token_decimals","token_address","flow"\n7,"${DIGITS}","${MAX}",0.10,"5",\n,,"-5",,,\n`,
    );
  });

  test.each([
    ["ndjson", `{"amount":"${MAX}","token_decimals":0.10}\n{"amount":"-5"}\n`],
    ["yaml", `- amount: "${MAX}"\n  token_decimals: 0.10\n- amount: "-5"\n`],
  ])("is text in %s, whatever the size; other numbers have their digits", async (format, text) => {
    const { stdout } = await list("-o", format, "--fields", "amount,token_decimals");
    expect(stdout.replace(/,?"?token_decimals"?: ?null/g, "").replace(/\n\s+(?=\n|$)/g, "\n")).toBe(text);
  });

  test("applies to objects, envelopes and jq", async () => {
    const detail = (...words: string[]) =>
      run(
        '{"lamports":5,"rent_epoch":0,"executable":false}',
        "account",
        "detail",
        WALLET,
        "SOLX_NUMBERS=text",
        ...words,
      );
    expect(JSON.parse((await detail("-o", "json")).stdout)).toMatchObject({ lamports: "5", rent_epoch: "0" });
    expect(JSON.parse((await detail("-o", "json", "--envelope")).stdout).data).toMatchObject({ lamports: "5" });
    expect((await list("--jq", "map(.amount | type) | unique[]")).stdout.trim()).toBe("string");
  });

  test.each(["tsv", "table", "wide"])("is refused for %s", async (format) => {
    const { code, stderr } = await list("-o", format);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`cannot be used with -o ${format}`)]);
  });

  test("accepts two forms", async () => {
    const { code, stderr } = await run("[]", "token", "list", "SOLX_NUMBERS=float");
    expect([code, stderr]).toEqual([2, expect.stringContaining("expected one of exact, text")]);
    expect(
      (await run(transfers, "account", "transfer", WALLET, "SOLX_NUMBERS=exact", "-o", "ndjson")).stdout,
    ).toContain(`"amount":${MAX}`);
  });
});
