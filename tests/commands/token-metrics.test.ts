/** Commands of tokens with many metrics, with keywords, and with candles. */
import { expect, test } from "vitest";
import { TOKEN_METRIC_NAMES } from "../../src/catalogue/index.ts";
import { runInProcess } from "../support/in-process.ts";
import { useSandbox } from "../support/running-sandbox.ts";

const SOL = "So11111111111111111111111111111111111111112";
const sandbox = useSandbox();
const solx = (...argv: string[]) => runInProcess(argv, { env: sandbox.env() });
const rowsOf = async (...argv: string[]): Promise<readonly Record<string, unknown>[]> => {
  const { code, stdout, stderr } = await solx(...argv, "-o", "ndjson", "--quiet");
  expect([code, stderr]).toEqual([0, ""]);
  return stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
};

test("the help of one screen has a row for all minimums and one for all maximums", async () => {
  const { stdout } = await solx("token", "list-v2", "--help");
  expect(stdout.match(/--(from|to)-\S+ <n>/g)).toEqual(["--from-<metric> <n>", "--to-<metric> <n>"]);
  expect(stdout.split("\n").length).toBeLessThan(50);
});

test("the reference has every limit and every sort key, the complete help a line for each form", async () => {
  const help = (await solx("token", "list-v2", "--help-all")).stdout;
  expect(help.match(/--(from|to)-\S+ <n>/g)).toEqual(["--from-<metric> <n>", "--to-<metric> <n>"]);
  const { stdout } = await solx("docs", "v2-token-list-v2");
  for (const metric of TOKEN_METRIC_NAMES) {
    const flag = metric.replaceAll("_", "-");
    for (const end of ["from", "to"]) expect(stdout).toContain(`--${end}-${flag} <n>`);
    expect(stdout).toContain(metric);
  }
});

test("metrics filter and sort, as typed with hyphens and below zero", async () => {
  const flags = ["--from-price-24h-change-pct", "-5", "--to-num-holder", "60", "--sort-by", "num-holder"];
  const rows = await rowsOf("token", "screener", ...flags);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.every((row) => Number(row.price_24h_change_pct) >= -5 && Number(row.num_holder) <= 60)).toBe(true);
  const holders = rows.map(({ num_holder }) => Number(num_holder));
  expect(holders).toEqual(holders.toSorted((a, b) => b - a));
});

test("an unknown metric is refused without a list of all, with the nearest one", async () => {
  const { code, stderr } = await runInProcess(["token", "list-v2", "--sort-by", "volum_24h"], {
    env: sandbox.env(),
    isStderrTTY: true,
  });
  expect(code).toBe(2);
  expect(stderr).toContain('invalid value for --sort-by: The answer has no field "volum_24h".');
  expect(stderr).toContain("Did you mean volume_24h?");
  expect(stderr.length).toBeLessThan(400);
});

test("a keyword with spaces is one keyword, and each argument is another", async () => {
  const [bonk] = await rowsOf("token", "search", "bonk");
  expect(bonk).toMatchObject({ symbol: "BONK", is_verified: true });
  const [wrapped, ...others] = await rowsOf("token", "find", "wrapped sol");
  expect([wrapped?.address, others]).toEqual([SOL, []]);
  const both = await rowsOf("token", "search", "bonk", "Wrapped SOL");
  expect(both.map(({ symbol }) => symbol)).toEqual([bonk?.symbol, wrapped?.symbol]);
});

test("all candles are one list without repetitions, newest first", async () => {
  const times = (await rowsOf("token", "candles", SOL, "--res", "1d", "--all")).map(({ time }) => Number(time));
  expect(times.length).toBeGreaterThan(60);
  expect(times).toEqual([...new Set(times)].toSorted((a, b) => b - a));
});

test("statistics of what is no token are not found", async () => {
  const { code, stdout } = await solx("token", "stats", "4vKke3yeNm4CEDvxyq2auVVuCHzmSeFn3tzaPP4DZyA");
  expect([code, stdout]).toEqual([5, ""]);
});
