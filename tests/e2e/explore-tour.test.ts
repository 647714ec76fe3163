/** A tour of the explorer in a real terminal: all screens at four sizes, and typical navigation. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { OTHER_WALLET, SIGNATURE, USDC } from "../../src/catalogue/samples.ts";
import { runInProcess } from "../support/in-process.ts";
import { IS_OLDEST } from "../support/oldest-node.ts";
import { describeWith } from "../support/programs.ts";
import { sandboxEnv } from "../support/sandbox.ts";
import { createTempFolder } from "../support/solx.ts";
import { closeTours, findLayoutProblems, type Screenshot, type Size, Tour } from "../support/tour.ts";
import { OVERLAYS, PLAIN_PAGES, ROWS, SECTIONS, TABBED_PAGES } from "../support/tour-pages.ts";

const env = sandboxEnv({
  SOLX_HOME: createTempFolder(),
  SOLX_SANDBOX: "on",
  SOLX_SANDBOX_NOW: "2024-07-05T12:00:00Z",
  TZ: "UTC",
});
const EXPLORE = ["explore"];
const WEEK = ["--from-time", "7d", "--all"];
const TOKENS = ["token", "list", "--all"];
/** Escape sequences for colors, erasing, queries, the clipboard and the bell; bidirectional and hidden text; many combining marks; very long names. */
const TROUBLES = [
  /\u001B\[[\d;]*m/,
  /\u001B\[\d*J/,
  /\u001B\[c/,
  /\u001B\]52/,
  /\u0007/,
  /[\u202A-\u202E]/,
  /\u200B/,
  /\p{M}{8}/u,
  /^.{1000}/s,
];
type Environment = ReturnType<typeof sandboxEnv>;

async function ask(...words: string[]) {
  return askIn(env, ...words);
}

async function askIn(env: Environment, ...words: string[]) {
  const { code, stdout, stderr } = await runInProcess([...words, "-o", "json", "--quiet"], { env });
  expect({ code, stderr }, words.join(" ")).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

const USUAL: Size = { width: 80, height: 24 };
const SIZES: readonly Size[] = IS_OLDEST
  ? [USUAL]
  : [{ width: 60, height: 15 }, USUAL, { width: 120, height: 40 }, { width: 200, height: 60 }];

const MIDDLE: Size = { width: 100, height: 30 };
/** Timeout of a whole tour on a busy machine. */
const PATIENCE = 240_000;

describeWith("tmux")("a tour of the explorer", () => {
  beforeAll(() => ask("chaininfo"));
  afterAll(closeTours);

  test.each(SIZES)(
    "every screen meets the layout rules at $width × $height",
    async (size) => {
      const tour = new Tour(EXPLORE, size, env);
      await tour.waitFor(/390204414/, "home");
      for (const [at, name] of SECTIONS.entries()) await section(tour, at + 1, name);
      for (const { words, crumb, tabs } of TABBED_PAGES) {
        await tour.open(words, crumb);
        for (const [at, [name, shows]] of tabs.entries()) await tour.tab(at + 1, name, shows);
      }
      await tour.open(`token meta ${USDC}`, /token USDC[\s\S]*price +\$1/);
      for (const [words, shows] of PLAIN_PAGES) await tour.open(words, shows);
      for (const [name, key, shows] of OVERLAYS) {
        tour.press(key);
        await tour.waitFor(shows, name);
        tour.press("Escape");
        await tour.waitUntilGone(shows);
      }
      tour.close();
    },
    PATIENCE,
  );

  test("finds the largest transfer of a wallet, and returns to the shell with its command", async () => {
    const tour = new Tour(["explore", OTHER_WALLET, "--sandbox"], { width: 120, height: 40 }, env);
    const transfers = await ask("account", "transfer", OTHER_WALLET, "--flow", "in", "--token", USDC, ...WEEK);
    const [largest] = transfers.sort((a: Transfer, b: Transfer) => Number(b.amount) - Number(a.amount));
    await tour.waitFor(/account ob2h…Ungk[\s\S]*3 transfers/);
    await tour.tab(3, "transfers", /FLOW[\s\S]* in /i);
    tour.press("F");
    await field(tour, "token");
    tour.write(USDC);
    await field(tour, "time");
    tour.write("7d..");
    await tour.waitFor(/time +7d\.\. +→ 2024-06-28/);
    await field(tour, "flow");
    tour.press("Space");
    await tour.waitFor(/any +\[in\] +out/, "filter");
    tour.press("Enter");
    await tour.waitFor(new RegExp(`\\b${transfers.length} rows`), "filtered");

    // The column of the amount is selected, because lists of transfers are compared by it.
    tour.press("s", "g");
    const sorted = await tour.waitFor(/amount↓/, "sorted");
    expect(firstRow(sorted)).toContain(`${largest.trans_id.slice(0, 4)}…`);

    tour.press("Enter");
    await tour.waitFor(/Value flow[\s\S]*USDC/, "overview");
    tour.press("Escape");
    const screenBefore = withoutAges(sorted);
    await tour.until(
      (screenshot) => (withoutAges(screenshot) === screenBefore ? [] : [`expected\n${screenBefore}`]),
      "back",
    );

    tour.press("!");
    const popup = await tour.waitFor(/─ solx command of this view ─/, "command");
    const rows: Transfer[] = await ask(...commandIn(popup));
    expect(rows.map(({ trans_id }) => trans_id)).toContain(largest.trans_id);
    expect(rows.every((row) => row.token_address === USDC && row.flow === "in")).toBe(true);
    tour.close();
  });

  test("hostile text has no effect", async () => {
    const hostile = { ...env, SOLX_SANDBOX_HOSTILE: "on" };
    const tokens: { address: string; name: string }[] = await askIn(hostile, ...TOKENS);
    const tour = new Tour(EXPLORE, MIDDLE, hostile);
    const { title } = await tour.waitFor(/390204414/, "hostile home");
    // One name of each kind of attack.
    const bad = new Set(TROUBLES.flatMap((pattern) => tokens.find(({ name }) => pattern.test(name)) ?? []));
    expect(bad.size).toBeGreaterThan(1);
    for (const section of ["2", "3"]) {
      tour.press(section);
      harmless(await tour.until(findLayoutProblems, `hostile section ${section}`), title);
    }
    for (const { address } of bad) {
      await tour.open(`token ${address}`, /1 price/);
      harmless(await tour.tab(1, "price"), title);
      harmless(await tour.tab(6, "transfers", ROWS), title);
      harmless(await tour.tab(9, "history"), title);
      harmless(await tour.tab(10, "about", /decimals/), title);
    }
    tour.close();
  });

  test("a network failure is reported with the key to retry", async () => {
    const offline = { SOLX_HOME: createTempFolder(), SOLX_RETRIES: "0", SOLX_BASE_URL: "http://127.0.0.1:1" };
    const tour = new Tour(EXPLORE, MIDDLE, offline);
    await tour.waitFor(/cannot be reached[\s\S]*r retry/, "offline");
    await tour.open(OTHER_WALLET, /cannot be reached[\s\S]*r retry/);
    tour.close();
  });

  test("waits after too many requests, and then shows the answer", async () => {
    const faults = { ...env, SOLX_SANDBOX_FAULTS: "429:retry-after=5@v2-account-transfer#1" };
    const tour = new Tour([...EXPLORE, OTHER_WALLET], MIDDLE, faults);
    await tour.waitFor(/ob2h…Ungk[\s\S]*3 transfers/);
    tour.press("3");
    await tour.waitFor(/waiting \d s, until \d\d:\d\d:\d\d/, "429");
    await tour.waitFor(/FLOW[\s\S]* in /i, "after 429");
    tour.close();
  });

  test("keeps old rows while a request is slow, and Esc does not wait", async () => {
    const faults = { ...env, SOLX_SANDBOX_FAULTS: "latency=300s@v2-account-transfer#2-99" };
    const tour = new Tour(EXPLORE, MIDDLE, faults);
    await tour.waitFor(/390204414/);
    await tour.open(OTHER_WALLET, /account ob2h…Ungk/);
    await tour.tab(3, "transfers", /FLOW[\s\S]* in /i);
    tour.press("r");
    await tour.until(({ text }) => (/Refreshing…[\s\S]* in /.test(text) ? [] : ["rows during the request"]), "slow");
    tour.press("Escape");
    await tour.waitFor(/FLOW[\s\S]* in /i, "stopped");
    tour.press("Escape");
    await tour.waitFor(/solx home [\s\S]*390204414/);
    tour.close();
  });

  test("many resizes end in the screen of a new start", async () => {
    const tour = new Tour([...EXPLORE, SIGNATURE], { width: 120, height: 40 }, env);
    await tour.waitFor(/Value flow/);
    for (let step = 0; step < 40; step += 1) {
      tour.resize({ width: 61 + ((step * 37) % 139), height: 16 + ((step * 17) % 44) });
      tour.press(["j", "Tab", "G", "k", "l", "Space"][step % 6] ?? "g");
    }
    tour.resize(MIDDLE);
    tour.press("1");
    await tour.waitFor(/Balance changes/);
    tour.press("g");
    const fresh = new Tour([...EXPLORE, SIGNATURE], MIDDLE, env);
    await fresh.waitFor(/Value flow/);
    await tour.until((screenshot) => {
      // Times and costs in the header differ, and so does the link under the cursor in the footer.
      const bodyOf = ({ lines }: Screenshot) =>
        lines.slice(1, -2).map((line) => line.replace(/ +\S+ requests?, .* units$/, ""));
      const expected = bodyOf(fresh.capture());
      return [...findLayoutProblems(screenshot), ...bodyOf(screenshot).filter((line, at) => line !== expected[at])];
    }, "after the storm");
    tour.close();
    fresh.close();
  });
});

interface Transfer {
  readonly amount: number;
  readonly flow: string;
  readonly token_address: string;
  readonly token_decimals: number;
  readonly trans_id: string;
}

/** Opens a section of the home page; in a narrow window, only one is visible. */
async function section(tour: Tour, number: number, name: string) {
  tour.press(String(number));
  await tour.until(
    (screenshot) => [
      ...(screenshot.width >= 120 ? [] : [`${number} ${name}`].filter((title) => !screenshot.styled.includes(title))),
      ...findLayoutProblems(screenshot),
    ],
    name,
  );
}

/** Moves to a field of the filter form. */
async function field(tour: Tour, name: string) {
  const at = new RegExp(`│ › +${name} {2,}`);
  let open: string | undefined;
  for (;;) {
    const before = open;
    // A screen captured in the middle of a frame may have no open field.
    const screenshot = await tour.until((now) => {
      const after = openField(now);
      return after === undefined || after === before ? ["the next field is not open"] : [];
    }, name);
    if (at.test(screenshot.text)) return;
    open = openField(screenshot);
    tour.press("Down");
  }
}

/** Returns the name of the open field, whose value may still change. */
const openField = ({ text }: Screenshot) => /│ › +(.+?) {2,}/.exec(text)?.[1];

/** Returns the first row of a list below its header. */
const firstRow = ({ lines }: Screenshot) => lines[lines.findIndex((line) => / time +flow /.test(line)) + 1];

/** Returns the screen between header and footer without values that change over time: ages and costs. */
const withoutAges = ({ lines }: Screenshot) =>
  lines
    .slice(1, -2)
    .map((line) => line.replace(/\d+[smhd] ago|now(?= )|(\d+ requests?, )?[\d,]+ units?/g, ""))
    // Later answers may have added names.
    .map((line) =>
      line
        .replace(/\S+ (?=\w{4}…\w{4})/g, "")
        .replaceAll(/\s+/g, " ")
        .trim(),
    )
    .join("\n");

/** Returns the arguments of the command in the popup. */
function commandIn({ lines }: Screenshot): string[] {
  const inside = lines.flatMap((line) => /│ (.*) │/.exec(line)?.[1]?.trim() ?? []);
  const end = inside.indexOf("");
  const command = inside.slice(0, end < 0 ? undefined : end).map((line) => line.replace(/ \\$/, ""));
  return command
    .join(" ")
    .split(" ")
    .slice(1)
    .filter((word) => !word.endsWith("solx.js"));
}

/** Checks that no control sequence reached the terminal, and no character that rearranges or hides text. */
function harmless({ text, title: now, bell }: Screenshot, title: string) {
  expect({ now, bell }).toEqual({ now: title, bell: false });
  expect(text).not.toMatch(/[\u001B\u0007\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2069]/);
}
