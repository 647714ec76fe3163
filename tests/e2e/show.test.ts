/** `solx show` of everything that there is on a chain, on the sandbox: it answers what the command of the thing answers. */
import { beforeAll, describe, expect, test } from "vitest";
import {
  JUPITER,
  NFT_COLLECTION,
  POOL,
  SIGNATURE,
  SLOT,
  STAKE_ACCOUNT,
  USDC,
  WALLET,
} from "../../src/catalogue/samples.ts";
import { here } from "../support/here.ts";
import { worldsFolder } from "../support/ledger.ts";
import { sandboxEnv } from "../support/sandbox.ts";

const env = sandboxEnv({
  SOLX_SANDBOX: "on",
  SOLX_SANDBOX_NOW: "2024-07-05T12:00:00Z",
  SOLX_HOME: `${worldsFolder()}/home`,
});

async function ask(...words: string[]) {
  const { code, stdout, stderr } = await here(words, { env });
  expect({ code, stderr }, words.join(" ")).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

beforeAll(() => ask("chaininfo"), 120_000);

describe("show", () => {
  test.each([
    ["a wallet", WALLET, ["account", "detail", WALLET]],
    ["a stake account", STAKE_ACCOUNT, ["account", "detail", STAKE_ACCOUNT]],
    ["a pool", POOL, ["account", "detail", POOL]],
    ["a program", JUPITER, ["account", "detail", JUPITER]],
    ["a transaction", SIGNATURE, ["transaction", "detail", SIGNATURE]],
    ["a slot", String(SLOT), ["block", "detail", String(SLOT)]],
    ["a link to a transaction", `https://explorer.solana.com/tx/${SIGNATURE}`, ["transaction", "detail", SIGNATURE]],
    ["a link to a token", `https://solscan.io/token/${USDC}`, ["token", "meta", USDC]],
    ["a link to an account", `https://solscan.io/account/${WALLET}#transfers`, ["account", "detail", WALLET]],
    ["a link to a block", `https://solscan.io/block/${SLOT}`, ["block", "detail", String(SLOT)]],
  ])("%s", async (_what, given, words) => {
    expect(await ask("show", given)).toEqual(await ask(...words));
  });

  test("a mint: the account and the token", async () => {
    const [account, token] = [await ask("account", "detail", USDC), await ask("token", "meta", USDC)];
    expect(await ask("show", USDC)).toEqual({ account, token });
  });

  test("an NFT: the account and the token", async () => {
    const [item] = await ask("nft", "collection-items", NFT_COLLECTION);
    const shown = await ask("show", item.info.address);
    expect(shown).toMatchObject({ account: { account: item.info.address }, token: { address: item.info.address } });
  });

  test("a token account, which is no mint", async () => {
    const [{ token_account }] = await ask("account", "token-accounts", WALLET, "--type", "token");
    expect(await ask("show", token_account)).toEqual(await ask("account", "detail", token_account));
  });

  test("what is not there is told so", async () => {
    const unknown = `${SIGNATURE.slice(0, -3)}111`;
    expect(await here(["show", unknown], { env })).toMatchObject({ code: 5, stdout: "" });
  });
});

test("spans and ages count from where the sandbox's time stands still", async () => {
  const { url } = await ask("account", "transfer", WALLET, "--from-time", "1d", "--dry-run");
  expect(new URL(url).searchParams.get("from_time")).toBe(String(Date.UTC(2024, 6, 4, 12) / 1000));
  const [{ block_time }] = await ask("transaction", "last");
  expect(block_time).toBeGreaterThan(Date.UTC(2024, 6, 5, 11) / 1000);
  const table = await here(["transaction", "last", "-o", "table", "--time", "relative"], { env });
  expect(table.stdout).toMatch(/\d+[smh] ago|now/);
});
