/** IDLs that are written to do harm: reading them and decoding by them ends soon. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../src/base/index.ts";
import { loadIdl } from "../../../src/chain/solana/index.ts";

const { readIdl, decodeAccountByIdl, decodeEventByIdl, decodeInstructionByIdl } = await loadIdl();

const PROGRAM = "11111111111111111111111111111111";
const idlWith = (type: Json, types: readonly JsonObject[] = []): JsonObject => ({
  address: PROGRAM,
  instructions: [{ name: "go", discriminator: [1], accounts: [], args: [{ name: "it", type }] }],
  types,
});
const structOf = (name: string, ...fields: readonly Json[]): JsonObject => ({
  name,
  type: { kind: "struct", fields: fields.map((type, at) => ({ name: `f${at}`, type })) },
});
const defined = (name: string): Json => ({ defined: { name } });
const decode = (document: JsonObject, data: readonly number[] = []) =>
  decodeInstructionByIdl(readIdl(document), { program: PROGRAM, accounts: [], data: Uint8Array.from([1, ...data]) });

describe("decoding ends", () => {
  const doubled = Array.from({ length: 60 }, (_, at) =>
    structOf(`T${at}`, defined(`T${at + 1}`), defined(`T${at + 1}`)),
  );
  test.each<[string, JsonObject, number[]?]>([
    ["a type that contains itself", idlWith(defined("Loop"), [structOf("Loop", defined("Loop"))])],
    [
      "an absent option of a type that contains itself",
      idlWith({ coption: defined("A") }, [structOf("A", defined("A"))]),
      [0, 0, 0, 0],
    ],
    ["types that double sixty times", idlWith(defined("T0"), [...doubled, structOf("T60", "u8")]), [0]],
    ["sizes that double sixty times", idlWith({ coption: defined("T0") }, doubled), [0, 0, 0, 0]],
    ["a huge array of nothing", idlWith({ array: [{ array: ["u8", 0] }, 4_000_000_000] })],
    ["a huge list of nothing", idlWith({ vec: { tuple: [] } }), [255, 255, 255, 255]],
    ["a list of nothing to the end", idlWith({ vec: { tuple: [] }, size: "remainder" }), [1]],
    ["a generic type of itself", idlWith({ generic: "T" })],
    [
      "a generic type that nests itself",
      idlWith({ defined: { name: "G", generics: [{ kind: "type", type: "u8" }] } }, [
        {
          name: "G",
          generics: [{ kind: "type", name: "T" }],
          type: {
            kind: "struct",
            fields: [
              {
                name: "f",
                type: {
                  defined: {
                    name: "G",
                    generics: [
                      {
                        kind: "type",
                        type: { defined: { name: "G", generics: [{ kind: "type", type: { generic: "T" } }] } },
                      },
                    ],
                  },
                },
              },
            ],
          },
        },
      ]),
    ],
    ["a length beyond the data", idlWith("string"), [255, 255, 255, 127]],
  ])("%s", (_, document, data) => {
    expect(decode(document, data)).toBeUndefined();
  });

  test("names of JavaScript are names", () => {
    const document = idlWith(defined("constructor"), [structOf("toString", "u8")]);
    expect(decode(document)).toBeUndefined();
    const named = {
      ...idlWith("u8"),
      instructions: [{ name: "go", discriminator: [1], args: [{ name: "__proto__", type: "u8" }] }],
    };
    expect(JSON.stringify(decode(named, [7])?.args)).toBe('{"__proto__":{"type":"u8","data":7}}');
  });
});

test("types that are nested without end are refused", () => {
  let type: Json = "u8";
  for (let depth = 0; depth < 1500; depth++) type = { vec: type };
  expect(() => readIdl(idlWith(type))).toThrow(/nested deeper/);
});

test("arbitrary documents are read, or refused as no IDL", () => {
  const word = fc.constantFrom(
    ...["u8", "vec", "array", "defined", "struct", "kind", "fields", "name", "type", "option", "generic", "enum"],
    ...["structTypeNode", "numberTypeNode", "sizePrefixTypeNode", "arrayTypeNode", "prefix", "item", "count", "bytes"],
  );
  const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      word,
      fc.integer(),
      fc.constant(null),
      fc.array(tie("tree"), { maxLength: 4 }),
      fc.dictionary(word, tie("tree"), { maxKeys: 5 }),
    ),
  }));
  const part = fc.array(
    fc.record(
      {
        name: word,
        type: tree,
        fields: tree,
        args: tree,
        data: tree,
        arguments: tree,
        accounts: tree,
        discriminators: tree,
        discriminator: fc.constant([1]),
      },
      { requiredKeys: [] },
    ),
  );
  const parts = fc.record({
    instructions: part,
    accounts: part,
    events: part,
    types: part,
    definedTypes: part,
    errors: tree,
  });
  fc.assert(
    fc.property(parts, fc.boolean(), fc.uint8Array({ maxLength: 64 }), (program, codama, noise) => {
      const document = codama ? { kind: "rootNode", program } : program;
      let read: ReturnType<typeof readIdl>;
      try {
        read = readIdl(document as unknown as Json);
      } catch (error) {
        expect(error).toHaveProperty("name", "InvalidIdl");
        return;
      }
      const data = Uint8Array.from([1, ...noise]);
      decodeInstructionByIdl(read, { program: PROGRAM, accounts: [], data });
      decodeAccountByIdl(read, data);
      decodeEventByIdl(read, data);
    }),
    { numRuns: 500 },
  );
});
