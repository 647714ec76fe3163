/** Prints the labels of accounts, one address per line of stdin: node many-wallets.ts < addresses.txt */
import { createInterface } from "node:readline";
import { createClient, endpointByRoute } from "solx";

const client = createClient({ key: process.env.SOLX_API_KEY, baseUrl: process.env.SOLX_BASE_URL });

const endpoint = endpointByRoute("v2-account-metadata");
if (!endpoint) throw new Error("This version does not know the endpoint.");

// A request contains twenty addresses, and at most a thousand are pending: the input may have any length.
for await (const { input, data, error } of client.many(endpoint, createInterface(process.stdin))) {
  const { account_label: label = "" } = (data ?? {}) as { readonly account_label?: string };
  console.log(`${input}\t${error ? `! ${error.message}` : label}`);
}
await client.close();
