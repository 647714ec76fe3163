/** Bookmarks of the explorer as commands. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { runInProcess } from "../support/in-process.ts";
import { createTempFolder } from "../support/solx.ts";

const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";
const ROUTE = { kind: "endpoint", endpointRoute: "v2-account-transfer", params: { address: WALLET, flow: "in" } };

let home: string;
beforeAll(() => {
  home = createTempFolder();
  const section = {
    bookmarks: [
      { name: "Incoming", route: ROUTE },
      { name: "All tokens", route: { kind: "endpoint", endpointRoute: "v2-token-list", params: {} } },
      { name: "wallet", route: { kind: "entity", entity: "account", id: WALLET } },
      {
        name: "largest",
        route: { kind: "entity", entity: "account", id: WALLET, tab: "transfers" },
        state: {
          transfers: {
            params: { flow: "in" },
            columns: ["trans_id"],
            sort: { column: "amount", isDescending: true },
            row: 3,
            page: { params: { page: 2 } },
          },
        },
      },
    ],
    lists: {
      "v2-account-transfer": { columns: ["block_time", "amount"] },
      "v2-token-list": { columns: ["symbol", "address"] },
    },
  };
  mkdirSync(join(home, "state"), { recursive: true });
  const file = join(home, "state", "explorer.json");
  writeFileSync(file, JSON.stringify({ scopes: { "sandbox solx": section } }));
});

const solx = (line: string | readonly string[]) =>
  runInProcess(typeof line === "string" ? line.split(" ") : line, {
    env: { SOLX_HOME: home, SOLX_SANDBOX_SIZE: "0.02" },
  });

describe("a view", () => {
  test("is listed with its command, for its data source", async () => {
    expect(JSON.parse((await solx("view --sandbox -o json")).stdout)).toEqual([
      { name: "Incoming", command: `account transfer ${WALLET} --flow in --fields block_time,amount` },
      { name: "All tokens", command: "token list --fields symbol,address" },
      { name: "wallet", command: `show ${WALLET}` },
      { name: "largest", command: `account transfer ${WALLET} --flow in --sort-by amount:desc --fields trans_id` },
    ]);
    const { stdout, stderr } = await solx("view -o json");
    expect([stdout.trim(), stderr]).toEqual(["[]", expect.stringContaining("No bookmarks yet")]);
  });

  test("runs its command with further options, before and after its name", async () => {
    const { code, stdout, stderr } = await solx(["--sandbox", "view", "all tokens", "--limit", "3", "-o", "csv"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [header, ...rows] = stdout.trim().split("\n");
    expect([header, rows.length]).toEqual(["symbol,address", 3]);
    expect(JSON.parse((await solx("view wallet --sandbox -o json")).stdout)).toMatchObject({ id: WALLET });
  });

  test("that is unknown is an error with the nearest name; errors of its command are those of the command", async () => {
    const failure = async (line: string) => JSON.parse((await solx(line)).stderr).errors;
    expect(await failure("view walet --sandbox")).toMatchObject({
      code: "UNKNOWN_VIEW",
      hint: expect.stringContaining("Did you mean wallet?"),
    });
    expect(await failure("view wallet --sandbox --nonsense")).toMatchObject({
      message: expect.stringContaining('unknown flag "--nonsense" for "solx show"'),
    });
  });
});
