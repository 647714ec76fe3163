/** Tells of new transactions of a wallet until Ctrl-C: node watch-wallet.ts <address> [seconds between looks] [looks] */
import { setTimeout as sleep } from "node:timers/promises";
import { createClient, SolxError } from "solx";

const [address = "", seconds = "10", looks = "Infinity"] = process.argv.slice(2);
if (address === "") {
  console.error("Usage: node watch-wallet.ts <address> [seconds between looks] [looks]");
  process.exit(2);
}
const client = createClient({ key: process.env.SOLX_API_KEY, baseUrl: process.env.SOLX_BASE_URL });

const stop = new AbortController();
process.once("SIGINT", () => stop.abort());
const { signal } = stop;

/** What was told already; the list of an account begins with its newest transactions. */
const told = new Set<string>();

try {
  for (let look = 0; look < Number(looks); look += 1) {
    if (look > 0) await sleep(Number(seconds) * 1000, undefined, { signal });
    const latest = await client.account.transactions({ address, limit: 40 }, { signal });
    for (const { tx_hash, status, time } of latest.toReversed()) {
      if (told.has(tx_hash)) continue;
      told.add(tx_hash);
      console.log(time, status, tx_hash);
    }
  }
} catch (error) {
  // Ctrl-C is no failure; what may pass was tried again before it came here.
  if (!signal.aborted) {
    console.error(error instanceof SolxError ? `${error.message} ${error.hint ?? ""}` : error);
    process.exitCode = error instanceof SolxError ? error.exitCode : 1;
  }
} finally {
  await client.close();
}
