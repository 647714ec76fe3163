/** Typical tasks in the explorer: few keystrokes, and each key is named on the screen before it is pressed. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { JUPITER, OTHER_WALLET, USDC } from "../../src/catalogue/samples.ts";
import { runInProcess } from "../support/in-process.ts";
import { describeWith } from "../support/programs.ts";
import { sandboxEnv } from "../support/sandbox.ts";
import { createTempFolder } from "../support/solx.ts";
import { closeTours, Tour } from "../support/tour.ts";

const SIZE = { width: 120, height: 36 };
const env = sandboxEnv({
  SOLX_HOME: createTempFolder(),
  SOLX_SANDBOX: "on",
  SOLX_SANDBOX_NOW: "2024-07-05T12:00:00Z",
  TZ: "UTC",
});
/** A world of this size has lists of more than 10,000 rows. */
const LARGE = { SOLX_SANDBOX_SIZE: "3" };

/** Names of keys in hints, and in tmux. */
const TMUX_KEYS: Readonly<Record<string, string>> = { "↓": "Down" };

/** A person who only presses keys that the screen names. */
class Person {
  readonly #tour: Tour;
  /** Number of keys pressed and characters typed; pasting counts as none. */
  keystrokes = 0;

  constructor(args: readonly string[], { more = {}, folder = "." }: { more?: object; folder?: string } = {}) {
    this.#tour = new Tour(["explore", ...args], SIZE, { ...env, ...more }, folder);
  }

  /** Waits for a screen without pressing anything. */
  see(screen: RegExp): Promise<{ readonly text: string }> {
    return this.#tour.waitFor(screen);
  }

  /** Presses the key of a hint on the screen, such as `s sort`, and waits for the screen after it. */
  async press(hint: string, screen: RegExp): Promise<{ readonly text: string }> {
    await this.see(new RegExp(`(^|[ │›])${escapeRegExp(hint)}`, "m"));
    const key = hint.split(" ")[0] ?? "";
    this.keystrokes += 1;
    this.#tour.press(TMUX_KEYS[key] ?? key);
    return this.see(screen);
  }

  /** Presses a key that `?` lists. */
  async know(key: string, screen: RegExp): Promise<{ readonly text: string }> {
    this.keystrokes += 1;
    this.#tour.press(key);
    return this.see(screen);
  }

  /** Types into an input on the screen, a character at a time, and waits for the screen after them. */
  async type(text: string, screen: RegExp): Promise<void> {
    await this.see(/│ › /);
    for (const character of text) this.#tour.write(character);
    this.keystrokes += text.length;
    await this.see(screen);
  }

  async paste(text: string, screen: RegExp): Promise<{ readonly text: string }> {
    this.#tour.paste(text);
    return this.see(screen);
  }

  /** The current screen. */
  text(): string {
    return this.#tour.capture().text;
  }

  close(): void {
    this.#tour.close();
  }
}

const escapeRegExp = (text: string) => text.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");

async function query(...words: string[]) {
  const { code, stdout, stderr } = await runInProcess([...words, "-o", "json", "--quiet"], { env });
  expect({ code, stderr }, words.join(" ")).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

interface Transfer {
  readonly trans_id: string;
  readonly amount: number;
}

interface TransactionRow {
  readonly status: string;
  readonly signer: readonly [string];
  readonly tx_hash: string;
}

/** Returns a wallet, and the newest of its transactions that failed: on the first page of its list. */
async function findFailure(): Promise<readonly [wallet: string, signature: string]> {
  const hasFailed = ({ status }: TransactionRow) => status === "Fail";
  const all: readonly TransactionRow[] = await query("account", "transactions", JUPITER, "--limit", "200");
  for (const { signer } of all.filter(hasFailed)) {
    const page: readonly TransactionRow[] = await query("account", "transactions", signer[0], "--limit", "40");
    const failed = page.find(hasFailed);
    if (failed) return [signer[0], failed.tx_hash];
  }
  throw new Error("No wallet has a failed transaction.");
}

describeWith("tmux")("a task", () => {
  beforeAll(() => query("chaininfo"));
  afterAll(closeTours);

  test("the largest USDC payment to a wallet, its transaction, the holders of the token, the command: 17 keystrokes", async () => {
    const transfers = await query("account", "transfer", OTHER_WALLET, "--flow", "in", "--token", USDC, "--all");
    const largest = transfers.toSorted((a: Transfer, b: Transfer) => b.amount - a.amount)[0] as Transfer;
    // The transaction may have several.
    const received = transfers.filter(({ trans_id }: Transfer) => trans_id === largest.trans_id);
    const sum = received.reduce((total: number, { amount }: Transfer) => total + amount, 0) / 1e6;
    const person = new Person([OTHER_WALLET]);
    await person.see(/1 portfolio[\s\S]* SOL /);
    await person.press("3 transfers", / flow +amount/);
    await person.press("F filter form", /─ filter account transfer ─/);
    await person.type("usdc", /token +usdc +→ EPjF…Dt1v/);
    await person.press("↓ next field", /› +flow +any[\s\S]*\[any\] +in +out/);
    await person.press("Space", /› +flow +in[\s\S]* any +\[in\] +out/);
    await person.press("Enter apply", /token = USDC ✕ +flow = in ✕/);
    await person.press("L load more", /load +all · up to/);
    await person.press("Enter load", new RegExp(`all ${transfers.length} rows`));
    await person.press("s sort", /sorted by amount ↓/);
    await person.press(
      "Enter open transaction",
      new RegExp(`Value flow[\\s\\S]*\\+${sum.toLocaleString("en-US", { maximumFractionDigits: 6 })} +USDC`),
    );
    await person.press("O links", /─ Open ─[\s\S]*token USDC/);
    await person.press(/\d token USDC/.exec(person.text())?.[0] ?? "", /› token USDC[\s\S]*1 price/);
    await person.press("4 holders", / rank +owner +amount +share/);
    await person.press("! command", new RegExp(`solx.* token holders ${USDC}`));
    expect(person.keystrokes).toBeLessThanOrEqual(17);
    person.close();
  });

  test("a token by its name, its chart, its largest market, a CSV file: 6 keystrokes", async () => {
    const folder = createTempFolder();
    const person = new Person([], { folder });
    await person.see(/: search/);
    await person.press(": search", /─ go to ─/);
    await person.type("j", /Tokens +JUP /);
    await person.press("Enter open", /JUP in USD +\$[\d.]+[\s\S]*◂\$/);
    const { text } = await person.press("5 markets", / pool +.*volume 24h/);
    const volumes = [...text.matchAll(/^ .*? +(?:[\w.]+)\/\w+ .*? \$([\d.,]+)([KMB]?) /gm)].map(
      ([, number = "", unit = ""]) => Number(number.replace(",", "")) * 10 ** (3 * " KMB".indexOf(unit || " ")),
    );
    expect(volumes.length).toBeGreaterThan(1);
    expect(volumes[0]).toBe(Math.max(...volumes));
    await person.press("e export", /─ Export ─[\s\S]*format +csv/);
    await person.press("Enter save", /^(?![\s\S]*─ Export ─)[\s\S]*JUP\/wSOL/);
    await expect.poll(() => readdirSync(folder)).toHaveLength(1);
    const [file = ""] = readdirSync(folder);
    expect(readFileSync(join(folder, file), "utf8").split("\n")[0]).toMatch(/pool.*,/);
    expect(person.keystrokes).toBeLessThanOrEqual(6);
    person.close();
  });

  test("the chart of the token with the largest volume in 7 days: 8 keystrokes", async () => {
    const [largest] = await query("token", "list-v2", "--sort-by", "volume_7d");
    const person = new Person([]);
    await person.see(/: search/);
    await person.press(": search", /─ go to ─/);
    await person.type("vol7d", /token list-v2 --sort-by volume_7d/);
    await person.press("Enter open", /sorted by volume 7d ↓, by the API/);
    const { text } = await person.press("Enter open token", /› token \S+[\s\S]* in USD +\$[\d.]+[\s\S]*◂\$/);
    expect(text).toContain(largest.token_address);
    expect(person.keystrokes).toBeLessThanOrEqual(8);
    person.close();
  });

  test("why a transaction failed: none with its signature, 6 keystrokes from a wallet or for the last one", async () => {
    const [wallet, failed] = await findFailure();
    const person = new Person([wallet]);
    await person.see(/1 portfolio[\s\S]* SOL /);
    await person.press("7 transactions", / status +signature/);
    await person.press("x failed only", /status = Fail/);
    const { text } = await person.press("Enter open transaction", /✖ Instruction \d+ .*failed: .+/);
    expect(person.keystrokes).toBeLessThanOrEqual(6);
    expect(text).toContain(`${failed.slice(0, 4)}…`);
    const other = new Person([]);
    await other.see(/: search/);
    await other.paste(failed, /✖ Instruction \d+ .*failed: .+/);
    expect(other.keystrokes).toBe(0);
    const anyone = new Person([]);
    await anyone.press(": search", /─ go to ─/);
    await anyone.type("tx", /Open +transaction +Latest transactions/);
    await anyone.press("Enter open", /› transaction last[\s\S]* status /);
    await anyone.know("x", /status = Fail/);
    await anyone.press("Enter open transaction", /✖ .*failed: .+/);
    expect(anyone.keystrokes).toBeLessThanOrEqual(6);
    anyone.close();
    person.close();
    other.close();
  });

  test("how long the units last: 1 keystroke", async () => {
    const person = new Person([]);
    await person.see(/: search[\s\S]*U usage/);
    await person.press("U usage", /At this pace the units .+/);
    expect(person.keystrokes).toBe(1);
    person.close();
  });

  test("the end of a list of 10,000 rows and its total: 5 keystrokes", async () => {
    const person = new Person(["token", USDC], { more: LARGE });
    await person.see(/1 price[\s\S]*◂\$1\.00/);
    await person.press("6 transfers", /rows 1–100 /);
    await person.press("L load more", /load +all · up to/);
    await person.press("Enter load", /all \d\d,\d{3} rows · Σ amount [\d,.]+ USDC/);
    await person.press("G last row", / mint +\w{4}…\w{4}/);
    expect(person.keystrokes).toBeLessThanOrEqual(5);
    person.close();
  });

  test("the previous block, a collection, a program: 6 keystrokes", async () => {
    const person = new Person([]);
    await person.see(/: search[\s\S]*390204414/);
    await person.press("Enter open block", /› block 390204\d+/);
    await person.press("< previous block", /› block 390204\d+[\s\S]*parent +390204\d+/);
    await person.press(": search", /─ go to ─/);
    await person.type("c", /Open +collection /);
    await person.press("Enter open", /› nft collection-lists[\s\S]*floor/);
    await person.press("Enter open collection", /› collection \w+[\s\S]*1 items/);
    await person.paste(JUPITER, /› program Jupiter v6[\s\S]*1 activity/);
    expect(person.keystrokes).toBeLessThanOrEqual(6);
    person.close();
  });

  test("the biggest holder of a token and its wallet: 5 keystrokes; a mint by its symbol, a command: 5 and 1", async () => {
    const person = new Person([]);
    await person.see(/: search/);
    await person.press(": search", /─ go to ─/);
    await person.type("j", /Tokens +JUP /);
    await person.press("Enter open", /JUP Jupiter +JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN[\s\S]*◂\$/);
    expect(person.keystrokes).toBeLessThanOrEqual(5);
    await person.press("4 holders", / rank +owner +amount +share/);
    await person.press("Enter open account", /› account \w+[\s\S]*1 portfolio/);
    expect(person.keystrokes).toBeLessThanOrEqual(5);
    await person.press("! command", /─ solx command of this view ─/);
    expect(person.keystrokes).toBeLessThanOrEqual(6);
    person.close();
  });

  test("transfers of one token as a CSV file: 12 keystrokes", async () => {
    const folder = createTempFolder();
    const person = new Person([OTHER_WALLET], { folder });
    await person.see(/1 portfolio[\s\S]* SOL /);
    await person.press("3 transfers", / flow +amount/);
    await person.press("F filter form", /─ filter account transfer ─/);
    await person.type("usdc", /token +usdc +→ EPjF…Dt1v/);
    await person.press("Enter apply", /token = USDC ✕/);
    await person.know("e", /─ Export ─[\s\S]*format +csv/);
    await person.press("Enter save", /^(?![\s\S]*─ Export ─)[\s\S]*token = USDC/);
    await expect.poll(() => readdirSync(folder)).toHaveLength(1);
    const rows = readFileSync(join(folder, readdirSync(folder)[0] ?? ""), "utf8")
      .trim()
      .split("\n")
      .slice(1);
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.every((row) => row.includes(USDC))).toBe(true);
    expect(person.keystrokes).toBeLessThanOrEqual(12);
    person.close();
  });

  test("two tokens beside each other: 5 keystrokes from their list", async () => {
    const person = new Person(["token", "trending"]);
    await person.see(/ symbol +name [\s\S]* [1-9A-HJ-NP-Za-km-z]{43,44}/);
    await person.know("Space", /1 marked/);
    await person.know("Space", /2 marked/);
    await person.know("D", /Comparing rows/);
    await person.know("f", /change since[\s\S]*fields differ/);
    expect(person.keystrokes).toBeLessThanOrEqual(5);
    person.close();
  });

  test("a bookmark and back to it: 4 keystrokes, with the same rows", async () => {
    const person = new Person(["token", "trending"]);
    await person.see(/ symbol +name [\s\S]* [1-9A-HJ-NP-Za-km-z]{43,44}/);
    await person.press("s sort", /sorted by/);
    const rows = () =>
      [...person.text().matchAll(/^ +(\S+) +.* (\w{43,44})/gm)].map(([, symbol, mint]) => [symbol, mint]);
    const before = rows();
    const { keystrokes } = person;
    await person.know("b", /sorted by/);
    await person.know("B", /› bookmarks[\s\S]*Bookmarks +1/);
    await person.know("Enter", /bookmarks › token trending[\s\S]*sorted by/);
    expect(person.keystrokes - keystrokes).toBeLessThanOrEqual(4);
    expect(rows()).toEqual(before);
    person.close();
  });

  test("the validators, which only a node knows: 4 keystrokes to the reason", async () => {
    const person = new Person([]);
    await person.see(/: search/);
    await person.press(": search", /─ go to ─/);
    await person.type("val", /validators[^\n]*only with a node: --rpc/);
    expect(person.keystrokes).toBeLessThanOrEqual(4);
    person.close();
  });

  test("pasted text: no keystroke", async () => {
    const person = new Person([]);
    await person.see(/: search/);
    await person.paste("holders of a token", /─ go to ─[\s\S]*› holders of a token/);
    const other = new Person([]);
    await other.see(/: search/);
    await other.paste(`solx token holders ${USDC}`, /› solx token holders[\s\S]*Open +token holders/);
    expect([person.keystrokes, other.keystrokes]).toEqual([0, 0]);
    person.close();
    other.close();
  });
});
