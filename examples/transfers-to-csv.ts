/** Writes the transfers of an account as CSV: node transfers-to-csv.ts <address> [since, such as 30d] */
import { pipeline } from "node:stream/promises";
import { createClient } from "solx";

const [address = "", since = "7d"] = process.argv.slice(2);
if (address === "") {
  console.error("Usage: node transfers-to-csv.ts <address> [since, such as 30d]");
  process.exit(2);
}
const client = createClient({ key: process.env.SOLX_API_KEY, baseUrl: process.env.SOLX_BASE_URL });

/** Pages are requested as lines are consumed: memory use is constant for lists of any length. */
async function* lines(): AsyncGenerator<string> {
  yield "time,flow,amount,decimals,token,from,to,transaction\n";
  for await (const row of client.account.transfer({ address, from_time: since })) {
    const time = new Date(row.block_time * 1000).toISOString();
    const parties = [row.token_address, row.from_address, row.to_address, row.trans_id];
    yield `${[time, row.flow ?? "", row.amount, row.token_decimals, ...parties].join(",")}\n`;
  }
}

try {
  await pipeline(lines, process.stdout, { end: false });
} catch (error) {
  // A reader such as `head` may close the pipe.
  if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
} finally {
  await client.close();
}
