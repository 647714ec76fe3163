/** The interfaces of programs: the arguments of instructions, and their accounts in the order of the program. */
import { sha256, toSnakeCase } from "../../../base/index.ts";
import { PROGRAM_INTERFACES } from "./programs.ts";

/** An argument: its name, its type, and where its value comes from. */
export type InstructionArgument = readonly [name: string, type: string, source: string];

/** An account of an instruction. */
export interface AccountRole {
  readonly name: string;
  readonly writable: boolean;
  readonly signer: boolean;
}

/** The interface of a kind of instruction. */
export interface InstructionInterface {
  /** The first bytes of the data in hexadecimal digits. */
  readonly tag: string;
  readonly arguments: readonly InstructionArgument[];
  /** All accounts; those that programs list without names are the last ones. */
  readonly accounts: readonly AccountRole[];
  /** Names of addresses that are in the data; simulated chains store them behind the accounts. */
  readonly keys: readonly string[];
  /** What accounts of the program are, by name. */
  readonly rules: ReadonlyMap<string, string>;
}

/** Returns the first eight bytes of the data of an instruction of the Anchor framework, in hexadecimal digits. */
const anchorTag = (type: string): string => sha256(`global:${toSnakeCase(type)}`).slice(0, 16);

/** The type of the instruction by which a program of the Anchor framework calls itself with an event. */
export const EVENT_CALL = "anchorSelfCPILog";

/** Returns the words of a description. */
export const wordsOf = (text: string): readonly string[] => text.split(" ").filter((word) => word !== "");

/** Parses `name:type=source`; the source is by default the name. */
export function parseArgument(word: string): InstructionArgument {
  const [, name = "", type = "", source = name] = /^(\w+):([^=]+)(?:=(.*))?$/.exec(word) ?? [];
  return [name, type, source];
}

function parseAccount(word: string): AccountRole {
  const [name = ""] = /^\w+/.exec(word) ?? [];
  return { name, writable: word.includes("*"), signer: word.includes("!") };
}

function parseInstruction(line: string, rules: ReadonlyMap<string, string>): readonly [string, InstructionInterface] {
  const [head = "", keys = ""] = line.split(";");
  const [call = "", ...lists] = head.split("|");
  const [kind = "", ...words] = wordsOf(call);
  const [type = "", tag = anchorTag(type)] = kind.split("#");
  const accounts = lists.flatMap(wordsOf).map(parseAccount);
  return [type, { tag, arguments: words.map(parseArgument), accounts, keys: wordsOf(keys), rules }];
}

function parseProgram(text: string): ReadonlyMap<string, InstructionInterface> {
  const lines = text.trim().split("\n");
  const isRule = (line: string): boolean => line.startsWith("= ");
  const rules = lines.filter(isRule).flatMap((line) => wordsOf(line.slice(2)));
  const byName = new Map(rules.map((rule) => [rule.slice(0, rule.indexOf("=")), rule.slice(rule.indexOf("=") + 1)]));
  return new Map(lines.filter((line) => !isRule(line)).map((line) => parseInstruction(line, byName)));
}

/** Names of programs with the interface of another one. */
const SAME: Readonly<Record<string, string>> = { "spl-token-2022": "spl-token" };

const parsed = new Map<string, ReadonlyMap<string, InstructionInterface>>();

/** Returns the interface of a kind of instruction by the name of its program; undefined where it is not described. */
export function findInterface(program: string, type: string): InstructionInterface | undefined {
  let instructions = parsed.get(program);
  if (!instructions) {
    const name = SAME[program] ?? program;
    instructions = Object.hasOwn(PROGRAM_INTERFACES, name) ? parseProgram(PROGRAM_INTERFACES[name] ?? "") : new Map();
    parsed.set(program, instructions);
  }
  return instructions.get(type);
}

/** Whether the data of a kind of instruction starts with these hexadecimal digits, as far as its type determines it. */
export function hasDiscriminator(program: string, type: string, digits: string): boolean {
  const tag = findInterface(program, type)?.tag ?? anchorTag(type);
  return tag.startsWith(digits.toLowerCase()) || digits.toLowerCase().startsWith(tag);
}

/** Returns the interface of an instruction of a simulated chain; one that is not described has no arguments. */
export const interfaceOf = (program: string, type: string): InstructionInterface =>
  findInterface(program, type) ?? { tag: anchorTag(type), arguments: [], accounts: [], keys: [], rules: new Map() };

/** Returns the addresses of named accounts, and of addresses in the data, which follow the accounts. */
export function nameAccounts(
  { accounts, keys }: Pick<InstructionInterface, "accounts" | "keys">,
  addresses: readonly string[],
): Readonly<Record<string, string>> {
  const names = [...accounts.map(({ name }) => name), ...keys];
  return Object.fromEntries(
    addresses.flatMap((address, index) => {
      const name = names[index];
      return name === undefined ? [] : [[name, address] as const];
    }),
  );
}
