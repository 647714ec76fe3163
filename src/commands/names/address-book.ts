/** The address book: the actions of `solx names`, which print nothing, and the changes that the explorer makes. */

import {
  expandTypedPath,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
  pluralize,
  readInputFile,
  suggestName,
  UsageError,
} from "../../base/index.ts";
import { detectLookalike, isAddress, wellKnownToken } from "../../catalogue/index.ts";
import {
  ADDRESS_BOOK,
  findName,
  isNameForm,
  listEntries,
  NAME_FORM,
  type Paths,
  readTextMap,
  resolvePaths,
  type TextMap,
  textMapPath,
  updateTextMap,
} from "../../config/index.ts";
import { safeText } from "../../output/index.ts";
import { type AddressBook, ENTITY_KINDS, entityPage, PAGE_NAMES } from "../../ui/index.ts";
import type { CommandResult } from "../run/command-definition.ts";
import type { RunContext } from "../run/context.ts";
import { canPrompt, promptYesNo } from "../run/prompt.ts";
import { canRedraw, getStatusLine } from "../run/status-line.ts";
import { runNameResolver } from "./resolve-names.ts";

let pageWords: ReadonlySet<string> | undefined;

/** @throws UsageError for a text that cannot be a name */
function checkName(name: string): void {
  if (isAddress(name)) throw invalidName(name, "it is an address");
  if (!isNameForm(name)) throw invalidName(name, `expected ${NAME_FORM}`);
  const token = wellKnownToken(name, "asset");
  if (token) throw invalidName(name, `it is the symbol of a token (${token.mint})`);
  pageWords ??= new Set([...PAGE_NAMES, ...ENTITY_KINDS.flatMap((kind) => [kind, ...entityPage(kind).aliases])]);
  if (pageWords.has(name.toLowerCase())) throw invalidName(name, "it is a page of the explorer");
}

function invalidName(name: string, reason: string): UsageError {
  return new UsageError(`invalid name "${name}": ${reason}`, { code: "INVALID_NAME" });
}

interface NameEntry {
  readonly name: string;
  readonly address: string;
}

/** A name of a file, and the label of another tool that it was there; names of our own are as they were typed. */
interface ImportedName extends NameEntry {
  readonly label?: string;
}

/**
 * Returns the names with others added; an equal name in other case is replaced.
 * @throws UsageError when a name belongs to another address, unless `clobber` is set
 */
function withNames(names: TextMap, entries: readonly NameEntry[], clobber = false): TextMap {
  const after = new Map(names);
  const spellings = new Map([...names.keys()].map((name) => [name.toLowerCase(), name]));
  for (const { name, address } of entries) {
    const existing = spellings.get(name.toLowerCase());
    const before = existing === undefined ? undefined : after.get(existing);
    if (before !== undefined && before !== address && !clobber) {
      throw new UsageError(`${existing} is already the name of ${before}.`, {
        code: "NAME_EXISTS",
        hint: "To replace it, add --clobber.",
      });
    }
    if (existing !== undefined) after.delete(existing);
    after.set(name, address);
    spellings.set(name.toLowerCase(), name);
  }
  return after;
}

/** Returns the user's address book; a problem with its file is logged, and reported when a name is saved. */
export function createAddressBook(
  paths: Pick<Paths, "config">,
  signal: AbortSignal,
  log: (text: string) => void,
): AddressBook {
  return {
    names() {
      const { entries, problem } = readTextMap(paths, ADDRESS_BOOK);
      if (problem) log(`The address book was not read: ${problem.message}`);
      return entries;
    },
    async setName(address, name) {
      if (name !== undefined) checkName(name);
      let after: TextMap = new Map();
      const change = (names: TextMap) => {
        const others = new Map([...names].filter(([, one]) => one !== address));
        after = name === undefined ? others : withNames(others, [{ name, address }]);
        return after;
      };
      await updateTextMap(paths, ADDRESS_BOOK, change, signal);
      return after;
    },
  };
}

/** Options of the commands that add names. */
export interface AddOptions {
  readonly clobber?: boolean;
}

const pathsOf = ({ io }: RunContext) => resolvePaths(io.env);

/** Returns the names in alphabetical order. @throws UsageError when the file cannot be read */
export function listNames(context: RunContext): CommandResult {
  const rows = listEntries(pathsOf(context), ADDRESS_BOOK).map(([name, address]) => ({ name, address }));
  const notes = rows.length === 0 ? ["No names yet. To add one: solx names add <name> <address>"] : [];
  return { value: rows, schema: "NameRow", notes };
}

/** Adds a name. @throws UsageError for an invalid or existing name, or an invalid address */
export async function addName(
  context: RunContext,
  name: string,
  typed: string,
  { clobber }: AddOptions,
): Promise<CommandResult> {
  checkName(name);
  const address = isAddress(typed) ? typed : await runNameResolver(context).resolve(typed);
  if (address === undefined) throw invalidAddress(typed);
  await confirmImitation(context, [{ name: typed, address }]);
  await change(context, (names) => withNames(names, [{ name, address }], clobber));
  return { value: { name, address }, schema: "NameRow" };
}

/** Asks before an address is stored that a name stands for which imitates another one. @throws UsageError unless a person confirms */
async function confirmImitation(context: RunContext, typed: readonly NameEntry[]): Promise<void> {
  const [first, ...others] = typed.flatMap(({ name, address }) => {
    const imitation = isAddress(name) ? undefined : detectLookalike(name);
    return imitation === undefined ? [] : [{ address, text: `${safeText(name)} ${imitation}` }];
  });
  if (first === undefined) return;
  const more = others.length === 0 ? "" : `, and ${others.length} more imitate others`;
  if (canPrompt(context) && (await promptYesNo(context, `Store ${first.address} although ${first.text}${more}?`)))
    return;
  throw new UsageError(`${first.text}${more}. ${others.length === 0 ? "Its address was" : "They were"} not stored.`, {
    code: "LOOKALIKE",
    hint: `If you trust it, store the address itself: ${first.address}`,
  });
}

function invalidAddress(typed: string): UsageError {
  return new UsageError(`invalid address "${typed}": expected 32 to 44 characters of base58`, {
    code: "INVALID_ADDRESS",
    hint: "Names stand for addresses of accounts, mints and programs, not for signatures.",
  });
}

/** Removes names. @throws UsageError for an unknown one; then none is removed */
export async function removeNames(context: RunContext, typed: readonly string[]): Promise<CommandResult> {
  let removed: readonly JsonObject[] = [];
  await change(context, (names) => {
    const known = new Set(typed.map((name) => requireName(names, name)));
    removed = [...known].map((name) => ({ name, address: names.get(name) ?? null }));
    return new Map([...names].filter(([name]) => !known.has(name)));
  });
  return { value: removed, schema: "NameRow" };
}

/** Changes a name. @throws UsageError when it is unknown, or the new one is invalid or exists */
export async function renameName(context: RunContext, typed: string, next: string): Promise<CommandResult> {
  checkName(next);
  let address = "";
  await change(context, (names) => {
    const name = requireName(names, typed);
    address = names.get(name) ?? "";
    const others = new Map([...names].filter(([one]) => one !== name));
    return withNames(others, [{ name: next, address }]);
  });
  return { value: { name: next, address }, schema: "NameRow" };
}

/** Entries that are checked between two changes of the status line. */
const STATUS_ENTRIES = 5000;

/** Adds the names of a file, all or none. @throws UsageError that names the first invalid entry */
export async function importNames(context: RunContext, file: string, { clobber }: AddOptions): Promise<CommandResult> {
  const source = file === "-" ? "standard input" : file;
  const status = canRedraw(context.io) && !context.globals.quiet ? getStatusLine(context).open() : undefined;
  let entries: Awaited<ReturnType<typeof parseEntries>> = [];
  try {
    status?.show(`Reading ${source}`);
    entries = await parseEntries(await readText(context, file), source);
    for (const [at, { name, address }] of entries.entries()) {
      if (at % STATUS_ENTRIES === 0) status?.show(`Checking names: ${Math.round((100 * at) / entries.length)} %`);
      checkName(name);
      if (!isAddress(address)) throw invalidAddress(address);
    }
    const labels = entries.flatMap(({ label, address }) => (label === undefined ? [] : [{ name: label, address }]));
    await confirmImitation(context, labels);
    status?.show(`Storing ${pluralize(entries.length, "name")}`);
    await change(context, (names) => withNames(names, entries, clobber));
  } finally {
    status?.close();
  }
  const path = textMapPath(pathsOf(context), ADDRESS_BOOK);
  return {
    value: entries.map(({ name, address }) => ({ name, address })),
    schema: "NameRow",
    notes: [`${pluralize(entries.length, "name")} added to ${path}.`],
  };
}

async function readText({ io }: RunContext, file: string): Promise<string> {
  const source = file === "-" ? io.stdin : expandTypedPath(file, io.env);
  return readInputFile(source, { signal: io.signal });
}

/** Headings of addresses and of names in the files of solx and of other tools, without case, spaces and underscores. */
const ADDRESS_HEADINGS = ["address", "account", "accountaddress", "wallet", "walletaddress", "pubkey", "publickey"];
const NAME_HEADINGS = ["name", "label", "nametag", "namevalue", "title", "displayname", "accountlabel", "accountname"];

/**
 * Returns the entries of JSON or CSV: rows with a name and an address, or one object by name or by address. Labels of
 * other tools become names: `Hot Wallet 2` is `Hot-Wallet-2`.
 */
async function parseEntries(text: string, source: string): Promise<readonly ImportedName[]> {
  const trimmed = text.replace(/^\ufeff/, "").trim();
  const rows = /^[[{]/.test(trimmed) ? parseJsonRows(trimmed, source) : await parseCsvRows(trimmed, source);
  return rows.map((row, at) => {
    const cells = new Map(Object.entries(row).map(([head, cell]) => [head.toLowerCase().replace(/[\s_-]/g, ""), cell]));
    const find = (heads: readonly string[]) =>
      heads.map((head) => cells.get(head)).find((cell) => typeof cell === "string" && cell.trim() !== "");
    const [name, address] = [find(NAME_HEADINGS), find(ADDRESS_HEADINGS)];
    if (typeof name === "string" && typeof address === "string") {
      const label = name.trim();
      const isOwn = typeof row.name === "string";
      return { address: address.trim(), ...(isOwn ? { name: label } : { name: nameOfLabel(label), label }) };
    }
    throw new UsageError(`${source}: entry ${at + 1} has no name and address`, {
      hint: "Expected what this prints: solx names list -o json, or -o csv. Headings such as label are names, too.",
    });
  });
}

function nameOfLabel(label: string): string {
  const name = label
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^A-Za-z0-9_]+/g, "-");
  return name
    .replace(/^[^A-Za-z]+/, "")
    .slice(0, 31)
    .replace(/-+$/, "");
}

function parseJsonRows(text: string, source: string): readonly Readonly<Record<string, unknown>>[] {
  let value: Json;
  try {
    value = parseJson(text);
  } catch (cause) {
    throw new UsageError(`${source} is not valid JSON.`, { cause });
  }
  if (isArray(value)) return value.map((row) => (isObject(row) ? row : {}));
  const byName = isObject(value) && isObject(value.names) ? value.names : (value as JsonObject);
  return Object.entries(byName).map(([key, value]) => {
    if (!isAddress(key)) return { name: key, address: value };
    return isObject(value)
      ? { address: key, ...value, name: undefined, label: value.name ?? value.label }
      : { address: key, label: value };
  });
}

async function parseCsvRows(text: string, source: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { parse } = await import("csv-parse/sync");
  try {
    return parse(text, { columns: true, skip_empty_lines: true, trim: true }) as Record<string, string>[];
  } catch (cause) {
    throw new UsageError(`${source} is not valid CSV.`, { cause });
  }
}

function requireName(names: TextMap, typed: string): string {
  const name = findName(names, typed);
  if (name !== undefined) return name;
  throw new UsageError(`No address has the name "${typed}".`, {
    code: "UNKNOWN_NAME",
    hint: suggestName(typed, names.keys()) ?? "To list all names: solx names list",
  });
}

async function change(context: RunContext, edit: (names: TextMap) => TextMap): Promise<void> {
  await updateTextMap(pathsOf(context), ADDRESS_BOOK, edit, context.io.signal);
}
