/** Symbols and human amounts on the command line, on a sandbox with impostors. */
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { wellKnownToken } from "../../src/catalogue/index.ts";
import { type RunningSandbox, startSandbox } from "../../src/sandbox/index.ts";
import { runInProcess } from "../support/in-process.ts";
import { worldsFolder } from "../support/ledger.ts";
import { createTempFolder } from "../support/solx.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const BONK = "DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263";
const JUP = "JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN";
const SOL = "So11111111111111111111111111111111111111111";
const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";
/** The symbol of an impostor: the last letter is Cyrillic. */
const FAKE_USDC = "USD\u0421";

let sandbox: RunningSandbox;
/** A token that is not well known and the only one with its symbol. */
let rare: { readonly symbol: string; readonly address: string };
/** A symbol that several tokens share, none of which is the only verified one. */
let shared: string;

const env = () => ({
  SOLX_BASE_URL: sandbox.url,
  SOLX_API_KEY: sandbox.key,
  SOLX_BUDGET: "process",
  SOLX_CACHE: "off",
});
const run = (words: readonly string[], options: Parameters<typeof runInProcess>[1] = {}) =>
  runInProcess(words, { ...options, env: { ...env(), ...options.env } });
const url = async (words: readonly string[]) => {
  const { code, stdout, stderr } = await run([...words, "--dry-run", "-o", "json"]);
  expect({ code, stderr }, words.join(" ")).toEqual({ code: 0, stderr: "" });
  return new URL(JSON.parse(stdout).url);
};
const requestsBy = async (action: () => Promise<unknown>) => {
  const before = sandbox.requests().length;
  await action();
  return sandbox.requests().length - before;
};

beforeAll(async () => {
  sandbox = await startSandbox({ seed: "test", size: 0.5, hostile: true, port: 0, folder: worldsFolder() });
  const { stdout } = await run(["token", "list", "--limit", "1000", "-o", "ndjson", "--fields", "symbol,address"]);
  const tokens: (typeof rare)[] = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const groups = Map.groupBy(tokens, ({ symbol }) => symbol.toLowerCase());
  const isPlain = (symbol: string) => /^[a-z]{4,8}$/.test(symbol) && wellKnownToken(symbol) === undefined;
  rare = [...groups].find(([symbol, [, second]]) => isPlain(symbol) && !second)?.[1][0] as typeof rare;
  shared = [...groups].find(([symbol, group]) => isPlain(symbol) && group.length > 1)?.[0] as string;
});
afterAll(() => sandbox.close());

describe("a symbol", () => {
  it("is accepted wherever a mint is, in any case and several at once", async () => {
    expect((await url(["token", "meta", "bonk"])).searchParams.get("address")).toBe(BONK);
    expect((await url(["token", "holders", "$JUP"])).searchParams.get("address")).toBe(JUP);
    const filtered = await url(["account", "transfer", WALLET, "--token", "usdc,Bonk", "--token", JUP]);
    expect(filtered.searchParams.get("token")).toBe([USDC, BONK, JUP].join(","));
    expect((await url(["account", "transfer", WALLET, "--token", "sol"])).searchParams.get("token")).toBe(SOL);
    expect((await url(["market", "list", "--token-address", "jup"])).searchParams.get("token_address")).toBe(JUP);
    const legacy = await url(["legacy", "token", "holders", "usdc"]);
    expect(legacy.searchParams.get("tokenAddress")).toBe(USDC);
  });

  it("of a well-known token costs no request, and neither does an address", async () => {
    expect(await requestsBy(() => run(["token", "meta", "bonk"]))).toBe(1);
    expect(await requestsBy(() => run(["token", "meta", BONK]))).toBe(1);
    expect(await requestsBy(() => run(["token", "meta", "bonk", "--curl"]))).toBe(0);
  });

  it("of another token is searched once, and the mint is reported", async () => {
    const words = ["token", "meta", rare.symbol, rare.symbol.toLowerCase(), "-o", "ndjson", "--fields", "address"];
    let stderr = "";
    expect(await requestsBy(async () => ({ stderr } = await run(words)))).toBe(2);
    expect(stderr).toContain(`${rare.symbol} is ${rare.address} (${rare.symbol}, `);
    const quiet = await run(["token", "meta", rare.symbol, "-q", "--jq", ".address"]);
    expect(quiet).toMatchObject({ code: 0, stdout: `${rare.address}\n`, stderr: "" });
    const preview = await run(["token", "meta", rare.symbol, "--curl", "-q"]);
    expect(preview.stdout).toContain(`address=${rare.address}`);
  });

  it("that several tokens have is refused with the candidates", async () => {
    const { code, stdout, stderr } = await run(["token", "meta", shared]);
    expect([code, stdout]).toEqual([2, ""]);
    const { errors } = JSON.parse(stderr);
    expect(errors.code).toBe("AMBIGUOUS_SYMBOL");
    expect(errors.candidates.length).toBeGreaterThan(1);
    const fields = { address: expect.any(String), name: expect.any(String), holder: expect.any(Number) };
    for (const candidate of errors.candidates)
      expect(candidate).toMatchObject({ ...fields, is_verified: expect.any(Boolean) });
    const [first] = errors.candidates;
    const terminal = await run(["token", "holders", shared], { isStderrTTY: true, env: { NO_COLOR: "1" } });
    expect(terminal.stderr).toMatch(
      /^error: invalid value "\w+" for <address>: expected a mint, since \d+ tokens have/,
    );
    expect(terminal.stderr).toMatch(new RegExp(`^ {2}${first.address} +\\S.* holders +market cap .*verified$`, "m"));
  });

  it("that imitates another is refused, also with the impostor as the only candidate", async () => {
    const { code, stderr } = await run(["account", "transfer", WALLET, "--token", FAKE_USDC], { isStderrTTY: true });
    expect(code).toBe(2);
    expect(stderr).toContain("for --token: expected a mint, since the symbol mixes Latin and Cyrillic letters");
    expect(stderr).toContain(`⚠ ${FAKE_USDC}`);
    const { stdout } = await run(["token", "meta", "usdc", "--jq", ".address", "-q"]);
    expect(stdout.trim()).toBe(USDC);
  });

  it("of no token is refused, where an account is expected too", async () => {
    const none = await run(["token", "meta", "nosuchtoken"]);
    expect([none.code, JSON.parse(none.stderr).errors.code]).toEqual([2, "UNKNOWN_SYMBOL"]);
    const account = await run(["account", "detail", "bonk"]);
    expect([account.code, JSON.parse(account.stderr).errors.hint]).toEqual([
      2,
      expect.stringContaining("token search bonk"),
    ]);
  });

  it("in a file or pipe is one item of the batch: a bad one does not stop the others", async () => {
    const input = ["bonk", shared, JUP, "nosuchtoken", rare.symbol].join("\n");
    const words = ["token", "meta", "-", "-o", "ndjson", "--fields", "address"];
    const { code, stdout, stderr } = await run(words, { input });
    expect(code).toBe(10);
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).address),
    ).toEqual([BONK, JUP, rare.address]);
    const failures = stderr
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .filter(({ input: failed }) => failed);
    expect(failures.map(({ input: failed, errors }) => [failed, errors.code])).toEqual([
      [shared, "AMBIGUOUS_SYMBOL"],
      ["nosuchtoken", "UNKNOWN_SYMBOL"],
    ]);
  });

  it("is answered from the cache with --cache only", async () => {
    const cached = { SOLX_HOME: createTempFolder(), SOLX_CACHE: "on" };
    const words = ["token", "meta", rare.symbol, "--jq", ".address", "-q"];
    expect(await run(words, { env: cached })).toMatchObject({ code: 0 });
    const offline = await run([...words, "--cache", "only"], { env: cached });
    expect(offline).toMatchObject({ code: 0, stdout: `${rare.address}\n` });
    expect((await run(["token", "meta", "unseen", "--cache", "only"], { env: cached })).code).toBe(9);
  });

  it("is shown by solx show", async () => {
    const { stdout } = await run(["show", "jup", "-o", "json"]);
    expect(JSON.parse(stdout)).toMatchObject({ kind: "token", id: JUP, token: { symbol: "JUP" } });
    expect((await run(["show", shared])).code).toBe(2);
  });
});

describe("amounts", () => {
  const amountOf = async (words: readonly string[]) =>
    (await url(["account", "transfer", WALLET, ...words])).searchParams.getAll("amount[]");

  test.each([
    [
      ["--token", "usdc", "--amount", "1500000..2000000"],
      ["1500000", "2000000"],
    ],
    [
      ["--amount", "1.5usdc.."],
      ["1500000", "18446744073709551615"],
    ],
    [
      ["--token", USDC, "--amount", "..1.5usdc"],
      ["0", "1500000"],
    ],
    [
      ["--token", "bonk", "--amount", "1.5..2ui"],
      ["150000", "200000"],
    ],
  ])("%j", async (words, expected) => {
    expect(await amountOf(words)).toEqual(expected);
  });

  it("select the same rows in both notations", async () => {
    const holders = async (amount: readonly string[]) =>
      (await run(["token", "holders", "usdc", ...amount, "--limit", "20", "-o", "json"])).stdout;
    const rows = await holders(["--from-amount", "1000000000"]);
    expect(JSON.parse(rows).length).toBeGreaterThan(0);
    expect(await holders(["--from-amount", "1000usdc"])).toBe(rows);
    expect(await holders(["--from-amount", "1000ui"])).toBe(rows);
  });

  it("name the flag that is wrong", async () => {
    const failure = async (words: readonly string[]) => {
      const { code, stderr } = await run(["account", "transfer", WALLET, ...words], { isStderrTTY: true });
      expect(code, words.join(" ")).toBe(2);
      return stderr;
    };
    expect(await failure(["--token", "bonk", "--amount", "1usdc.."])).toContain("for --amount: expected");
    expect(await failure(["--amount", "1.2345678usdc.."])).toContain("expected at most 6 decimals, as USDC has");
    expect(await failure(["--amount", "1..2ui"])).toContain("--amount requires --token");
    expect(await failure(["--amount-ui", "1..2"])).toContain("--amount-ui is now --amount with whole units");
  });
});
