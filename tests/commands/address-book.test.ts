/** The user's names of addresses: the file, the commands, and names in place of addresses. */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { createAddressBook } from "../../src/commands/names/address-book.ts";
import { runInProcess } from "../support/in-process.ts";
import { createTempFolder } from "../support/solx.ts";

const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";
const OTHER = "2iXUd6pLkdVWkJUDoMLBEqdKEHSxNEY1wHc4Rha1LSZd";
const MINT = "JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN";

let home: string;
beforeEach(() => {
  home = createTempFolder();
});

type Options = Parameters<typeof runInProcess>[1];
const solx = (line: string | readonly string[], options: Options = {}) =>
  runInProcess(typeof line === "string" ? line.split(" ") : line, {
    ...options,
    env: { SOLX_HOME: home, SOLX_SANDBOX_SIZE: "0.02", ...options?.env },
  });
const failure = async (...args: Parameters<typeof solx>) => {
  const { code, stderr } = await solx(...args);
  return { code, ...JSON.parse(stderr).errors };
};
const book = () => JSON.parse(readFileSync(join(home, "names.json"), "utf8"));
const requestedUrl = async (line: string) => {
  const { code, stdout, stderr } = await solx(`${line} --dry-run -o json`);
  expect({ code, stderr }, line).toEqual({ code: 0, stderr: "" });
  return new URL(JSON.parse(stdout).url);
};

describe("the address book", () => {
  test("adds, lists, renames and removes names", async () => {
    expect(JSON.parse((await solx(`names add treasury ${WALLET}`)).stdout)).toEqual({
      name: "treasury",
      address: WALLET,
    });
    await solx(`names add Cold-2 ${OTHER}`);
    expect((await solx("names list -o csv")).stdout).toBe(`name,address\nCold-2,${OTHER}\ntreasury,${WALLET}\n`);
    expect((await solx("names rename TREASURY vault")).code).toBe(0);
    expect(book()).toEqual({ names: { "Cold-2": OTHER, vault: WALLET } });
    expect((await solx("names remove vault cold-2")).code).toBe(0);
    expect(book()).toEqual({ names: {} });
    if (process.platform !== "win32") expect(statSync(join(home, "names.json")).mode & 0o777).toBe(0o600);
  });

  test("lists whole addresses in tables, also where names replace them", async () => {
    await solx(`names add treasury ${WALLET}`);
    for (const format of ["table", "wide"]) {
      const { stdout } = await solx(`names list SOLX_NAMES=known -o ${format}`);
      expect(stdout).toMatch(new RegExp(`treasury +${WALLET}`));
      expect(stdout).not.toContain("★");
    }
  });

  test("keeps what it does not know, and changes of processes at the same time", async () => {
    const later = { version: 7, names: { "a name with spaces": WALLET, group: { of: [1] } } };
    writeFileSync(join(home, "names.json"), JSON.stringify(later));
    await Promise.all(Array.from({ length: 8 }, (_, at) => solx(`names add n${at} ${WALLET}`)));
    const { version, names } = book();
    expect(version).toBe(7);
    expect(names).toMatchObject({ "a name with spaces": WALLET, group: { of: [1] } });
    expect(Object.keys(names).filter((name) => /^n\d$/.test(name))).toHaveLength(8);
  });

  test.each([
    [`names add ${WALLET} ${OTHER}`, "it is an address"],
    [`names add usdc ${WALLET}`, "symbol of a token"],
    [`names add token ${WALLET}`, "page of the explorer"],
    [`names add @me ${WALLET}`, "letters, digits"],
    [`names add toly.sol ${WALLET}`, "letters, digits"],
    [`names add 123 ${WALLET}`, "letters, digits"],
    ["names add me nowhere", "invalid address"],
    ["names remove me", "No address has the name"],
  ])("refuses: %s", async (line, message) => {
    const error = await failure(line);
    expect(error).toMatchObject({ code: expect.any(String), message: expect.stringContaining(message) });
    expect((await solx(line)).code).toBe(2);
  });

  test("replaces the address of a name only with --clobber", async () => {
    await solx(`names add treasury ${WALLET}`);
    expect(await failure(`names add Treasury ${OTHER}`)).toMatchObject({
      code: "NAME_EXISTS",
      hint: expect.stringContaining("--clobber"),
    });
    await solx(`names add Treasury ${OTHER} --clobber`);
    expect(book()).toEqual({ names: { Treasury: OTHER } });
  });

  test.each(["json", "csv"])("imports what the list prints as %s", async (format) => {
    await solx(`names add treasury ${WALLET}`);
    await solx(`names add jupiter ${MINT}`);
    const { stdout } = await solx(`names list -o ${format}`);
    const before = book();
    home = createTempFolder();
    expect((await solx("names import -", { input: stdout })).code).toBe(0);
    expect(book().names).toEqual(before.names);
  });

  test.each([
    ["label,address", `label,address\nHot Wallet 2,${WALLET}\n`],
    ["address,name_tag,category", `address,name_tag,category\n${WALLET},Hot Wallet: 2,cex\n`],
    ["Account,Name Tag", `Account,Name Tag\n${WALLET},"Hot, Wallet #2"\n`],
    ["rows of JSON", JSON.stringify([{ account: WALLET, label: "Hót Wallet 2" }])],
    ["labels by address", JSON.stringify({ [WALLET]: "Hot Wallet 2" })],
    ["a label list", JSON.stringify({ [WALLET]: { name: "Hot Wallet 2", labels: ["cex"] } })],
  ])("imports names of other tools: %s", async (_, input) => {
    expect((await solx("names import -", { input })).code).toBe(0);
    expect(book()).toEqual({ names: { "Hot-Wallet-2": WALLET } });
  });

  test.each([
    ["letters of two scripts", "B\u0456nance"],
    ["letters of a style", "Ｂinance Hot"],
    ["the symbol of a token", "B0NK"],
  ])("imports no label that imitates a name without a question: %s", async (_, label) => {
    const input = JSON.stringify([
      { label: "Treasury", address: WALLET },
      { label, address: WALLET },
    ]);
    expect(await failure("names import -", { input })).toMatchObject({ code: "LOOKALIKE" });
    expect((await solx("names list")).stdout.trim()).toBe("[]");
  });

  test("imports 200,000 names", async () => {
    const input = `name,address\n${Array.from({ length: 200_000 }, (_, n) => `w${n},${WALLET}\n`).join("")}`;
    expect((await solx("names import -", { input })).code).toBe(0);
    expect(Object.keys(book().names)).toHaveLength(200_000);
    expect(await solx("names import -", { input })).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining("Checking"),
    });
  });

  test("shows the progress of an import on a terminal", async () => {
    const input = `name,address\n${Array.from({ length: 20_000 }, (_, n) => `w${n},${WALLET}\n`).join("")}`;
    const { code, stderr } = await solx("names import -", { input, isStderrTTY: true });
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/Checking names: 25 %.*Checking names: 75 %.*Storing 20,?000 names/s),
    ]);
  });

  test("imports all names of a file or none", async () => {
    const input = JSON.stringify({ first: WALLET, second: "nowhere" });
    expect(await failure("names import -", { input })).toMatchObject({ code: "INVALID_ADDRESS" });
    expect((await solx("names list")).stdout.trim()).toBe("[]");
  });

  test("that is damaged is reported where a name is used, and stays as it is", async () => {
    writeFileSync(join(home, "names.json"), '{"names": }');
    expect(await failure("account detail treasury --dry-run")).toMatchObject({ code: "CONFIG" });
    expect(await failure(`names add me ${WALLET}`)).toMatchObject({ code: "CONFIG" });
    expect((await solx(`account detail ${WALLET} --dry-run`)).code).toBe(0);
    expect(readFileSync(join(home, "names.json"), "utf8")).toBe('{"names": }');
  });
});

test("the explorer names addresses in the same book", async () => {
  const explorer = createAddressBook({ config: home }, new AbortController().signal, () => {});
  await solx(`names add treasury ${WALLET}`);
  expect([...explorer.names()]).toEqual([["treasury", WALLET]]);
  expect([...(await explorer.setName(WALLET, "vault"))]).toEqual([["vault", WALLET]]);
  await expect(explorer.setName(OTHER, "vault")).rejects.toMatchObject({ code: "NAME_EXISTS" });
  await expect(explorer.setName(OTHER, "usdc")).rejects.toMatchObject({ code: "INVALID_NAME" });
  await explorer.setName(WALLET, undefined);
  expect(book()).toEqual({ names: {} });
});

describe("a name", () => {
  beforeEach(async () => {
    await solx(`names add treasury ${WALLET}`);
    await solx(`names add jupiter ${MINT}`);
  });

  test("stands for its address in arguments, options and lists, in any case", async () => {
    const url = await requestedUrl("account transfer treasury --token jupiter,USDC --from Jupiter");
    expect(url.searchParams.get("address")).toBe(WALLET);
    expect(url.searchParams.get("token")).toMatch(new RegExp(`^${MINT},EPj`));
    expect(url.searchParams.get("from")).toBe(MINT);
    expect((await requestedUrl("token meta jupiter")).searchParams.get("address")).toBe(MINT);
  });

  test("stands for its address in files and pipes", async () => {
    const file = join(home, "wallets.txt");
    writeFileSync(file, `treasury\n${OTHER}\n`);
    for (const [line, input] of [
      [`account detail @${file}`, ""],
      ["account detail -", `treasury ${OTHER}`],
    ] as const) {
      const { stdout } = await solx(`${line} --dry-run -o ndjson`, { input });
      const addresses = stdout
        .trim()
        .split("\n")
        .map((row) => new URL(JSON.parse(row).url).searchParams.get("address"));
      expect(addresses).toEqual([WALLET, OTHER]);
    }
  });

  test("that is mistyped is suggested, for an item of a batch too", async () => {
    expect(await failure("account detail tresury --dry-run")).toMatchObject({
      code: "UNKNOWN_NAME",
      hint: expect.stringContaining("Did you mean treasury?"),
    });
    const { stdout } = await solx("account detail - --sandbox -o ndjson --batch inline", {
      input: `tresury\n${WALLET}`,
    });
    const [first, second] = stdout
      .trim()
      .split("\n")
      .map((row) => JSON.parse(row));
    expect(first).toMatchObject({ input: "tresury", error: { code: "UNKNOWN_NAME" } });
    expect(second.input).toBe(WALLET);
  });

  test("is recognised by show, before the symbol of a token", async () => {
    const { stdout } = await solx("show jupiter --dry-run -o json");
    expect(new URL(JSON.parse(stdout).url).searchParams.get("address")).toBe(MINT);
  });

  test("is in tables, with its own mark", async () => {
    const { stdout } = await solx(
      `account transfer treasury --sandbox --limit 3 SOLX_TABLE_STYLE=plain SOLX_NAMES=known -o table`,
      {
        terminal: 160,
      },
    );
    expect(stdout).toContain("★ treasury");
  });

  test("ending in .sol needs a Solana node", async () => {
    expect(await failure("account detail toly.sol")).toMatchObject({
      code: "DOMAIN_NEEDS_NODE",
      hint: "Add --rpc mainnet, or store the address under a name: solx names add toly toly.sol --rpc mainnet",
    });
  });
});
