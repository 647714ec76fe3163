/** Data decoded by IDLs. */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { parseInstructionData } from "@codama/dynamic-parsers";
import { rootNodeFromAnchorWithoutDefaultVisitor } from "@codama/nodes-from-anchor";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isObject, type Json, type JsonObject } from "../../../src/base/index.ts";
import { encodeBase58, loadIdl } from "../../../src/chain/solana/index.ts";
import { bytesOf, dataOf, fieldsOf, littleEndian, sampleFields } from "./idl-values.ts";

const idl = await loadIdl();
const PROGRAM = "675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8";
const DISCRIMINATOR = [1, 2, 3, 4, 5, 6, 7, 8];
const ACCOUNTS = ["So11111111111111111111111111111111111111112", PROGRAM, "11111111111111111111111111111111"];

const hashed = (text: string): readonly number[] => [...createHash("sha256").update(text).digest().subarray(0, 8)];
const instruction = (...data: readonly (readonly number[])[]) => ({
  program: PROGRAM,
  accounts: ACCOUNTS,
  data: Uint8Array.from(data.flat()),
});

/** An IDL since Anchor 0.30 with one instruction, one account type and one event. */
const anchorIdl = (fields: readonly JsonObject[], types: readonly JsonObject[] = []): JsonObject => ({
  address: PROGRAM,
  metadata: { name: "sample", version: "0.1.0", spec: "0.1.0" },
  instructions: [
    {
      name: "do_it",
      discriminator: DISCRIMINATOR,
      accounts: [{ name: "pool" }, { name: "referrer", optional: true }],
      args: fields,
    },
  ],
  accounts: [{ name: "State", discriminator: DISCRIMINATOR }],
  events: [{ name: "State", discriminator: DISCRIMINATOR }],
  errors: [{ code: 6000, name: "TooLate", msg: "The order has expired" }],
  types: [...types, { name: "State", type: { kind: "struct", fields } }],
});

describe("arbitrary values", () => {
  test("instructions, accounts and events return what was encoded", () => {
    fc.assert(
      fc.property(sampleFields, (fields) => {
        const published = idl.readIdl(anchorIdl(fieldsOf(fields)));
        const data = Uint8Array.from([...DISCRIMINATOR, ...bytesOf(fields)]);
        expect(idl.decodeInstructionByIdl(published, instruction([...data]))).toEqual({
          kind: "instruction",
          name: "do_it",
          args: dataOf(fields),
          accounts: [{ name: "pool", address: ACCOUNTS[0] }],
          remaining: [ACCOUNTS[2]],
        });
        const state = { name: "State", data: dataOf(fields), standard: "anchorV30" };
        expect(idl.decodeAccountByIdl(published, data)).toEqual(state);
        expect(idl.decodeEventByIdl(published, data)).toEqual(state);
      }),
    );
  });

  test("the reference implementation returns the same", () => {
    fc.assert(
      fc.property(sampleFields, (fields) => {
        const published = anchorIdl(fieldsOf(fields));
        const data = Uint8Array.from([...DISCRIMINATOR, ...bytesOf(fields)]);
        const reference = parseInstructionData(referenceRoot(published) as never, data)?.data as Record<
          string,
          unknown
        >;
        const decoded = idl.decodeInstructionByIdl(idl.readIdl(published), instruction([...data]));
        expect(Object.values(decoded?.args ?? {}).map((node) => (isObject(node) ? plain(node.data) : node))).toEqual(
          Object.entries(reference).flatMap(([name, value]) => (name === "discriminator" ? [] : [plain(value)])),
        );
      }),
    );
  });

  test("a Codama IDL decodes as the Anchor IDL that it was made from", () => {
    fc.assert(
      fc.property(sampleFields, (fields) => {
        const published = anchorIdl(fieldsOf(fields));
        const codama = JSON.parse(JSON.stringify(rootNodeFromAnchorWithoutDefaultVisitor(published as never)));
        const data = instruction(DISCRIMINATOR, bytesOf(fields));
        const [a, b] = [published, codama].map((entry) => idl.decodeInstructionByIdl(idl.readIdl(entry), data));
        expect(Object.values(b?.args ?? {})).toEqual(Object.values(a?.args ?? { none: true }));
        expect(b).toMatchObject({ name: "doIt", accounts: a?.accounts });
      }),
    );
  });

  test("truncated and arbitrary data never throw, and do not decode as something shorter", () => {
    fc.assert(
      fc.property(sampleFields, fc.nat(), fc.uint8Array({ maxLength: 200 }), (fields, cut, noise) => {
        const published = idl.readIdl(anchorIdl(fieldsOf(fields)));
        const bytes = bytesOf(fields);
        const shorter = bytes.slice(0, bytes.length === 0 ? 0 : cut % bytes.length);
        const decoded = idl.decodeInstructionByIdl(published, instruction(DISCRIMINATOR, shorter));
        if (bytes.length > 0) expect(decoded).toBeUndefined();
        idl.decodeAccountByIdl(published, Uint8Array.from([...DISCRIMINATOR, ...noise]));
      }),
    );
  });
});

/** Returns the reference implementation's form of an IDL, with the empty lists that its decoder needs. */
function referenceRoot(published: JsonObject): unknown {
  const { program } = rootNodeFromAnchorWithoutDefaultVisitor(published as never);
  const lists = { pdas: [], definedTypes: [], events: [], ...program };
  const instructions = program.instructions?.map((node) => ({ arguments: [], ...node }));
  // Structures without fields are in the accounts only, which are not used.
  return { kind: "rootNode", additionalPrograms: [], program: { ...lists, accounts: [], instructions } };
}

/** Returns a value of either implementation with all numbers as text: they write different ones as numbers. */
function plain(value: unknown): Json {
  if (typeof value === "bigint" || typeof value === "number") return String(value);
  if (Array.isArray(value)) {
    if (value.length === 2 && value[0] === "base64" && typeof value[1] === "string") return value[1];
    return value.map(plain);
  }
  if (typeof value !== "object" || value === null) return value as Json;
  return "__option" in value ? ("value" in value ? plain(value.value) : null) : { unexpected: true };
}

describe("layouts that programs write by hand", () => {
  const types = [
    {
      name: "Fee",
      type: {
        kind: "struct",
        fields: [
          { name: "_padding", type: { array: ["u8", 2] } },
          { name: "bps", type: "u16" },
        ],
      },
    },
    {
      name: "Order",
      type: {
        kind: "enum",
        variants: [
          { name: "None" },
          { name: "Limit", fields: [{ name: "price", type: "u64" }] },
          { name: "Pair", fields: ["u8", { defined: { name: "Fee" } }] },
        ],
      },
    },
    { name: "Ticks", type: { kind: "struct", fields: ["u8", "u16"] } },
    {
      name: "Grid",
      generics: [
        { kind: "type", name: "T" },
        { kind: "const", name: "N", type: "usize" },
      ],
      type: { kind: "struct", fields: [{ name: "cells", type: { array: [{ generic: "T" }, { generic: "N" }] } }] },
    },
  ];
  const decode = (type: Json, bytes: readonly number[]) =>
    idl.decodeInstructionByIdl(idl.readIdl(anchorIdl([{ name: "it", type }], types)), instruction(DISCRIMINATOR, bytes))
      ?.args.it;

  test("structures, with the names that the IDL writes", () => {
    expect(decode({ defined: { name: "Fee" } }, [0, 0, 16, 39])).toEqual({
      type: { defined: { name: "Fee" } },
      data: { _padding: { type: { array: ["u8", 2] }, data: [0, 0] }, bps: { type: "u16", data: "10000" } },
    });
  });

  test.each([
    ["a variant without content", [0], "None"],
    [
      "a variant with fields",
      [1, ...littleEndian(2n ** 64n - 1n, 8)],
      { Limit: { price: { type: "u64", data: "18446744073709551615" } } },
    ],
    [
      "a variant with a tuple",
      [2, 7, 0, 0, 1, 0],
      {
        Pair: [
          { type: "u8", data: 7 },
          {
            type: { defined: { name: "Fee" } },
            data: { _padding: { type: { array: ["u8", 2] }, data: [0, 0] }, bps: { type: "u16", data: "1" } },
          },
        ],
      },
    ],
  ])("enumerations: %s", (_, bytes, data) => {
    expect(decode({ defined: { name: "Order" } }, bytes)).toMatchObject({ data });
    expect(decode({ defined: { name: "Order" } }, [3])).toBeUndefined();
  });

  test("tuples, generics and fixed options", () => {
    expect(decode({ defined: { name: "Ticks" } }, [1, 2, 0])).toMatchObject({
      data: [
        { type: "u8", data: 1 },
        { type: "u16", data: "2" },
      ],
    });
    const generics = [
      { kind: "type", type: "u8" },
      { kind: "const", value: "3" },
    ];
    expect(decode({ defined: { name: "Grid", generics } }, [4, 5, 6])).toMatchObject({
      data: { cells: { data: [4, 5, 6] } },
    });
    expect(decode({ vec: { coption: "u16" } }, [2, 0, 0, 0, 0, 0, 0, 0, 9, 9, 1, 0, 0, 0, 5, 0])).toMatchObject({
      type: { vec: { coption: "u16" } },
      data: [null, "5"],
    });
  });

  test("IDLs of Anchor before 0.30 derive discriminators from names", () => {
    const published = idl.readIdl({
      version: "0.1.0",
      name: "old",
      instructions: [
        {
          name: "swapBaseIn",
          accounts: [{ name: "user" }, { name: "pool", accounts: [{ name: "vault" }] }],
          args: [
            { name: "amountIn", type: "u64" },
            { name: "owner", type: "publicKey" },
          ],
        },
      ],
      accounts: [{ name: "PoolState", type: { kind: "struct", fields: [{ name: "fee", type: { defined: "Fee" } }] } }],
      types: [types[0] as JsonObject],
      events: [{ name: "Swapped", fields: [{ name: "amount", type: "i64", index: false }] }],
    });
    const key = new Uint8Array(32).fill(1);
    const data = instruction(hashed("global:swap_base_in"), littleEndian(5, 8), [...key]);
    expect(idl.decodeInstructionByIdl(published, data)).toEqual({
      kind: "instruction",
      name: "swapBaseIn",
      args: { amountIn: { type: "u64", data: "5" }, owner: { type: "pubkey", data: encodeBase58(key) } },
      accounts: [
        { name: "user", address: ACCOUNTS[0] },
        { name: "pool.vault", address: ACCOUNTS[1] },
      ],
      remaining: [ACCOUNTS[2]],
    });
    const state = idl.decodeAccountByIdl(published, Uint8Array.from([...hashed("account:PoolState"), 0, 0, 1, 0, 99]));
    expect(state && idl.toDataDecoded(state)).toEqual({
      name: "PoolState",
      data: {
        fee: { type: { defined: { name: "Fee" } }, data: expect.objectContaining({ bps: { type: "u16", data: "1" } }) },
      },
      idl_source: "on_chain",
      idl_standard: "anchorV29",
    });
    const event = [...hashed("event:Swapped"), ...littleEndian(-3, 8)];
    expect(idl.decodeEventByIdl(published, Uint8Array.from(event))).toMatchObject({
      name: "Swapped",
      data: { amount: { type: "i64", data: "-3" } },
    });
    const call = instruction([...Buffer.from("e445a52e51cb9a1d", "hex")], event);
    expect(idl.decodeInstructionByIdl(published, call)).toMatchObject({ kind: "event", name: "Swapped" });
  });

  test("a type that is not known affects only what contains it", () => {
    const published = anchorIdl([{ name: "it", type: "u512" }]);
    const other = { name: "other", discriminator: [9], accounts: [], args: [{ name: "fee", type: "u8" }] };
    const read = idl.readIdl({ ...published, instructions: [...(published.instructions as JsonObject[]), other] });
    expect(idl.decodeInstructionByIdl(read, instruction(DISCRIMINATOR, [1, 2, 3]))).toBeUndefined();
    expect(idl.decodeInstructionByIdl(read, instruction([9, 4]))?.args).toEqual({ fee: { type: "u8", data: 4 } });
  });
});
