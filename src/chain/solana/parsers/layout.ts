/**
 * Layouts of instructions: which accounts they take, and what their data holds. A program is a table of layouts; the
 * parsed form follows from them, with the names that nodes use in the encoding `jsonParsed`.
 */
import { capitalize, type Json } from "../../../base/index.ts";
import { SYSVAR } from "../../../catalogue/index.ts";
import type { ByteReader } from "../bytes.ts";
import type { ParsedInstruction } from "../model.ts";
import { numbersOf } from "../program-numbers.ts";
import { type Fields, readFields, sortKeys } from "../values.ts";

/** What a layout parses: the accounts of an instruction, and its data after the number of the layout. */
export interface InstructionInput {
  readonly accounts: readonly string[];
  readonly reader: ByteReader;
}

/** The layout of an instruction. */
export interface Layout {
  /** Its name in the published client of its program; where that does not have it, its number, which is by hand. */
  readonly name: string;
  /** Its name in the encoding `jsonParsed`. */
  readonly type: string;
  /**
   * Names of its accounts in order. `name?` may be missing. `~clockSysvar` is present only if the account at its
   * position is that sysvar: a program that no longer needs a sysvar accepts instructions with and without it.
   */
  readonly accounts: readonly string[];
  readonly fields: Fields;
  /** Changes what follows from accounts and fields. */
  readonly finish?: (info: Record<string, Json>, input: InstructionInput) => void;
}

/** A program's layouts. */
export interface ProgramLayouts {
  readonly program: string;
  /** Returns the layout of an instruction; undefined when it is unknown. Reads the number of the layout. */
  readonly select: (reader: ByteReader) => Layout | undefined;
}

/** Returns a layout. Of the names of an instruction, the type follows after a space where it differs. */
export function layout(names: string, accounts: string, fields: Fields = {}, finish?: Layout["finish"]): Layout {
  const [name = "", type = name] = names.split(" ");
  return { name, type, accounts: accounts === "" ? [] : accounts.split(" "), fields, ...(finish && { finish }) };
}

/**
 * Returns layouts by the numbers of the program's client; without such a table, by their position.
 * @throws Error when the table has no number for a layout
 */
export function numberLayouts(table: string | undefined, layouts: readonly Layout[]): ReadonlyMap<string, Layout> {
  const numbers = table === undefined ? undefined : numbersOf(table);
  return new Map(
    layouts.map((each, position) => {
      const number = numbers === undefined ? `${position}` : /^\d/.test(each.name) ? each.name : numbers.get(each.name);
      if (number === undefined) throw new Error(`no number of the instruction ${each.name}`);
      return [number, each];
    }),
  );
}

/** Accounts of older layouts by their names in {@link Layout.accounts}. */
const OPTIONAL_ACCOUNTS: Readonly<Record<string, string>> = {
  clockSysvar: SYSVAR.clock,
  rentSysvar: SYSVAR.rent,
  stakeHistorySysvar: SYSVAR.stakeHistory,
  stakeConfigAccount: SYSVAR.stakeConfig,
};

/**
 * Returns the parsed form of an instruction.
 * @throws RangeError when the data or the accounts do not match the layout
 */
export function parseLayout(
  program: string,
  { type, accounts, fields, finish }: Layout,
  input: InstructionInput,
): ParsedInstruction {
  const info: Record<string, Json> = nameAccounts(accounts, input.accounts);
  Object.assign(info, readFields(input.reader, fields));
  finish?.(info, input);
  return { program, type, info: sortKeys(info) };
}

function nameAccounts(names: readonly string[], accounts: readonly string[]): Record<string, Json> {
  const info: Record<string, Json> = {};
  let position = 0;
  for (const name of names) {
    const account = accounts[position];
    if (name.startsWith("~")) {
      if (account !== OPTIONAL_ACCOUNTS[name.slice(1)]) continue;
    } else if (account === undefined) {
      if (name.endsWith("?")) continue;
      throw new RangeError("too few accounts");
    }
    info[name.replace(/[~?]/, "")] = account as string;
    position += 1;
  }
  return info;
}

/** Returns a program whose layouts are selected by a number, by default of four bytes (bincode). */
export function selectByNumber(
  program: string,
  table: string | undefined,
  layouts: readonly Layout[],
  read = (reader: ByteReader) => reader.u32(),
): ProgramLayouts {
  const numbered = numberLayouts(table, layouts);
  return { program, select: (reader) => numbered.get(`${read(reader)}`) };
}

/** Removes members that are null, where nodes omit them. */
export function omitNulls(info: Record<string, Json>): void {
  for (const name of Object.keys(info)) if (info[name] === null) delete info[name];
}

/**
 * Returns a layout that ends with an authority. With more accounts the authority is a multisig account, and they are
 * its signers.
 * @param multisig the name of a multisig authority, where it does not follow from the name
 */
export function signedBy(name: string, signed: Layout, multisig = `multisig${capitalize(name)}`): Layout {
  const position = signed.accounts.length;
  return {
    ...signed,
    finish(info, input) {
      const [authority, ...signers] = input.accounts.slice(position);
      if (authority === undefined) throw new RangeError("too few accounts");
      info[signers.length === 0 ? name : multisig] = authority;
      if (signers.length > 0) info.signers = signers;
      signed.finish?.(info, input);
    },
  };
}

/** The same for instructions whose sources are listed after the signers; `count` returns how many sources there are. */
export function signedBeforeSources(name: string, base: Layout): Layout {
  const signed = signedBy(name, base);
  return {
    ...base,
    finish(info, input) {
      const count = info.count as number;
      delete info.count;
      if (input.accounts.length < count + 3) throw new RangeError("too few accounts");
      const start = input.accounts.length - count;
      info.sourceAccounts = input.accounts.slice(start);
      signed.finish?.(info, { ...input, accounts: input.accounts.slice(0, start) });
    },
  };
}
