/**
 * Writes the numbers of extensions, authorities, instructions and errors as the published clients of the programs have
 * them: `node scripts/program-numbers.ts`. Sentences and layouts name them; no number is written by hand.
 */
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import * as anchor from "@anchor-lang/errors";
import * as metadata from "@metaplex-foundation/mpl-token-metadata";
import * as lookupTable from "@solana-program/address-lookup-table";
import * as computeBudget from "@solana-program/compute-budget";
import * as loader from "@solana-program/loader-v3";
import * as stake from "@solana-program/stake";
import * as system from "@solana-program/system";
import * as token from "@solana-program/token";
import * as token2022 from "@solana-program/token-2022";

const FILE = new URL("../src/chain/solana/program-numbers.ts", import.meta.url);

/** A number as the table has it: `26.1` is the second instruction of an extension, hexadecimal digits are a hash. */
type NumberText = string;
type NamedNumber = readonly [name: string, number: NumberText];

/** Returns `ACCOUNT_FROZEN` as `accountFrozen`. */
const camelCase = (name: string): string => name.toLowerCase().replace(/_(.)/g, (_, letter) => letter.toUpperCase());
const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);
const snakeCase = (name: string): string => name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toUpperCase();

/** Returns the members of an enumeration. */
const membersOf = (enumeration: object): readonly NamedNumber[] =>
  Object.entries(enumeration).flatMap(([name, number]) =>
    typeof number === "number" ? [[lowerFirst(name), String(number)] as const] : [],
  );

/** Returns the errors of a client. */
const errorsOf = (client: object, prefix: string): readonly NamedNumber[] =>
  Object.entries(client).flatMap(([name, number]) =>
    name.startsWith(`${prefix}_ERROR__`) ? [[camelCase(name.slice(prefix.length + 8)), String(number)] as const] : [],
  );

/** Returns the errors of a client that has a class for each. */
const errorClassesOf = (client: object): readonly NamedNumber[] =>
  Object.entries(client).flatMap(([name, value]) => {
    if (!/^[A-Z].*Error$/.test(name) || typeof value !== "function") return [];
    const { code } = new value({});
    return typeof code === "number" ? [[lowerFirst(name.slice(0, -"Error".length)), String(code)] as const] : [];
  });

/** Returns the instructions that a client's enumeration names, with the discriminators that it exports. */
function instructionsOf(client: object, enumeration: object): readonly NamedNumber[] {
  const names = Object.keys(enumeration).filter((name) => Number.isNaN(Number(name)));
  const constants = Object.entries(client).filter(([name]) => name.endsWith("_DISCRIMINATOR"));
  const firsts = new Set(names.map((name) => `${snakeCase(name)}_DISCRIMINATOR`));
  return names.map((name) => {
    const prefix = `${snakeCase(name)}_`;
    const longer = names
      .map((other) => `${snakeCase(other)}_`)
      .filter((other) => other !== prefix && other.startsWith(prefix));
    const first = constants.find(([key]) => key === `${prefix}DISCRIMINATOR`)?.[1] as number | ArrayLike<number>;
    if (first === undefined) throw new Error(`no discriminator of ${name}`);
    const second = constants.find(
      ([key]) => key.startsWith(prefix) && !firsts.has(key) && !longer.some((other) => key.startsWith(other)),
    )?.[1];
    const number = typeof first === "number" ? String(first) : `0x${Buffer.from(Array.from(first)).toString("hex")}`;
    return [lowerFirst(name), second === undefined ? number : `${number}.${second}`];
  });
}

/** Returns what two programs have together, which share their numbers. */
function merge(first: readonly NamedNumber[], second: readonly NamedNumber[]): readonly NamedNumber[] {
  const merged = new Map(first);
  for (const [name, number] of second) {
    if ((merged.get(name) ?? number) !== number) throw new Error(`${name} has two numbers`);
    merged.set(name, number);
  }
  return [...merged];
}

/** The tables, with what their comments say. */
const TABLES: readonly (readonly [name: string, comment: string, numbers: readonly NamedNumber[]])[] = [
  ["SYSTEM_INSTRUCTIONS", "Instructions of the System Program", instructionsOf(system, system.SystemInstruction)],
  ["STAKE_INSTRUCTIONS", "Instructions of the Stake Program", instructionsOf(stake, stake.StakeInstruction)],
  [
    "COMPUTE_BUDGET_INSTRUCTIONS",
    "Instructions of the Compute Budget Program",
    instructionsOf(computeBudget, computeBudget.ComputeBudgetInstruction),
  ],
  [
    "LOOKUP_TABLE_INSTRUCTIONS",
    "Instructions of the Address Lookup Table Program",
    instructionsOf(lookupTable, lookupTable.AddressLookupTableInstruction),
  ],
  ["LOADER_INSTRUCTIONS", "Instructions of the upgradeable loader", instructionsOf(loader, loader.LoaderV3Instruction)],
  [
    "ASSOCIATED_TOKEN_INSTRUCTIONS",
    "Instructions of the Associated Token Account Program",
    instructionsOf(token, token.AssociatedTokenInstruction),
  ],
  [
    "TOKEN_INSTRUCTIONS",
    "Instructions of both token programs",
    merge(instructionsOf(token2022, token2022.Token2022Instruction), instructionsOf(token, token.TokenInstruction)),
  ],
  ["TOKEN_AUTHORITIES", "Authorities of mints and token accounts", membersOf(token2022.AuthorityType)],
  ["TOKEN_EXTENSIONS", "Extensions of Token-2022", membersOf(token2022.ExtensionType)],
  ["SYSTEM_ERRORS", "Errors of the System Program", errorsOf(system, "SYSTEM")],
  ["STAKE_ERRORS", "Errors of the Stake Program", errorsOf(stake, "STAKE")],
  ["TOKEN_ERRORS", "Errors of both token programs", merge(errorsOf(token2022, "TOKEN_2022"), errorsOf(token, "TOKEN"))],
  ["ASSOCIATED_TOKEN_ERRORS", "Errors of the Associated Token Account Program", errorsOf(token, "ASSOCIATED_TOKEN")],
  ["METADATA_ERRORS", "Errors of Metaplex Token Metadata", errorClassesOf(metadata)],
  ["ANCHOR_ERRORS", "Errors of the framework Anchor", errorsOf(anchor, "ANCHOR")],
];

/** Returns a table as text: names in the order of their numbers; a number stands before a name that leaves out some. */
function tableText(numbers: readonly NamedNumber[]): string {
  const order = (text: NumberText): readonly number[] => text.split(".").map(Number);
  const sorted = numbers.toSorted(([, a], [, b]) => {
    const [[a0 = 0, a1 = 0], [b0 = 0, b1 = 0]] = [order(a), order(b)];
    return a0 - b0 || a1 - b1;
  });
  let next = "0";
  const words = sorted.flatMap(([name, number]) => {
    const text = number === next ? [name] : [number, name];
    next = number.replace(/\d+$/, (last) => String(Number(last) + 1));
    return text;
  });
  return wrap(words, 118).join("\n  ");
}

function wrap(words: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

/** Returns the text of the file. */
export function programNumbers(): string {
  const tables = TABLES.map(
    ([name, comment, numbers]) => `/** ${comment}. */\nexport const ${name} = \`\n  ${tableText(numbers)}\`;\n`,
  );
  return [
    `/**
 * Numbers of extensions, authorities, instructions and errors, from the published clients of the programs. Generated by
 * \`node scripts/program-numbers.ts\`; a test generates it again. Names count from 0; a number is that of the next name,
 * \`26.1\` one of two bytes, and \`0x…\` a hash of eight.
 */

/** Returns the numbers of a table by their names. */
export function numbersOf(table: string): ReadonlyMap<string, string> {
  const numbers = new Map<string, string>();
  let next = "0";
  for (const word of table.trim().split(/\\s+/)) {
    if (/^\\d/.test(word)) next = word;
    else {
      numbers.set(word, next);
      next = next.replace(/\\d+$/, (last) => String(Number(last) + 1));
    }
  }
  return numbers;
}
`,
    ...tables,
  ].join("\n");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) writeFileSync(FILE, programNumbers());
