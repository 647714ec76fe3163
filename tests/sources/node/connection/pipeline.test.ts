/** A client that uses a Solana node in place of the API: the same calls, answers and errors. */

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Endpoint, endpointByPath } from "../../../../src/catalogue/index.ts";
import type { ClientEvent } from "../../../../src/client/index.ts";
import type { ClientOptions } from "../../../../src/sources/index.ts";
import { failure, NOW, SIGNATURE } from "../../../client/servers.ts";
import { createExactClient } from "../../../support/exact-client.ts";
import { useScenario } from "../../../support/node/use-test-node.ts";
import { nodeClient } from "./node-server.ts";

const shared = useScenario();
const client = (options: ClientOptions = {}) => nodeClient(shared.node, options);
const NOBODY = "Config1111111111111111111111111111111111111";

/** Collects the pages of a list. */
async function collect<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) all.push(page);
  return all;
}

describe("the option rpc", () => {
  it.each([5, null, {}, new URL("http://127.0.0.1:1"), { url: "localnet", commitment: "soon" }])(
    "is refused by its name when it is %j",
    (rpc) => {
      const create = () => createExactClient({ rpc: rpc as unknown as string });
      expect(create).toThrow(expect.objectContaining({ exit: "usage", message: expect.stringMatching(/option rpc/) }));
    },
  );
});

describe("endpoints of a node", () => {
  it("are answered in the envelope of the API, with every digit", async () => {
    const { alice } = shared.scenario.addresses;
    const answer = await client().account.detail({ address: alice }).answer();
    expect(answer).toMatchObject({ status: 200, envelope: { success: true }, source: new URL(shared.node.url).host });
    expect(answer.data).toMatchObject({ account: alice, type: "system_account" });
    expect(answer.body).toContain('"rent_epoch":18446744073709551615');
  });

  it("take values from the path, also of raw requests", async () => {
    const { data } = await client().request("/v1.0/block/1005");
    expect(data).toMatchObject({ currentSlot: 1005 });
    expect(await client().legacy.block.detail({ block: 1005 })).toEqual(data);
  });

  it("are bytes where these are requested", async () => {
    const { alice } = shared.scenario.addresses;
    const { bytes, data } = await client().request(`/account/detail?address=${alice}`, { raw: true });
    expect(JSON.parse(Buffer.from(bytes as Uint8Array).toString())).toMatchObject({ data: { account: alice } });
    expect(data).toBeNull();
  });

  it("cost no compute units: single answers, lists and walks", async () => {
    const { alice, bob } = shared.scenario.addresses;
    const detail = endpointByPath("v2", "/account/detail") as Endpoint;
    const walk = endpointByPath("v2", "/account/transfer") as Endpoint;
    const user = client();
    const answers = [user.prepare(detail, { address: alice }), (await user.fetch(detail, { address: alice })).request];
    for await (const { answer } of user.pages(walk, { address: bob }, { limit: 3 })) answers.push(answer.request);
    for await (const { answer } of user.pages(walk, { address: bob })) answers.push(answer.request);
    expect(answers.length).toBeGreaterThan(3);
    expect(answers.map(({ cost }) => cost)).toEqual(answers.map(() => 0));
  });

  it("have no data for what does not exist, as the API", async () => {
    const error = await failure(client().transaction.detail({ tx: SIGNATURE }));
    expect(error).toMatchObject({ exit: "notFound", code: 404 });
    expect(error.message).toBe(`${new URL(shared.node.url).host} has no data for ${SIGNATURE}.`);
  });

  it("are refused with what to use instead where a node has nothing", async () => {
    const error = await failure(client().token.price({ address: NOBODY }));
    expect(error).toMatchObject({ exit: "permission", code: "NODE_UNSUPPORTED" });
    expect(error.message).toBe(
      'A Solana node cannot answer "token price": it needs prices in US dollars, which no chain contains.',
    );
    expect(error.hint).toMatch(/omit --rpc/);
  });

  it("refuse a parameter that a node cannot apply, by its name", async () => {
    const { alice } = shared.scenario.addresses;
    const error = await failure(client().account.portfolio({ address: alice, exclude_low_score_tokens: true }));
    expect(error).toMatchObject({ exit: "usage", code: "NODE_UNSUPPORTED" });
    expect(error.invalid).toEqual({ reason: "unsupported", parameter: "exclude_low_score_tokens" });
  });

  it("refuse a path that the catalogue does not have, and invalid values", async () => {
    expect(await failure(client().request("/no/such/path"))).toMatchObject({ exit: "usage", code: "NODE_UNSUPPORTED" });
    const invalid = await failure(client().request("/account/detail?address=short"));
    expect(invalid).toMatchObject({ exit: "usage", invalid: { parameter: "address" } });
  });

  it("match the catalogue, except for what a node does not know", async () => {
    const { alice } = shared.scenario.addresses;
    const events: ClientEvent[] = [];
    const strict = client({ strict: true, onEvent: (event) => events.push(event) });
    await strict.account.detail({ address: alice });
    expect(await strict.chaininfo()).toMatchObject({ absoluteSlot: expect.any(Number) });
  });

  it("send nothing to the API", async () => {
    const requests: string[] = [];
    const onEvent = (event: ClientEvent) => event.type === "request" && requests.push(event.url);
    await client({ key: "a-key-of-the-api", onEvent }).chaininfo();
    expect(new Set(requests)).toEqual(new Set([shared.node.url]));
  });

  it("have the limit of the node as the client's", async () => {
    const limited = client({
      rateLimiter: undefined,
      rpc: { url: shared.node.url, rate: { requests: 50, seconds: 60 } },
    });
    await limited.chaininfo();
    expect(limited.rateLimiter()?.remaining()).toMatchObject({ of: 50, seconds: 60 });
  });
});

describe("lists that a node walks", () => {
  it("are one page like any other, or all rows in pages that end", async () => {
    const address = shared.scenario.addresses.alice;
    const page = await client().account.transfer({ address, page_size: 10 });
    expect(page).toHaveLength(10);
    const pages = await collect(client().account.transfer({ address }).pages({ limit: 15 }));
    const rows = pages.flatMap((each) => each.rows);
    expect(rows).toHaveLength(15);
    expect(rows.slice(0, 10)).toEqual(page);
    expect(pages.at(-1)?.answer.request.endpoint?.route).toBe("v2-account-transfer");
  });

  it("continue from the state of a page, which is plain JSON, with another client", async () => {
    const address = shared.scenario.addresses.alice;
    const all = (await collect(client().account.transfer({ address }).pages({ limit: 15 }))).flatMap(
      ({ rows }) => rows,
    );
    const [first] = await collect(client().account.transfer({ address }).pages({ limit: 15 }));
    const resume = JSON.parse(JSON.stringify(first?.state()));
    const rest = (await collect(client().account.transfer({ address }).pages({ limit: 15, resume }))).flatMap(
      ({ rows }) => rows,
    );
    expect([...(first?.rows ?? []), ...rest]).toEqual(all);
  });

  it("have the columns of an export", async () => {
    const address = shared.scenario.addresses.alice;
    const [page] = await collect(client().account.transferExport({ address }).pages({ limit: 5 }));
    expect(page?.rows).toHaveLength(5);
    expect(Object.keys(page?.rows[0] ?? {})).toContain("Signature");
  });

  it("have one empty page where nothing happened", async () => {
    const lists = [
      client().account.transfer({ address: NOBODY }),
      client().account.transferExport({ address: NOBODY }),
    ];
    for (const list of lists) {
      const pages = await collect<{ readonly rows: readonly unknown[]; readonly hasMore: boolean | undefined }>(
        list.pages({ all: true }),
      );
      expect(pages).toMatchObject([{ rows: [], hasMore: false }]);
    }
  });

  it("end with the signal", async () => {
    const controller = new AbortController();
    controller.abort();
    const pages = client().account.transfer({ address: shared.scenario.addresses.alice });
    expect((await failure(collect(pages.pages({ limit: 15, signal: controller.signal })))).exit).toBe("interrupted");
  });
});

describe("answers of a node in the cache", () => {
  function temporaryFile(): string {
    const folder = mkdtempSync(join(tmpdir(), "solx-answers-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return join(folder, "cache.db");
  }
  const detail = async (options: ClientOptions, file: string, mode: "use" | "offline" = "use") => {
    const cached = client({ ...options, cache: { file, mode, local: true, now: () => NOW } });
    try {
      return await cached.transaction.detail({ tx: shared.scenario.signatures.solTransfer }).answer();
    } finally {
      await cached.close();
    }
  };

  it("are not those of another node, another commitment or the API", async () => {
    const file = temporaryFile();
    const url = shared.node.url;
    await detail({ rpc: url }, file);
    expect((await detail({ rpc: url }, file, "offline")).age).toBe(0);
    const others: ClientOptions[] = [
      { rpc: { url, commitment: "finalized" } },
      { rpc: `${url}/another-path` },
      { rpc: undefined, baseUrl: url },
    ];
    for (const other of others) {
      expect(await failure(detail(other, file, "offline"))).toMatchObject({ code: "OFFLINE" });
    }
  });

  it("never contain the key in its URL", async () => {
    const file = temporaryFile();
    await detail({ rpc: `${shared.node.url}/4f1c0dfe3e2b4aab?api-key=8812ab77cd` }, file);
    const bytes = readFileSync(file);
    expect(["4f1c0dfe3e2b4aab", "8812ab77cd"].filter((key) => bytes.includes(key))).toEqual([]);
  });
});
