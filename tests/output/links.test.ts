/** Links in tables (OSC 8): on which terminals, to which pages, and never from data. */
import { describe, expect, it } from "vitest";
import { Transfer } from "../../src/catalogue/entities/index.ts";
import { createLinker, LINK_TERMINALS, supportsLinks } from "../../src/output/index.ts";
import { textWidth } from "../../src/output/text/width.ts";
import { runInProcess } from "../support/in-process.ts";
import { rows, SIGNATURE, USDC, WALLET, written } from "./helpers.ts";

const link = createLinker();
const COLUMNS = ["from_address", "token_address", "trans_id", "amount"];
const row = { trans_id: SIGNATURE, from_address: WALLET, token_address: USDC, token_decimals: 6, amount: 5 };
const LINK = /\u001B\]8;;([^\u0007]*)\u0007/g;
const linksIn = (text: string) => [...text.matchAll(LINK)].map(([, url]) => url).filter(Boolean);
const draw = async (options: object, list = [row]) =>
  (
    await written(
      rows(list),
      { format: "table", isTerminal: true, width: 120, link, ...options },
      { entity: Transfer, columns: COLUMNS },
    )
  ).text;

describe("links in tables", () => {
  it.each(["plain", "border", "markdown"] as const)(
    "lead to the page of each identifier, style %s",
    async (tableStyle) => {
      const text = await draw({ tableStyle });
      expect(linksIn(text)).toEqual([
        `https://solscan.io/account/${WALLET}`,
        `https://solscan.io/token/${USDC}`,
        `https://solscan.io/tx/${SIGNATURE}`,
      ]);
    },
  );

  it("do not change the text, nor its width", async () => {
    for (const tableStyle of ["plain", "border"] as const) {
      const [linked, bare] = [await draw({ tableStyle }), await draw({ tableStyle, link: undefined })];
      expect(linked.replace(LINK, "")).toBe(bare);
      expect(linked.split("\n").map(textWidth)).toEqual(bare.split("\n").map(textWidth));
    }
  });

  it("are in records too, and never in pipes", async () => {
    const record = { kind: "object", value: row } as const;
    const text = (await written(record, { format: "table", isTerminal: true, link }, { entity: Transfer })).text;
    expect(linksIn(text)).toContain(`https://solscan.io/tx/${SIGNATURE}`);
    expect(linksIn(await draw({ isTerminal: false }))).toEqual([]);
  });

  it("never contain what data says", async () => {
    const text = await draw({}, [{ ...row, from_address: "https://evil.example/\u0007", trans_id: "../../x" }]);
    expect(linksIn(text)).toEqual([`https://solscan.io/token/${USDC}`]);
    expect(linksIn(link("javascript:alert(1)", "account", "x"))).toEqual([]);
  });

  it("name the cluster", () => {
    expect(linksIn(createLinker("devnet")(WALLET, "account", "x"))).toEqual([
      `https://solscan.io/account/${WALLET}?cluster=devnet`,
    ]);
  });
});

describe("terminals with links", () => {
  it.each([
    [{ TERM_PROGRAM: "iTerm.app" }, true],
    [{ TERM_PROGRAM: "vscode" }, true],
    [{ VTE_VERSION: "7200" }, true],
    [{ VTE_VERSION: "4600" }, false],
    [{ TERM: "xterm-kitty" }, true],
    [{ WT_SESSION: "1" }, true],
    [{ TERM: "xterm-256color" }, false],
    [{ TERM: "xterm-kitty", TMUX: "/tmp/tmux" }, false],
    [{ TERM_PROGRAM: "vscode", CI: "true" }, false],
    [{ TERM: "dumb", TERM_PROGRAM: "vscode" }, false],
    [{}, false],
  ])("%j: %j", (env, isSupported) => {
    expect(supportsLinks("auto", env)).toBe(isSupported);
    expect(supportsLinks("always", env)).toBe(true);
    expect(supportsLinks("never", env)).toBe(false);
  });

  it("are listed once", () => {
    const names = LINK_TERMINALS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});

it("--links applies to terminals only, and the simulated chain has no pages", async () => {
  const print = async (args: readonly string[], terminal?: number) =>
    (await runInProcess(["token", "holders", USDC, "--sandbox", "-o", "table", ...args], terminal ? { terminal } : {}))
      .stdout;
  expect(linksIn(await print(["SOLX_LINKS=always"]))).toEqual([]);
  expect(linksIn(await print(["SOLX_LINKS=always"], 120))).toEqual([]);
  const { code, stderr } = await runInProcess(["token", "holders", USDC, "--sandbox", "SOLX_LINKS=sometimes"]);
  expect(code).toBe(2);
  expect(stderr).toContain("auto");
});
