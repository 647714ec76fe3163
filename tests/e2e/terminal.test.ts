/** solx on a real terminal. */
import { afterAll, expect, test } from "vitest";
import { describeWith } from "../support/programs.ts";
import { sendJson, serve } from "../support/server.ts";
import { createTempFolder } from "../support/solx.ts";
import { closeTerminals, Terminal } from "../support/terminal.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
describeWith("tmux")("a terminal", () => {
  afterAll(closeTerminals);

  const rows = Array.from({ length: 10 }, (_, n) => ({
    block_time: 1720000000 + n,
    flow: "in",
    activity_type: "ACTIVITY_SPL_TRANSFER",
    amount: 1587870559 + n,
    token_decimals: 9,
    token_address: USDC,
    from_address: USDC,
    to_address: USDC,
    trans_id: "4AU5ShM99Db1yXr72jukaUNSJTnJtp76zt6CdL9ghatA3N4HYU9jaHre2HsHqWcKipKCD3MenvdShPsRrAU6CC4f",
  }));

  test.each([60, 80, 120, 200])(
    "tables fit %i columns, in brief human units, with a hint how to fetch more",
    async (width) => {
      const { url } = await serve((_, response) => sendJson(response, JSON.stringify({ success: true, data: rows })));
      const terminal = new Terminal(["account", "transfer", USDC, `SOLX_BASE_URL=${url}`], { width });
      const screen = await terminal.waitFor(/exit 0/);
      expect(screen).toMatch(/ 1\.588 /);
      expect(screen).toContain("--limit 100");
      const body = screen.split("\n").filter((line) => line.includes("1.588"));
      expect(body).toHaveLength(10);
      expect(new Set(body.map((line) => (/^.*?1\.588/.exec(line)?.[0] ?? "").length)).size).toBe(1);
    },
  );

  test("errors are sentences with a hint", async () => {
    const terminal = new Terminal(["token", "meta", "0x52908400098527886E0F7030069857D2E4169EE7"]);
    const screen = await terminal.waitFor(/exit 2/);
    expect(screen).toMatch(/invalid value/);
    expect(screen).toMatch(/EVM/);
    expect(screen).not.toContain("{");
  });

  test("show suggests the next commands", async () => {
    const { url } = await serve((_, response) => sendJson(response, '{"success":true,"data":{"blockhash":"x"}}'));
    const terminal = new Terminal(["show", "385804412", `SOLX_BASE_URL=${url}`]);
    const screen = await terminal.waitFor(/exit 0/);
    expect(screen).toMatch(/slot +385804412/);
    expect(screen).toMatch(/Next: \S.* block transactions 385804412/);
  });

  test("login prompts without displaying the key, and Ctrl-C cancels", async () => {
    const { url } = await serve((_, response) => sendJson(response, '{"success":true,"data":{"usage_cus":1}}'));
    const env = { SOLX_HOME: createTempFolder(), SOLX_API_KEY: undefined, SOLX_BASE_URL: url, SOLX_KEY_STORE: "file" };
    const login = new Terminal(["auth", "login"], { env });
    await login.waitFor(/API key/);
    login.type("-l", "hidden-key-0123456789");
    login.type("Enter");
    const screen = await login.waitFor(/exit 0/);
    expect(screen).not.toContain("hidden-key");
    const cancelled = new Terminal(["auth", "login"], { env });
    await cancelled.waitFor(/API key/);
    cancelled.type("C-c");
    await cancelled.waitFor(/exit 130/);
  });

  test("hostile names do not affect the screen", async () => {
    const name = "\\u001b[2J\\u001b]0;owned\\u0007\\u202eevil";
    const { url } = await serve((_, response) =>
      sendJson(response, `{"success":true,"data":{"address":"${USDC}","name":"${name}","symbol":"A\\u0000\\u0000"}}`),
    );
    const terminal = new Terminal(["token", "meta", USDC, `SOLX_BASE_URL=${url}`]);
    const screen = await terminal.waitFor(/exit 0/);
    expect(screen).toContain(USDC);
    expect(screen).toContain("U+202E");
  });
});
