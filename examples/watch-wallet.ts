/** Prints new transactions of a wallet until Ctrl-C: node watch-wallet.ts <address> [interval in seconds] [polls] */
import { setTimeout as sleep } from "node:timers/promises";
import { createClient, SolxError } from "solx";

const [address = "", seconds = "10", polls = "Infinity"] = process.argv.slice(2);
if (address === "") {
  console.error("Usage: node watch-wallet.ts <address> [interval in seconds] [polls]");
  process.exit(2);
}
const client = createClient({ key: process.env.SOLX_API_KEY, baseUrl: process.env.SOLX_BASE_URL });

const stop = new AbortController();
process.once("SIGINT", () => stop.abort());
const { signal } = stop;

/** Printed transactions; the list of an account starts with its newest ones. */
const printed = new Set<string>();

try {
  for (let poll = 0; poll < Number(polls); poll += 1) {
    if (poll > 0) await sleep(Number(seconds) * 1000, undefined, { signal });
    const latest = await client.account.transactions({ address, limit: 40 }, { signal });
    for (const { tx_hash, status, time } of latest.toReversed()) {
      if (printed.has(tx_hash)) continue;
      printed.add(tx_hash);
      console.log(time, status, tx_hash);
    }
  }
} catch (error) {
  // Ctrl-C is not an error. Temporary failures have been retried before they get here.
  if (!signal.aborted) {
    console.error(error instanceof SolxError ? `${error.message} ${error.hint ?? ""}` : error);
    process.exitCode = error instanceof SolxError ? error.exitCode : 1;
  }
} finally {
  await client.close();
}
