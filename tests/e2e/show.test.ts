/** `solx show` of every kind of entity, with the sandbox: its kind, and the same as the commands of that kind print. */
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
import { runInProcess } from "../support/in-process.ts";
import { worldsFolder } from "../support/ledger.ts";
import { sandboxEnv } from "../support/sandbox.ts";

const env = sandboxEnv({
  SOLX_SANDBOX: "on",
  SOLX_SANDBOX_NOW: "2024-07-05T12:00:00Z",
  SOLX_HOME: `${worldsFolder()}/home`,
});

async function ask(...words: string[]) {
  const { code, stdout, stderr } = await runInProcess([...words, "--quiet"], { env });
  expect({ code, stderr }, words.join(" ")).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

beforeAll(() => ask("chaininfo"));

describe("show", () => {
  test.each([
    ["a transaction", SIGNATURE, ["transaction", "detail", SIGNATURE]],
    ["a link to a transaction", `https://explorer.solana.com/tx/${SIGNATURE}`, ["transaction", "detail", SIGNATURE]],
  ])("%s", async (_what, input, words) => {
    expect(await ask("show", input)).toEqual({ kind: "transaction", id: SIGNATURE, ...(await ask(...words)) });
  });

  test("reads its argument from standard input in place of -", async () => {
    const { code, stdout, stderr } = await runInProcess(["show", "-", "--quiet"], { env, input: `${USDC}\n` });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual(await ask("show", USDC));
  });

  test.each([
    [USDC, "token"],
    [WALLET, "account"],
    [SIGNATURE, "transaction"],
    [String(SLOT), "block"],
  ])("%s starts with its kind and identifier in every format", async (id, kind) => {
    const object = await ask("show", id);
    expect(Object.entries(object).slice(0, 2)).toEqual(Object.entries({ kind, id }));
    const { stdout } = await runInProcess(["show", id, "-o", "csv", "--fields", "kind,id"], { env });
    expect(stdout.replaceAll("\r", "")).toBe(`kind,id\n${kind},${id}\n`);
    expect(await ask("show", id, "--envelope")).toMatchObject({ success: true, data: expect.anything() });
  });

  test.each([
    ["a wallet", WALLET, WALLET],
    ["a stake account", STAKE_ACCOUNT, STAKE_ACCOUNT],
    ["a pool", POOL, POOL],
    ["a program", JUPITER, JUPITER],
    ["a link to an account", `https://solscan.io/account/${WALLET}#transfers`, WALLET],
  ])("%s: the account with its metadata", async (_what, input, address) => {
    const { account_address, ...metadata } = await ask("account", "metadata", address);
    expect(account_address).toBe(address);
    const account = await ask("account", "detail", address);
    expect(await ask("show", input)).toEqual({ kind: "account", id: address, ...account, ...metadata });
  });

  test.each([String(SLOT), `https://solscan.io/block/${SLOT}`])("a block with its slot: %s", async (input) => {
    const block = await ask("block", "detail", String(SLOT));
    expect(await ask("show", input)).toEqual({ kind: "block", id: String(SLOT), slot: SLOT, ...block });
  });

  test("a table starts with the names of the account", async () => {
    const { stdout } = await runInProcess(["show", WALLET, "-o", "table"], { env });
    expect(stdout).toMatch(/^kind +account\nid +5Q54.*\naccount +5Q54.*\naccount_label +Raydium/);
    const block = await runInProcess(["show", String(SLOT), "-o", "table"], { env });
    expect(block.stdout).toMatch(new RegExp(`^kind +block\nid +${SLOT}\nslot +${SLOT}\n`));
  });

  test("an account without metadata if the plan does not include it", async () => {
    const account = await ask("account", "detail", WALLET);
    expect(await ask("show", WALLET, "SOLX_PLAN=lite")).toEqual({ kind: "account", id: WALLET, ...account });
  });

  test("a shortened identifier is refused as such", async () => {
    const { code, stderr } = await runInProcess(["show", "3iS3…a3io"], { env });
    expect(code).toBe(2);
    expect(JSON.parse(stderr).errors.hint).toMatch(/shortened.*-o json/);
  });

  test.each([USDC, `https://solscan.io/token/${USDC}`])("a mint: the account with the token: %s", async (input) => {
    const [account, token] = [await ask("account", "detail", USDC), await ask("token", "meta", USDC)];
    expect(await ask("show", input)).toEqual({ kind: "token", id: USDC, account, token });
  });

  test("an NFT: the account with the token", async () => {
    const [item] = await ask("nft", "collection-items", NFT_COLLECTION);
    const output = await ask("show", item.info.address);
    expect(output).toMatchObject({ account: { account: item.info.address }, token: { address: item.info.address } });
  });

  test("a token account, which is not a mint", async () => {
    const [{ token_account }] = await ask("account", "token-accounts", WALLET, "--type", "token");
    const account = await ask("account", "detail", token_account);
    expect(await ask("show", token_account)).toEqual({ kind: "account", id: token_account, ...account });
  });

  test("a missing entity is reported", async () => {
    const unknown = `${SIGNATURE.slice(0, -3)}111`;
    expect(await runInProcess(["show", unknown], { env })).toMatchObject({ code: 5, stdout: "" });
  });
});

test("durations and ages count from the fixed time of the sandbox", async () => {
  const { url } = await ask("account", "transfer", WALLET, "--from-time", "1d", "--dry-run");
  expect(new URL(url).searchParams.get("from_time")).toBe(String(Date.UTC(2024, 6, 4, 12) / 1000));
  const [{ block_time }] = await ask("transaction", "last");
  expect(block_time).toBeGreaterThan(Date.UTC(2024, 6, 5, 11) / 1000);
  const table = await runInProcess(["transaction", "last", "-o", "table", "--time", "relative"], { env });
  expect(table.stdout).toMatch(/\d+[smh] ago|now/);
});
