/** IDLs of the programs of simulated chains: published ones, or those that follow from the project's own interfaces. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rootNodeFromAnchor } from "@codama/nodes-from-anchor";
import { findInterface, type InstructionInterface } from "../../src/chain/ledger/interfaces/interface.ts";
import { PROGRAM_INTERFACES } from "../../src/chain/ledger/interfaces/programs.ts";

// biome-ignore lint/suspicious/noExplicitAny: nodes of Codama are read as they are
type Any = any;

/** A folder with the published IDLs by the names of the programs, such as `whirlpool.json`; not in CI. */
const FOLDER = process.env.PROGRAM_IDLS;

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const bytes = (count: number) => ({ array: ["u8", count] });

/** The first bytes of a call of a program to itself with an event. */
const EVENT_TAG = Buffer.from("e445a52e51cb9a1d", "hex");

/** The steps of routes: their number is their position. */
const SWAP = {
  kind: "enum",
  variants: Array.from({ length: 74 }, (_, n) => ({
    name: `Step${n}`,
    ...(n === 47 && {
      fields: [
        { name: "a_to_b", type: "bool" },
        { name: "remaining", type: { option: "u8" } },
      ],
    }),
  })),
};
const STEP = {
  kind: "struct",
  fields: [
    { name: "swap", type: { defined: { name: "Swap" } } },
    ...["percent", "input_index", "output_index"].map((name) => ({ name, type: "u8" })),
  ],
};

const TYPES: Readonly<Record<string, unknown>> = {
  hash: bytes(32),
  text: "bytes",
  side: "u8",
  padding: bytes(96),
  padding64: bytes(64),
  routePlan: { vec: { defined: { name: "RoutePlanStep" } } },
};

const typeOf = ([, type, source]: InstructionInterface["arguments"][number]): unknown =>
  source.startsWith("x")
    ? bytes((source.length - 1) / 2)
    : type.startsWith("?")
      ? { option: type.slice(1) }
      : (TYPES[type] ?? type);

function instructionOf(type: string, { tag, arguments: args, accounts }: InstructionInterface) {
  return {
    name: snake(type),
    discriminator: [...Buffer.from(tag, "hex")],
    accounts: accounts.map(({ name, writable, signer }) => ({ name: snake(name), writable, signer })),
    args: args.map((each) => ({ name: snake(each[0]), type: typeOf(each) })),
  };
}

/** Returns the types of the described instructions of a program. */
const describedTypes = (program: string): readonly string[] =>
  (PROGRAM_INTERFACES[program] ?? "")
    .trim()
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("= "))
    .map((line) => line.split(/[ #]/)[0] as string);

/** Returns a published IDL with the calls of the program to itself that log its events. */
function withEventCalls(idl: Any): Any {
  const calls = (idl.events ?? []).map(({ name, discriminator }: Any) => ({
    name: `log_${snake(name)}`,
    discriminator: [...EVENT_TAG, ...discriminator],
    accounts: [{ name: "event_authority" }],
    args: idl.types.find((type: Any) => type.name === name).type.fields,
  }));
  return { ...idl, instructions: [...idl.instructions, ...calls] };
}

function ownIdl(program: string) {
  const types = describedTypes(program);
  return {
    address: "11111111111111111111111111111111",
    metadata: { name: program.replaceAll("-", "_"), version: "0.1.0", spec: "0.1.0" },
    instructions: types.map((type) => instructionOf(type, findInterface(program, type) as InstructionInterface)),
    types: [
      { name: "Swap", type: SWAP },
      { name: "RoutePlanStep", type: STEP },
    ],
  };
}

/** Returns the interface of a program for Codama's parsers; undefined without a description. */
export function programRoot(name: string): Any {
  const file = FOLDER === undefined ? undefined : join(FOLDER, `${name}.json`);
  // The data of these programs is text as a whole.
  if (["spl_noop", "spl-memo"].includes(name) || !Object.hasOwn(PROGRAM_INTERFACES, name)) return undefined;
  const idl =
    file !== undefined && existsSync(file) ? withEventCalls(JSON.parse(readFileSync(file, "utf8"))) : ownIdl(name);
  const { program: parsed } = structuredClone(rootNodeFromAnchor(idl)) as Any;
  // Codama's visitors miss lists that its reader of IDLs leaves out, and addresses are compared elsewhere.
  const instructions = parsed.instructions.map(({ accounts = [], ...each }: Any) => ({
    arguments: [],
    ...each,
    accounts: accounts.map(({ defaultValue, ...account }: Any) =>
      defaultValue?.publicKey ? { ...account, defaultValue } : account,
    ),
  }));
  const accounts = (parsed.accounts ?? []).map(({ pda: _, ...account }: Any) => account);
  const lists = { definedTypes: [], errors: [], events: [], constants: [] };
  const program = { ...lists, ...parsed, instructions, accounts, pdas: [] };
  return { kind: "rootNode", standard: "codama", version: "1.0.0", additionalPrograms: [], program };
}
