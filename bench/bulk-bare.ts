/**
 * What a reader without solx does at best: asks for pages with undici, some ahead, parses them and prints their rows in
 * order as lines of JSON (digits that a double does not hold are lost).
 * Usage: node bench/bulk-bare.ts <url of the list> <pages> <requests under way>
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
let asked = 0;
for (let page = 1; page <= Number(pages); page += 1) {
  while (asked < Math.min(Number(pages), page - 1 + Number(ahead))) {
    asked += 1;
    waiting.push(read(asked));
  }
  const { data } = (await waiting.shift()) as { data: unknown[] };
  let text = "";
  for (const row of data) text += `${JSON.stringify(row)}\n`;
  if (!process.stdout.write(text)) await new Promise((resolve) => process.stdout.once("drain", resolve));
}
await pool.close();
