/** The richest accounts, from a node. */
import { afterEach, describe, expect, it } from "vitest";
import { isObject, type JsonObject } from "../../src/base/index.ts";
import { runInProcess } from "../support/in-process.ts";
import { FAULTS } from "../support/node/faults.ts";
import { useScenario } from "../support/node/use-test-node.ts";

const shared = useScenario();
afterEach(() => shared.node.clearFaults());

const leaderboard = (...flags: string[]) =>
  runInProcess(["account", "leaderboard", "--rpc", shared.node.url, ...flags]);

describe("account leaderboard of a node", () => {
  it("has the 20 accounts with the most SOL, in order, and says that there are others", async () => {
    const { stdout, stderr, code } = await leaderboard("--all", "-o", "json");
    const rows: readonly JsonObject[] = JSON.parse(stdout);
    const amounts = rows.map(({ lamports }) => Number(lamports));
    expect(rows.filter(isObject).length).toBe(20);
    expect(amounts).toEqual(amounts.toSorted((a, b) => b - a));
    expect(stderr).toContain("knows the 20 accounts with the most SOL only: the others are missing.");
    expect(code).toBe(0);
    expect((await leaderboard("--all", "--fail-on", "incomplete")).code).toBe(10);
  });

  it("has a column with SOL, and none of values", async () => {
    const { stdout } = await leaderboard("--page-size", "10", "-o", "table");
    expect(stdout.split("\n")[0]).toMatch(/Account\s+SOL\s*$/i);
  });

  it("refuses other orders", async () => {
    const { stderr, code } = await leaderboard("--sort-by", "stake_values");
    expect(stderr).toContain("sort");
    expect(code).toBe(2);
  });

  it("says that the node lacks the method", async () => {
    shared.node.fail({ ...FAULTS.gone(), method: "getLargestAccounts" });
    const { stderr, code, stdout } = await leaderboard();
    expect(stdout).toBe("");
    expect(stderr).toContain("getLargestAccounts");
    expect(code).toBe(4);
  });
});
