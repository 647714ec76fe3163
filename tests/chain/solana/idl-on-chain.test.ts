/** IDLs on the chain: where they are found, and what happens when they are not usable. */
import { deflateSync, gzipSync } from "node:zlib";
import { type Address, address, createAddressWithSeed, getProgramDerivedAddress } from "@solana/kit";
import {
  findMetadataPda,
  getExternalDataEncoder,
  getMetadataEncoder,
  type MetadataArgs,
} from "@solana-program/program-metadata";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../../src/base/index.ts";
import { encodeBase58, loadIdl, type NodeConnection } from "../../../src/chain/solana/index.ts";

const { fetchIdl, fetchIdls } = await loadIdl();

const PROGRAM = address("JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4");
const OTHER = address("675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8");
const METADATA_PROGRAM = "ProgM6JCCvbYkfKqJYHePx4xxSUSqJp7rh8Lyv7nk7S";
const DOCUMENT = {
  address: PROGRAM,
  metadata: { name: "sample", spec: "0.1.0" },
  instructions: [{ name: "go", discriminator: [1], accounts: [], args: [] }],
};
const TEXT = JSON.stringify(DOCUMENT);
const utf8 = (text: string) => new TextEncoder().encode(text);

interface Account {
  readonly owner: string;
  readonly data: Uint8Array;
}

/** A node with these accounts only. */
function nodeWith(accounts: Readonly<Record<string, Account>>) {
  const calls: Json[][] = [];
  const node: NodeConnection = {
    name: "test",
    commitment: "finalized",
    now: () => 0,
    call: async (_method, params = []) => {
      const [addresses] = params as [string[]];
      calls.push(addresses);
      const value = addresses.map((key) => {
        const account = accounts[key];
        return account
          ? { owner: account.owner, data: [Buffer.from(account.data).toString("base64"), "base64"] }
          : null;
      });
      return { context: { slot: 1 }, value };
    },
    callMany: () => Promise.reject(new Error("not used")),
  };
  return { node, calls };
}

async function anchorAddress(program: Address): Promise<string> {
  const [baseAddress] = await getProgramDerivedAddress({ programAddress: program, seeds: [] });
  return createAddressWithSeed({ baseAddress, programAddress: program, seed: "anchor:idl" });
}

function anchorAccount(compressed: Uint8Array): Account {
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, compressed.length, true);
  // Accounts are larger than their content.
  return { owner: PROGRAM, data: Uint8Array.from([...new Uint8Array(40), ...length, ...compressed, 0, 0, 0]) };
}

const metadataAddress = async (program: Address) =>
  (await findMetadataPda({ program, authority: null, seed: "idl" }))[0] as string;

const metadataAccount = (fields: Partial<MetadataArgs>): Account => ({
  owner: METADATA_PROGRAM,
  data: Uint8Array.from(
    getMetadataEncoder().encode({
      program: PROGRAM,
      authority: null,
      mutable: true,
      canonical: true,
      seed: "idl",
      encoding: 1,
      compression: 0,
      format: 1,
      dataSource: 0,
      dataLength: fields.data?.length ?? 0,
      data: new Uint8Array(),
      ...fields,
    }),
  ),
});

test("a program without an IDL", async () => {
  await expect(fetchIdl(nodeWith({}).node, PROGRAM)).resolves.toEqual({ kind: "absent" });
});

test("Anchor's account", async () => {
  // The address that explorers show for the IDL of this program.
  expect(await anchorAddress(PROGRAM)).toBe("C88XWfp26heEmDkmfSzeXP7Fd7GQJ2j9dDTUsyiZbUTa");
  const key = await anchorAddress(PROGRAM);
  const { node } = nodeWith({ [key]: anchorAccount(deflateSync(TEXT)) });
  await expect(fetchIdl(node, PROGRAM)).resolves.toMatchObject({
    kind: "found",
    source: "anchor",
    address: key,
    document: DOCUMENT,
    idl: { name: "sample", standard: "anchorV30" },
  });
});

describe("the Program Metadata program", () => {
  const base64 = (bytes: Uint8Array) => utf8(Buffer.from(bytes).toString("base64"));
  test.each<[string, Partial<MetadataArgs>]>([
    ["plain text", { data: utf8(TEXT) }],
    ["bytes with zlib", { encoding: 0, compression: 2, data: deflateSync(TEXT) }],
    ["base64 with gzip", { encoding: 3, compression: 1, data: base64(gzipSync(TEXT)) }],
    ["base58", { encoding: 2, data: utf8(encodeBase58(utf8(TEXT))) }],
    ["no format", { format: 0, data: utf8(TEXT) }],
  ])("%s", async (_, fields) => {
    const key = await metadataAddress(PROGRAM);
    const { node } = nodeWith({ [key]: metadataAccount(fields) });
    await expect(fetchIdl(node, PROGRAM)).resolves.toMatchObject({
      kind: "found",
      source: "program-metadata",
      address: key,
      document: DOCUMENT,
    });
  });

  test("a part of another account", async () => {
    const data = getExternalDataEncoder().encode({ address: OTHER, offset: 3, length: TEXT.length });
    const { node } = nodeWith({
      [await metadataAddress(PROGRAM)]: metadataAccount({ dataSource: 2, data, dataLength: data.length }),
      [OTHER]: { owner: OTHER, data: utf8(`...${TEXT}...`) },
    });
    await expect(fetchIdl(node, PROGRAM)).resolves.toMatchObject({ kind: "found", document: DOCUMENT });
  });

  test("precedes Anchor's account, unless it cannot be used", async () => {
    const [metadata, anchor] = [await metadataAddress(PROGRAM), await anchorAddress(PROGRAM)];
    const anchorIdl = anchorAccount(deflateSync(TEXT));
    const both = nodeWith({ [metadata]: metadataAccount({ data: utf8(TEXT) }), [anchor]: anchorIdl });
    await expect(fetchIdl(both.node, PROGRAM)).resolves.toMatchObject({ source: "program-metadata" });
    const broken = nodeWith({ [metadata]: metadataAccount({ data: utf8("{") }), [anchor]: anchorIdl });
    await expect(fetchIdl(broken.node, PROGRAM)).resolves.toMatchObject({ kind: "found", source: "anchor" });
  });

  test.each<[string, Partial<MetadataArgs>, RegExp]>([
    ["a URL", { dataSource: 1, data: utf8("https://example.com/idl.json") }, /URL/],
    ["YAML", { format: 2, data: utf8("a: 1") }, /YAML/],
    ["text that is not JSON", { data: utf8("none") }, /not JSON/],
    ["JSON that is no IDL", { data: utf8("{}") }, /neither instructions nor accounts/],
    ["content that ends early", { data: utf8(TEXT), dataLength: 60_000 }, /too early/],
    ["a bomb", { encoding: 0, compression: 1, data: gzipSync(Buffer.alloc(16 * 2 ** 20, 32)) }, /too large/],
  ])("%s is not usable", async (_, fields, reason) => {
    const { node } = nodeWith({ [await metadataAddress(PROGRAM)]: metadataAccount(fields) });
    await expect(fetchIdl(node, PROGRAM)).resolves.toMatchObject({
      kind: "unusable",
      reason: expect.stringMatching(reason),
    });
  });
});

test("many programs need one request, and results are cached", async () => {
  const { node, calls } = nodeWith({ [await anchorAddress(PROGRAM)]: anchorAccount(deflateSync(TEXT)) });
  const results = await fetchIdls(node, [PROGRAM, OTHER, PROGRAM]);
  expect([...results].map(([program, { kind }]) => [program, kind])).toEqual([
    [PROGRAM, "found"],
    [OTHER, "absent"],
  ]);
  await fetchIdl(node, OTHER);
  expect(calls.map((addresses) => addresses.length)).toEqual([4]);
});

test("a failure is not cached", async () => {
  const { node } = nodeWith({});
  let failures = 1;
  const flaky: NodeConnection = {
    ...node,
    call: (method, params) => (failures-- > 0 ? Promise.reject(new Error("down")) : node.call(method, params)),
  };
  await expect(fetchIdl(flaky, PROGRAM)).rejects.toThrow("down");
  await expect(fetchIdl(flaky, PROGRAM)).resolves.toEqual({ kind: "absent" });
});

test("accounts with arbitrary content are not usable, and nothing throws", async () => {
  const [metadata, anchor] = [await metadataAddress(PROGRAM), await anchorAddress(PROGRAM)];
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 300 }), async (noise) => {
      const data = Uint8Array.from([2, ...noise]);
      const { node } = nodeWith({ [metadata]: { owner: METADATA_PROGRAM, data }, [anchor]: { owner: PROGRAM, data } });
      expect((await fetchIdl(node, PROGRAM)).kind).toBe("unusable");
    }),
    { numRuns: 50 },
  );
});
