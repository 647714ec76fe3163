/** The types of the client: checked by the type check, never run. */
import { type Client, createClient, type raw, type Transfer } from "../../src/index.ts";
import { startSandbox } from "../../src/library-sandbox.ts";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_is: Equal<A, B>) => {};

const client = createClient();
const address = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";

export async function parameters() {
  await client.account.transfer({ address, flow: "in", page_size: 100, activity_type: ["ACTIVITY_SPL_TRANSFER"] });
  await client.account.transfer({ address, from_time: "7d", to_time: new Date(), amount: [1n, "2.5"], token: address });
  await client.token.holders({ address, page: 2 }, { signal: AbortSignal.timeout(1000), timeout: 5 });
  await client.chaininfo();
  await client.monitor.usage();
  await client.token.list();
  await client.legacy.account.tokens({ account: address });
  await client.legacy.block.detail({ block: 1 });
  // @ts-expect-error the address is required
  await client.account.transfer({ flow: "in" });
  // @ts-expect-error arguments are required
  await client.account.transfer();
  // @ts-expect-error no such parameter
  await client.account.transfer({ address, flows: "in" });
  // @ts-expect-error no such value
  await client.account.transfer({ address, flow: "inwards" });
  // @ts-expect-error no such page size
  await client.account.transfer({ address, page_size: 7 });
  // @ts-expect-error a range has two values
  await client.account.transfer({ address, amount: [1] });
  // @ts-expect-error no such endpoint
  await client.account.transfers({ address });
  // @ts-expect-error no such group
  await client.accounts.transfer({ address });
  await client.chaininfo({ signal: AbortSignal.timeout(1000) });
  // @ts-expect-error no parameters
  await client.chaininfo({ nope: 1 });
  // @ts-expect-error no parameters
  await client.monitor.usage({ foo: "bar" });
  // @ts-expect-error legacy paths are under legacy
  await client.account.tokens({ account: address });
}

export async function answers() {
  const transfers = await client.account.transfer({ address });
  const first = transfers[0];
  if (first) {
    same<typeof first.amount, bigint>(true);
    // @ts-expect-error no such field
    first.amout;
    same<unknown, ReturnType<typeof raw>[string]>(true);
    same<typeof first.from_address, string>(true);
  }
  const detail = await client.account.detail({ address });
  same<typeof detail.lamports, bigint>(true);
  const holders = await client.token.holders({ address });
  same<(typeof holders.items)[number]["address"], string>(true);
  const info = await client.chaininfo();
  same<typeof info.absoluteSlot, number>(true);
  for await (const row of client.account.transfer({ address }).rows({ limit: 5 }))
    same<typeof row.trans_id, string>(true);
  for await (const row of client.account.transfer({ address })) same<typeof row.amount, bigint>(true);
  for (const row of await client.account.transfer({ address }).all({ limit: 5 })) same<typeof row.amount, bigint>(true);
  const latest = await client.account.transfer({ address }).first();
  same<typeof latest, Transfer | undefined>(true);
  // @ts-expect-error one object is no list
  client.token.meta({ address }).pages();
  for await (const page of client.token.list().pages()) same<(typeof page.rows)[number]["symbol"], string>(true);
  const answer = await client.token.meta({ address }).answer();
  same<typeof answer.status, number>(true);
}

export async function numbers() {
  const big: Client<"bigint"> = createClient({ numbers: "bigint" });
  const detail = await big.account.detail({ address });
  same<typeof detail.lamports, bigint>(true);
  same<typeof detail.account, string>(true);
  const holders = await big.token.holders({ address });
  same<(typeof holders.items)[number]["amount"], bigint>(true);
  same<(typeof holders.items)[number]["rank"], number>(true);
  same<typeof holders.total, number>(true);
  for await (const { supply, decimals } of big.token.search({ keyword: "usdc" }).rows()) {
    same<typeof decimals, number>(true);
    // @ts-expect-error a bigint is not a number
    Math.round(supply);
  }
  const meta = await createClient({ numbers: "string" }).token.meta({ address });
  same<typeof meta.supply, string>(true);
  same<typeof meta.decimals, number>(true);
  // @ts-expect-error no such mode
  createClient({ numbers: "decimal" });
}

export async function sandbox() {
  const server = await startSandbox({ seed: "mine", size: 0.1, plan: "lite", faults: ["500:10%"], port: 0 });
  same<string, typeof server.url>(true);
  same<string, typeof server.key>(true);
  const local = createClient({ baseUrl: server.url, key: server.key });
  await local.close();
  await server.close();
  // @ts-expect-error no such plan
  await startSandbox({ plan: "gold" });
  createClient({
    transport: { send: async ({ url }) => ({ url, status: 200, headers: {}, body: "{}" }), close: async () => {} },
  });
}
