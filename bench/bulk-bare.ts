/**
 * The fastest reader without solx: requests pages with undici, some in advance, parses them and prints their rows in
 * order as NDJSON. Digits beyond a double are lost.
 * Usage: node bench/bulk-bare.ts <list-url> <pages> <concurrency>
 */
import { Pool } from "undici";

const [address = "", pages = "100", ahead = "16"] = process.argv.slice(2);
const url = new URL(address);
const pool = new Pool(url.origin, { connections: Number(ahead), pipelining: 1 });

async function read(page: number): Promise<{ data: unknown[] }> {
  const { body } = await pool.request({ path: `${url.pathname}${url.search}&page=${page}`, method: "GET" });
  return JSON.parse(await body.text());
}

const waiting: Promise<{ data: unknown[] }>[] = [];
let requested = 0;
for (let page = 1; page <= Number(pages); page += 1) {
  while (requested < Math.min(Number(pages), page - 1 + Number(ahead))) {
    requested += 1;
    waiting.push(read(requested));
  }
  const { data } = (await waiting.shift()) as { data: unknown[] };
  let text = "";
  for (const row of data) text += `${JSON.stringify(row)}\n`;
  if (!process.stdout.write(text)) await new Promise((resolve) => process.stdout.once("drain", resolve));
}
await pool.close();
