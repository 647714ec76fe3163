/** Files of texts by name that the user manages: addresses in `names.json`, and command lines in `aliases.json`. */
import { join } from "node:path";
import { isObject, type JsonObject, type UsageError } from "../base/index.ts";
import { isAddress } from "../catalogue/index.ts";
import { readJsonFile, updateJsonFile } from "./json-file.ts";
import type { Paths } from "./paths.ts";

/** Texts by name, in the order of the file. */
export type TextMap = ReadonlyMap<string, string>;

/** A kind of file: its name, the member with the texts, and which entries are valid. Others are ignored, and preserved. */
export interface TextMapKind {
  readonly file: string;
  readonly member: string;
  readonly isEntry: (name: string, text: string) => boolean;
}

/** The content of a file. */
export interface TextMapFile {
  readonly entries: TextMap;
  /** Why the file cannot be used. */
  readonly problem: UsageError | undefined;
}

type ConfigPaths = Pick<Paths, "config">;

/** Returns the path of a file; undefined without a folder for it. */
export const textMapPath = ({ config }: ConfigPaths, { file }: TextMapKind): string | undefined =>
  config && join(config, file);

/** Reads a file; a missing one is empty. */
export function readTextMap(paths: ConfigPaths, kind: TextMapKind): TextMapFile {
  const path = textMapPath(paths, kind);
  if (path === undefined) return { entries: new Map(), problem: undefined };
  const { data, problem } = readJsonFile(path);
  return { entries: entriesIn(data, kind), problem };
}

/** Returns the entries of a file in alphabetical order. @throws UsageError when it cannot be read */
export function listEntries(paths: ConfigPaths, kind: TextMapKind): readonly (readonly [name: string, text: string])[] {
  const { entries, problem } = readTextMap(paths, kind);
  if (problem) throw problem;
  return [...entries].sort(([a], [b]) => a.localeCompare(b));
}

function readMembers(data: JsonObject, { member }: TextMapKind): JsonObject {
  const members = data[member] ?? null;
  return isObject(members) ? members : {};
}

function entriesIn(data: JsonObject, kind: TextMapKind): TextMap {
  return new Map(
    Object.entries(readMembers(data, kind)).flatMap(([name, text]) =>
      typeof text === "string" && kind.isEntry(name, text) ? [[name, text] as const] : [],
    ),
  );
}

/**
 * Changes a file. What this version does not know of it stays as it is.
 * @param change returns the new entries, or throws; nothing is written then
 * @throws SolxError when the file cannot be read or written
 */
export async function updateTextMap(
  paths: ConfigPaths,
  kind: TextMapKind,
  change: (entries: TextMap) => TextMap,
  signal?: AbortSignal,
): Promise<void> {
  await updateJsonFile(
    textMapPath(paths, kind),
    (data) => {
      const before = entriesIn(data, kind);
      const after = change(before);
      const unknown = Object.entries(readMembers(data, kind)).filter(([name]) => !before.has(name) && !after.has(name));
      return { ...data, [kind.member]: Object.fromEntries([...unknown, ...after]) };
    },
    signal,
  );
}

/** Returns the name in the file that a text stands for, ignoring case. */
export function findName(entries: TextMap, text: string): string | undefined {
  if (entries.has(text)) return text;
  const folded = text.toLowerCase();
  return [...entries.keys()].find((name) => name.toLowerCase() === folded);
}

/** A name: shorter than every identifier, no number, no domain, no file, no option. */
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,30}$/;

/** The accepted form of a name, in words. */
export const NAME_FORM = "up to 31 letters, digits, dashes and underscores, starting with a letter";

/** Returns whether a text has the form of a name. */
export const isNameForm = (text: string): boolean => NAME.test(text);

/** The address book: addresses by name. */
export const ADDRESS_BOOK: TextMapKind = {
  file: "names.json",
  member: "names",
  isEntry: (name, address) => isNameForm(name) && isAddress(address),
};

/** Aliases of commands: arguments after `solx`, by name. */
export const ALIASES: TextMapKind = {
  file: "aliases.json",
  member: "aliases",
  isEntry: (name, line) => isNameForm(name) && line.trim() !== "",
};
