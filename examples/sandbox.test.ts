/** Tests of a program that uses the API, without a key or network: node --test sandbox.test.ts */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Client, createClient, ServerError } from "solx";
import { startSandbox } from "solx/sandbox";

const WALLET = "ob2htHLoCu2P6tX7RrNVtiG1mYTas8NGJEVLaFEUngk";

/** The code under test: counts incoming transfers. */
async function incoming(client: Client, address: string): Promise<number> {
  let count = 0;
  for await (const _ of client.account.transfer({ address, flow: "in" }).rows({ limit: 50 })) count += 1;
  return count;
}

let sandbox: Awaited<ReturnType<typeof startSandbox>>;
let client: Client;

before(async () => {
  // The same seed and time give the same data in every run.
  sandbox = await startSandbox({ seed: "mine", size: 0.02, now: 1_782_864_000 });
  client = createClient({ baseUrl: sandbox.url, key: sandbox.key, now: sandbox.now, retries: 0 });
});
after(async () => {
  await client.close();
  await sandbox.close();
});

test("counts incoming transfers", async () => {
  assert.equal(await incoming(client, WALLET), 50);
  assert.equal(sandbox.requests().at(-1)?.route, "v2-account-transfer");
});

test("throws when the service fails", async () => {
  sandbox.setFaults(["500"]);
  await assert.rejects(incoming(client, WALLET), ServerError);
  sandbox.setFaults([]);
});
