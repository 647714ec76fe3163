/** Timeouts, cancellation and errors: node stop-and-timeout.ts <address> */
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

// Any AbortSignal cancels a call, here one with a timeout for the whole list.
const signal = AbortSignal.timeout(60_000);
const transfers = await Array.fromAsync(client.account.transfer({ address }).rows({ limit: 25, signal }));
console.log(`${transfers.length} transfers`);

const aborted = new AbortController();
aborted.abort();
const attempts = [
  ["aborted", () => client.account.detail({ address }, { signal: aborted.signal })],
  ["invalid address", () => client.account.detail({ address: "invalid" })],
  ["no server", () => createClient({ baseUrl: "http://127.0.0.1:1", retries: 0 }).chaininfo()],
] as const;
for (const [name, attempt] of attempts) {
  try {
    await attempt();
  } catch (error) {
    if (!(error instanceof SolxError)) throw error;
    // `exit` is the kind of error, `code` the API's error code or a name, `hint` how to fix it.
    const retry = error.retryable ? "retryable" : "not retryable";
    const where = error instanceof NetworkError ? " (network)" : "";
    console.log(`${name}: ${error.name} ${error.exit} ${error.code}, ${retry}${where}`);
  }
}
await client.close();
