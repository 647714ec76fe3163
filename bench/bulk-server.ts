/**
 * An endless wallet on loopback: answers `account transfer` and `account metadata/multi` cheaply, from one prepared body
 * whose rows get other signatures, slots and times for each page. Newest first, several rows per second, in pages of up
 * to 100 rows below `to_time`.
 * Prints its addresses as a line of JSON: `{"url": …, "slow": …}`; the slow one delays each answer.
 * Usage: node bench/bulk-server.ts <rows> <delay-ms>
 */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const ROWS = Number(process.argv[2] ?? 1_000_000);
const DELAY = Number(process.argv[3] ?? 50);
const PAGE = 100;
const ROWS_A_SECOND = 7;
/** The time of the newest row. */
const NEWEST = 1_760_000_000;
const DIGITS = 10;
const SLOT_DIGITS = 9;
const SIGNATURE = "AAAAAAAAAAUxY6K9oMZy4c2Q54igpjUByZh5rHnELgCHorosH8EM28fNGHBcEkMYnzTSXksFNdYFBoxyk5vQ";

/** Typical amounts: a few in a hundred exceed 2^53, or have more digits than a double. */
const AMOUNTS = ["4742113", "42709757120", "1", "83698386", "340566972171", "5000000000", "999999", "2039280"];
const EXACT = ["18446744073709551615", "9007199254740993", "123456789012345678"];
const VALUES = ["0.00474211", "12.5", "0", "1834.223", "6.1e-7", "0.9998"];

const amountOf = (row: number) => (row % 33 === 7 ? EXACT[((row / 33) % 3) | 0] : AMOUNTS[row % AMOUNTS.length]);

const row = (at: number) =>
  `{"block_id":000000000,"trans_id":"${SIGNATURE}","block_time":0000000000,"time":"2025-10-09T08:53:20.000Z",` +
  `"activity_type":"ACTIVITY_SPL_TRANSFER","from_address":"5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1",` +
  `"from_token_account":"6RJ78Nus3uyR1T9xWvLtv6DSAUAYE4zKN6z59BJx1615","to_address":"2iXU6RKbcXdxsFSAyjg96V7xykrJwDAeZs23V5EZLSZd",` +
  `"to_token_account":"2DCqsefQoFmRqrhWLr9QMryeaCtRvdeE1Acew8suCCMk","token_address":"So11111111111111111111111111111111111111112",` +
  `"token_decimals":9,"amount":${amountOf(at)},"flow":"${at % 3 ? "in" : "out"}","value":${VALUES[at % VALUES.length]}}`;

const TEMPLATE = Array.from({ length: PAGE }, (_, at) => row(at));
const HEAD = '{"success":true,"data":[';
const TAIL = "]}";
const whole = Buffer.from(`${HEAD}${TEMPLATE.join(",")}${TAIL}`);
/** Offsets of the parts of each row in the body. */
const places = TEMPLATE.map((text, at) => {
  const start = HEAD.length + TEMPLATE.slice(0, at).reduce((sum, { length }) => sum + length + 1, 0);
  const inRow = (mark: string) => start + text.indexOf(mark) + mark.length;
  const [slot, id, time] = [inRow('"block_id":'), inRow('"trans_id":"'), inRow('"block_time":')];
  return { slot, id, time, end: start + text.length };
});

function digits(body: Buffer, end: number, count: number, value: number): void {
  let rest = value;
  for (let at = end + count - 1; at >= end; at -= 1) {
    body[at] = 48 + (rest % 10);
    rest = Math.floor(rest / 10);
  }
}

/** Returns a page of rows, numbered from the newest. */
function pageOf(first: number, count: number): Buffer {
  if (count <= 0) return Buffer.from(HEAD + TAIL);
  const body = Buffer.from(whole);
  for (let at = 0; at < count; at += 1) {
    const { slot, id, time } = places[at] as (typeof places)[number];
    const number = first + at;
    const second = NEWEST - Math.floor(number / ROWS_A_SECOND);
    digits(body, slot, SLOT_DIGITS, second - 1_500_000_000);
    digits(body, id, DIGITS, number);
    digits(body, time, DIGITS, second);
  }
  if (count === PAGE) return body;
  const end = places[count - 1]?.end ?? 0;
  body.write(TAIL, end, "latin1");
  return body.subarray(0, end + TAIL.length);
}

function transfers(query: URLSearchParams): Buffer {
  const number = (name: string, otherwise: number) => Number(query.get(name) ?? otherwise);
  const size = Math.min(PAGE, number("page_size", 10));
  const behind = NEWEST - number("to_time", NEWEST);
  const ahead = NEWEST - number("from_time", 0);
  const begin = Math.max(0, behind) * ROWS_A_SECOND + (number("page", 1) - 1) * size;
  const end = Math.min(ROWS, (ahead + 1) * ROWS_A_SECOND);
  return pageOf(begin, Math.min(size, end - begin));
}

const labels = (query: URLSearchParams) => {
  const items = query.getAll("address[]").flatMap((text) => text.split(","));
  const data = items.map((address) => ({
    account_address: address,
    account_label: "A",
    account_tags: ["wallet"],
  }));
  return Buffer.from(JSON.stringify({ success: true, data }));
};

function answer(address: string, response: ServerResponse): void {
  const [path = "", query] = address.split("?");
  const body = (path.endsWith("/transfer") ? transfers : labels)(new URLSearchParams(query));
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body);
}

async function listen(delay: number): Promise<string> {
  const server = createServer({ keepAliveTimeout: 60_000 }, ({ url = "" }, response) => {
    if (delay > 0) setTimeout(() => answer(url, response), delay);
    else answer(url, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

process.stdout.write(`${JSON.stringify({ url: await listen(0), slow: await listen(DELAY) })}\n`);
