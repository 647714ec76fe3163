/** `solx index`, and queries of indexes. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import parsePrometheus from "parse-prometheus-text-format";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { InterruptedError } from "../../src/base/index.ts";
import { type InProcessOptions, runInProcess } from "../support/in-process.ts";
import { FAULTS } from "../support/node/faults.ts";
import { useScenario } from "../support/node/use-test-node.ts";

const shared = useScenario();
const home = mkdtempSync(join(tmpdir(), "solx-index-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const solx = (line: string, options: InProcessOptions = {}) =>
  runInProcess(line.split(" "), { ...options, env: { SOLX_HOME: home, ...options.env } });
const json = async (line: string) => JSON.parse((await solx(line)).stdout);
/** Fields that say what a transaction does. */
const FIELDS = "tx_hash,parsed_instructions,sol_bal_change,token_bal_change,log_message,fee,compute_units_consumed";
const linesOf = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** Runs a command that does not end by itself until its output contains a text, then interrupts it. */
async function runUntil(line: string, text: string, meanwhile: (output: string) => Promise<void> = async () => {}) {
  const stop = new AbortController();
  let isReached = false;
  let failure: unknown;
  const onOutput = (output: string) => {
    if (isReached || !output.includes(text)) return;
    isReached = true;
    meanwhile(output)
      .catch((error: unknown) => {
        failure = error;
      })
      .finally(() => stop.abort());
  };
  const result = await solx(line, { signal: stop.signal, onOutput });
  if (failure) throw failure;
  return result;
}

beforeAll(async () => {
  const run = await solx(`index --rpc ${shared.node.url} --index story --from earliest --to now`);
  expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining("--index story") });
  expect(linesOf(run.stdout)).toEqual([
    expect.objectContaining({ kind: "start", from: "earliest", resumed: false }),
    expect.objectContaining({ kind: "progress", lag: 0, at_tip: true, bytes: expect.any(Number) }),
  ]);
});

test.each([
  ["--to 9999999", false, 130],
  ["--to 9999999", true, 143],
  ["", false, 0],
])("an interrupted run %s (terminated: %s) exits %d", async (range, terminated, code) => {
  const name = `stopped${code}`;
  const stop = new AbortController();
  const run = await solx(`index --rpc ${shared.node.url} --index ${name} --from earliest ${range}`.trim(), {
    signal: stop.signal,
    onOutput: (output) => {
      if (output.includes("progress")) stop.abort(new InterruptedError("Stopped.", { terminated }));
    },
  });
  expect(run).toMatchObject({ code, stderr: expect.stringContaining(`Saved in the index ${name}.`) });
  await solx(`index remove ${name}`);
});

describe("an index", () => {
  test.each(["account detail {alice}", "token holders {mint}", "account transfer {alice} --limit 20"])(
    "says what the node says: %s",
    async (line) => {
      const { addresses } = shared.scenario;
      const typed = line.replace(/\{(\w+)\}/, (_, name: "alice") => addresses[name]);
      const pick = "account,lamports,address,amount,owner,trans_id,from_address,to_address";
      const fromIndex = await solx(`${typed} --index story -o ndjson`);
      expect(fromIndex.code).toBe(0);
      const known = (text: string) =>
        linesOf(text).map((row) => Object.fromEntries(pick.split(",").map((name) => [name, String(row[name])])));
      expect(known(fromIndex.stdout)).toEqual(
        known((await solx(`${typed} --rpc ${shared.node.url} -o ndjson`)).stdout),
      );
    },
  );

  test("decodes instructions as the node does: all transactions of the story", async () => {
    const input = [...new Set(Object.values(shared.scenario.signatures).filter(Boolean))].join("\n");
    const read = (source: string) => solx(`tx detail - ${source} -o ndjson --fields ${FIELDS}`, { input });
    const [fromIndex, fromNode] = [await read("--index story"), await read(`--rpc ${shared.node.url}`)];
    expect([fromIndex.code, fromIndex.stderr]).toEqual([0, ""]);
    expect(linesOf(fromIndex.stdout)).toEqual(linesOf(fromNode.stdout));
    expect(fromIndex.stdout).toContain(`"type":"deposit","program_id":"${shared.scenario.addresses.vaultProgram}"`);
    expect(fromIndex.stdout).toContain('"note":{"type":"string","data":"rainy day"}');
  });

  test("knows the epochs of the cluster, and what stakes do in them", async () => {
    const { alice } = shared.scenario.addresses;
    const stakesOf = (source: string) =>
      solx(
        `account stake ${alice} ${source} --fields stake_account,status,voter,activation_epoch,deactivationEpoch,sol_balance`,
      );
    const [fromIndex, fromNode] = [await stakesOf("--index story"), await stakesOf(`--rpc ${shared.node.url}`)];
    const sorted = (text: string) =>
      JSON.parse(text)
        .map((row: unknown) => JSON.stringify(row))
        .sort();
    expect(sorted(fromIndex.stdout)).toEqual(sorted(fromNode.stdout));
    expect(sorted(fromIndex.stdout)).toHaveLength(2);
    const { node } = shared;
    const epoch = node.chain.epochOf(node.chain.blockAt("finalized").slot);
    expect(await json("chaininfo --index story")).toMatchObject({ currentEpoch: epoch });
  });

  test("does not say that accounts are empty which it has never seen", async () => {
    const { nftEdition: account } = shared.scenario.addresses;
    expect(await json(`account detail ${account} --index story`)).toEqual({ account, is_oncurve: false });
  });

  test("refuses what it does not know, with what is missing and who can answer", async () => {
    const { mint, collection } = shared.scenario.addresses;
    const refused = async (line: string) => {
      const { code, stderr } = await solx(`${line} --index story`);
      const { message, hint } = JSON.parse(stderr).errors;
      return [code, message, hint];
    };
    expect(await refused(`token price ${mint}`)).toEqual([
      ...[4, 'An index cannot answer "token price": it needs prices in US dollars, which no chain contains.'],
      "Use the API (omit --index).",
    ]);
    expect(await refused(`account data-decoded ${mint}`)).toEqual([
      ...[4, expect.stringMatching(/needs the data of accounts/), expect.stringMatching(/--rpc <node>/)],
    ]);
    expect(await json(`nft collection-items ${collection} --index story`)).not.toEqual([]);
  });

  test("is listed with its slots, and its gaps are ranges of slots", async () => {
    const [row] = await json("index list -o json");
    expect(row).toMatchObject({ name: "story", first_slot: 1000, commitment: "finalized", filter: null });
  });

  test("answers over HTTP", async () => {
    const { mint } = shared.scenario.addresses;
    const run = await runUntil("sandbox --index story --port 0", "url", async (output) => {
      const { url, key } = JSON.parse(output.split("\n")[0] ?? "");
      const answer = await fetch(`${url}/v2.0/token/meta?address=${mint}`, { headers: { token: key } });
      expect(await answer.json()).toMatchObject({ success: true, data: { address: mint, decimals: 6 } });
    });
    expect(run.code).toBe(0);
  });

  test("continues where it was interrupted", async () => {
    const { bob } = shared.scenario.addresses;
    const before = await json("index info story");
    const signature = await shared.node.airdrop(bob, 4242n);
    for (let at = 0; at < 40; at += 1) shared.node.chain.produceBlock();
    const run = await runUntil(`index --rpc ${shared.node.url} --index story`, '"at_tip":true');
    expect(run.code).toBe(0);
    expect(linesOf(run.stdout)[0]).toMatchObject({ kind: "start", from: before.last_slot + 1, resumed: true });
    const after = await json("index info story");
    expect([after.transactions, after.gaps]).toEqual([before.transactions + 1, []]);
    const [row] = await json(`account transfer ${bob} --limit 1 --index story`);
    expect(row).toMatchObject({ trans_id: signature, amount: 4242 });
  });

  test("tells monitoring how far it is, and whether its node answers", async () => {
    const { node } = shared;
    const read = async (output: string) => {
      const { url } = JSON.parse(output.split("\n").find((line) => line.includes('"health"')) ?? "{}");
      const families = parsePrometheus(await (await fetch(`${url}/metrics`)).text());
      const metrics = Object.fromEntries(families.map(({ name, metrics: [first] }) => [name, Number(first?.value)]));
      const health = await fetch(`${url}/health`);
      return { metrics, status: health.status, health: await health.json() };
    };
    const watched: Awaited<ReturnType<typeof read>>[] = [];
    const line = `index --rpc ${node.url} --index watched --from earliest --health 0`;
    const run = await runUntil(line, '"at_tip":true', async (output) => void watched.push(await read(output)));
    expect(run.code).toBe(0);
    const { slot } = node.chain.blockAt("finalized");
    expect(watched[0]).toMatchObject({
      metrics: { solx_index_up: 1, solx_index_slot: slot, solx_index_lag_slots: 0, solx_index_gaps: 0 },
      ...{ status: 200, health: { status: "ok", slot, lag: 0, gaps: 0 } },
    });
    expect(watched[0]?.metrics.solx_index_rows_total).toBeGreaterThan(100);
    const remove = node.fail(FAULTS.badGateway());
    const waiting = await runUntil(line, '"waiting"', async (output) => void watched.push(await read(output)));
    remove();
    expect([waiting.code, waiting.stdout.match(/"waiting"/g)?.length]).toEqual([0, 1]);
    expect(watched[1]).toMatchObject({ status: 503, metrics: { solx_index_up: 0 } });
    await solx("index remove watched");
  });

  test("is not made with other options than before", async () => {
    const run = await solx(`index --rpc ${shared.node.url} --index story --to now SOLX_COMMITMENT=confirmed`);
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining("another commitment")]);
  });
});

test("answers of an index with a gap say so, and its report, until the gap is filled", async () => {
  const { node } = shared;
  const slot = node.chain.blockAt("finalized").slot - 3;
  const remove = node.fail({ method: "getBlock", when: ([at]) => at === slot, ...FAULTS.longTermStorageGap(slot) });
  const line = `index --rpc ${node.url} --index lacking --from earliest --to now`;
  const lacking = linesOf((await solx(line)).stdout);
  expect(lacking).toContainEqual({ kind: "gap", from: slot, to: slot, reason: "missing" });
  expect(lacking.at(-1)).toMatchObject({ kind: "progress", gaps: 1, missing_slots: 1 });
  const query = `account transfer ${shared.scenario.addresses.alice} --index lacking --all --fail-on incomplete`;
  const incomplete = await solx(query);
  expect([incomplete.code, incomplete.stderr]).toEqual([10, expect.stringContaining("lacks the slots from")]);
  const holders = await solx(`token holders ${shared.scenario.addresses.mint} --index lacking`);
  expect(holders.stderr).toMatch(/lacks the slots from .+: balances, holders and supplies may be older/);
  remove();
  const filled = linesOf((await solx(line)).stdout).map(({ kind }) => kind);
  expect(filled).toEqual(["start", "gap", "progress", "filled", "progress"]);
  expect(await solx(query)).toMatchObject({ stderr: expect.not.stringContaining("lacks") });
  await solx("index remove lacking");
});

test.each([
  ["index", /needs a Solana node/],
  ["index --rpc {url} --from later", /invalid value "later" for --from: expected a slot, earliest or now/],
  ["index --rpc {url} --from 9 --to 8", /--to 8 is before --from 9/],
  ["index --rpc {url} --keep 1h", /invalid value "1h" for --keep: expected a duration from 2d, such as 30d/],
  ["index --rpc {url} --health x", /--health/],
  ["index --rpc {url} --mint x", /invalid value "x" for --mint/],
  ["index --rpc {url} SOLX_COMMITMENT=processed", /processed/],
  ["sandbox --index story --seed x", /--seed is an option of the simulated chain/],
])("%s is refused", async (line, message) => {
  const { code, stderr } = await solx(line.replace("{url}", shared.node.url));
  expect([code, JSON.parse(stderr).errors.message]).toEqual([2, expect.stringMatching(message)]);
});

test("several nodes are used by the index, and refused elsewhere", async () => {
  const { url } = shared.node;
  const nodes = `--rpc http://127.0.0.1:9,${url}`;
  const run = await solx(`index ${nodes} --index several --from earliest --to now`);
  expect([run.code, linesOf(run.stdout).map(({ kind }) => kind)]).toEqual([0, ["failover", "start", "progress"]]);
  expect((await json("index info several")).last_slot).toBe(shared.node.chain.blockAt("finalized").slot);
  const refused = await solx(`chaininfo ${nodes}`);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("only solx index uses several")]);
  await solx("index remove several");
});

test("names of the address book select what is indexed", async () => {
  const { alice } = shared.scenario.addresses;
  await solx(`names add alice ${alice}`);
  const run = await solx(`index --rpc ${shared.node.url} --index named --account Alice --from earliest --to now`);
  expect(run.code).toBe(0);
  const again = await solx(`index --rpc ${shared.node.url} --index named --account ${alice} --to now`);
  expect(again.code).toBe(0);
  await solx("index remove named");
});

test("an index that does not exist is an error that names the others", async () => {
  const run = await solx("token list --index stori");
  expect([run.code, JSON.parse(run.stderr).errors]).toEqual([
    5,
    expect.objectContaining({ hint: "Did you mean story?" }),
  ]);
});

test("a removed index is gone", async () => {
  await solx(`index --rpc ${shared.node.url} --index gone --to now`);
  expect((await json("index list")).map(({ name }: { name: string }) => name)).toEqual(["gone", "story"]);
  expect(await json("index remove gone")).toMatchObject({ removed: "gone" });
  expect((await json("index list")).map(({ name }: { name: string }) => name)).toEqual(["story"]);
  expect((await solx("index remove gone")).code).toBe(5);
});
