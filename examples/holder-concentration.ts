/** Prints the share of a token's largest holders: node holder-concentration.ts <mint> [holders] */
import { createClient } from "solx";

const [address = "", count = "100"] = process.argv.slice(2);
if (address === "") {
  console.error("Usage: node holder-concentration.ts <mint> [holders]");
  process.exit(2);
}
const client = createClient({ key: process.env.SOLX_API_KEY, baseUrl: process.env.SOLX_BASE_URL });

const meta = await client.token.meta({ address });

/** Amounts are base units, which may exceed 2^53: they are bigints. */
let total = 0n;
let rank = 0;
const shares = new Map<number, string>();
for await (const holder of client.token.holders({ address }).rows({ limit: Number(count) })) {
  total += holder.amount;
  rank += 1;
  if ([1, 10, 50, 100].includes(rank)) shares.set(rank, percent(total, meta.supply));
}
shares.set(rank, percent(total, meta.supply));
await client.close();
for (const [top, share] of shares) console.log(`top ${top}: ${share} %`);

/** Returns a percentage with two decimals, rounded down. */
function percent(part: bigint, whole: bigint): string {
  const hundredths = whole === 0n ? 0n : (part * 10_000n) / whole;
  return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, "0")}`;
}
