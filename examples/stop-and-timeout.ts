/** Limits of time, and what failures say: node stop-and-timeout.ts <address> */
import { createClient, NetworkError, SolxError } from "solx";

const [address = ""] = process.argv.slice(2);
if (address === "") {
  console.error("Usage: node stop-and-timeout.ts <address>");
  process.exit(2);
}
const client = createClient({
  key: process.env.SOLX_API_KEY,
  baseUrl: process.env.SOLX_BASE_URL,
  timeouts: { connect: 5, firstByte: 10, idle: 10, total: 30 },
  retries: 1,
  maxWait: 20,
});

// Any AbortSignal stops a call, here one that fires when the whole reading takes too long.
const signal = AbortSignal.timeout(60_000);
const seen = await Array.fromAsync(client.account.transfer({ address }).rows({ limit: 25, signal }));
console.log(`${seen.length} transfers`);

const stopped = new AbortController();
stopped.abort();
const attempts = [
  ["stopped", () => client.account.detail({ address }, { signal: stopped.signal })],
  ["no such address", () => client.account.detail({ address: "nobody" })],
  ["no server there", () => createClient({ baseUrl: "http://127.0.0.1:1", retries: 0 }).chaininfo()],
] as const;
for (const [name, attempt] of attempts) {
  try {
    await attempt();
  } catch (error) {
    if (!(error instanceof SolxError)) throw error;
    // `exit` is the meaning, `code` the API's own number or a word, `hint` what to do.
    const again = error.retryable ? "may pass" : "will not pass";
    const where = error instanceof NetworkError ? " (network)" : "";
    console.log(`${name}: ${error.name} ${error.exit} ${error.code}, ${again}${where}`);
  }
}
await client.close();
