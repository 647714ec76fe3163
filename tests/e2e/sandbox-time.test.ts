/** A sandbox with a fixed time over HTTP: durations count from that time, as in process. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { OTHER_WALLET } from "../../src/catalogue/samples.ts";
import { createClient } from "../../src/index.ts";
import { startSandbox } from "../../src/library-sandbox.ts";
import { sandboxEnv } from "../support/sandbox.ts";
import { solx } from "../support/solx.ts";

const NOW = Date.UTC(2025, 2, 1);

test("durations count from the fixed time of the world", async () => {
  const env = sandboxEnv();
  const folder = join(String(env.SOLX_HOME), "cache");
  await using sandbox = await startedAt(folder);
  const client = createClient({ key: sandbox.key, baseUrl: sandbox.url, now: sandbox.now, numbers: "number" });
  const last = { from_time: "7d", page_size: 100 } as const;
  const rows = await client.account.transfer({ address: OTHER_WALLET, ...last });
  await client.close();
  expect(rows.length).toBeGreaterThan(0);

  const line = [
    "account",
    "transfer",
    OTHER_WALLET,
    "--from-time",
    "7d",
    "--page-size",
    "100",
    `SOLX_BASE_URL=${sandbox.url}`,
  ];
  const serverEnv = { SOLX_HOME: env.SOLX_HOME, SOLX_API_KEY: sandbox.key };
  const pinned = await solx(line, { env: { ...serverEnv, SOLX_SANDBOX_NOW: String(NOW / 1000) } });
  expect(JSON.parse(pinned.stdout)).toEqual(rows);
  const unpinned = await solx(line, { env: serverEnv });
  expect(JSON.parse(unpinned.stdout)).toEqual([]);
});

async function startedAt(folder: string) {
  const sandbox = await startSandbox({ port: 0, folder, size: 0.05, now: NOW / 1000 });
  return { ...sandbox, [Symbol.asyncDispose]: () => sandbox.close() };
}
