/** `solx account flow` on simulated data: rows, graphs, costs and refusals. */
import { describe, expect, it } from "vitest";
import {
  isObject,
  type Json,
  type JsonObject,
  numericText,
  parseJson,
  type RawNumber,
} from "../../../src/base/json.ts";
import { OTHER_WALLET as WALLET } from "../../../src/catalogue/samples.ts";
import { runInProcess } from "../../support/in-process.ts";

const solx = (...args: readonly string[]) => runInProcess(["SOLX_SANDBOX_NOW=2024-07-05T12:00:00Z", ...args]);
const flow = (...args: readonly string[]) => solx("account", "flow", ...args, "--sandbox");

async function rowsOf(...args: readonly string[]): Promise<readonly JsonObject[]> {
  const { code, stdout, stderr } = await flow(...args, "-o", "json");
  if (code !== 0) throw new Error(stderr);
  return (parseJson(stdout) as readonly Json[]).filter(isObject);
}

const amountOf = ({ amount }: JsonObject) => BigInt(numericText(amount as RawNumber | number));

describe("account flow", () => {
  it("prints the sums of all transfers of a wallet", async () => {
    const rows = await rowsOf(WALLET, "--depth", "1", "--breadth", "100", "--transfers", "10000", "--token", "USDC");
    const { stdout } = await solx("account", "transfer", WALLET, "--sandbox", "--all", "--token", "USDC", "-o", "json");
    const sums = new Map<string, bigint>();
    let count = 0;
    for (const row of (parseJson(stdout) as readonly Json[]).filter(isObject)) {
      const { from_address: from, to_address: to } = row;
      if (from === to) continue;
      count += 1;
      sums.set(`${from} ${to}`, (sums.get(`${from} ${to}`) ?? 0n) + amountOf(row));
    }
    const single = rows.filter(({ token_address: token }) => token !== null);
    expect(single.length).toBeGreaterThan(10);
    for (const row of single) expect(amountOf(row)).toBe(sums.get(`${row.from_address} ${row.to_address}`));
    expect(rows.reduce((sum, { transfers }) => sum + Number(transfers), 0)).toBe(count);
  });

  it("follows in one direction, to accounts that it names", async () => {
    const rows = await rowsOf(WALLET, "--flow", "in", "--min-value", "10", "--breadth", "60");
    const sources = new Set(rows.filter(({ to_address: to }) => to === WALLET).map(({ from_address: from }) => from));
    // The wallet itself may have paid those who paid it.
    const others = rows.filter(({ depth, to_address: to }) => depth === 1 && to !== WALLET);
    expect(
      others.filter(({ from_address: from, to_address: to }) => from !== WALLET || !sources.has(to as Json)),
    ).toEqual([]);
    const further = rows.filter(({ depth }) => depth === 2);
    expect(further.length).toBeGreaterThan(0);
    expect(further.every(({ to_address: to }) => sources.has(to as Json))).toBe(true);
    expect(rows.map(({ from_label: label }) => label)).toContainEqual(expect.stringMatching(/Hot Wallet/));
  });

  it("draws tables, CSV, Graphviz and Mermaid of the same flows", async () => {
    const args = [WALLET, "--depth", "1", "--breadth", "2"];
    const rows = await rowsOf(...args);
    const { stdout: csv } = await flow(...args, "-o", "csv");
    expect(csv.split("\n")[0]).toMatch(/^depth,from_address,from_label,to_address/);
    const { stdout: table } = await flow(...args, "-o", "table");
    expect(table.split("\n")[0]).toMatch(/^DEPTH +FROM +TO +ACCOUNTS +TRANSFERS +AMOUNT +TOKEN +VALUE +LAST/);
    const { stdout: dot } = await flow(...args, "-o", "dot");
    expect(dot).toMatch(/^digraph flow \{\n {2}rankdir=LR\n[\s\S]*\n\}\n$/);
    expect(dot.match(/ -> /g)).toHaveLength(rows.length);
    const { stdout: mermaid } = await flow(...args, "-o", "mermaid");
    expect(mermaid.startsWith("flowchart LR\n")).toBe(true);
    expect(mermaid.match(/ -->/g)).toHaveLength(rows.length);
  });

  it("states the cost before it is spent, and refuses what is too much", async () => {
    const { code, stderr } = await flow(WALLET, "--depth", "5", "--breadth", "10");
    expect([code, stderr]).toEqual([2, expect.stringContaining("up to 11111 wallets: more than 1000")]);
    const server = ["SOLX_BASE_URL=http://127.0.0.1:1", "SOLX_API_KEY=key-0123456789", "SOLX_CONFIRM_UNITS=100"];
    const refused = await solx(...server, "account", "flow", WALLET);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(
      /Reads up to 6 wallets: at most 30 requests, 3,000 compute units[\s\S]*NOT_CONFIRMED/,
    );
  });

  it("refuses values without prices, no wallet, and other formats of graphs with selections", async () => {
    const node = await solx("account", "flow", WALLET, "--min-value", "5", "--rpc", "http://127.0.0.1:1");
    expect([node.code, node.stderr]).toEqual([2, expect.stringContaining("--min-value needs prices")]);
    expect((await flow()).code).toBe(2);
    expect((await flow("nobody")).code).toBe(2);
    expect((await flow(WALLET, "-o", "dot", "--jq", ".")).stderr).toContain("cannot be combined with -o dot");
    expect((await flow(WALLET, "--depth", "0")).stderr).toContain("expected a whole number from 1 to 5");
  });

  it("says when only the newest transfers were read, and fails on request", async () => {
    const args = [WALLET, "--depth", "1", "--transfers", "100"];
    expect(await flow(...args)).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/newest 100 transfers of the wallet/),
    });
    expect((await flow(...args, "--fail-on", "incomplete")).code).toBe(10);
    const empty = await flow(WALLET, "--from-time", "2020-01-01", "--to-time", "2020-01-02", "--fail-on", "empty");
    expect(empty.code).toBe(11);
  });

  it("names arguments and flags as they are typed", async () => {
    const errorOf = async (...args: readonly string[]) => {
      const { code, stderr } = await flow(...args, "-o", "table");
      expect(code).toBe(2);
      return stderr;
    };
    expect(await errorOf()).toMatch(/missing argument <address>\s+For example: solx account flow /);
    expect(await errorOf("nosuch")).toContain('invalid value "nosuch" for <address>');
    expect(await errorOf(WALLET, "--flow", "up")).toContain('invalid value "up" for --flow: expected in or out');
    expect(await errorOf(WALLET, "--sort-by", "amount")).toContain("--sort-by has no effect on account flow");
  });

  it("takes hundreds of millions as the least value", async () => {
    expect(await rowsOf(WALLET, "--depth", "1", "--min-value", "250000000.5")).not.toContainEqual(
      expect.objectContaining({ accounts: 1 }),
    );
  });
});
