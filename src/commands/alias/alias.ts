/** The actions of `solx alias`. Nothing here prints. */
import { type JsonObject, readInputFile, suggestName, UsageError } from "../../base/index.ts";
import {
  ALIASES,
  isNameForm,
  listEntries,
  NAME_FORM,
  resolvePaths,
  type TextMap,
  updateTextMap,
} from "../../config/index.ts";
import { aliasWords, LINE_ALIASES } from "../run/arguments.ts";
import { type CommandResult, commandChain, findSubcommand } from "../run/command-definition.ts";
import type { RunContext } from "../run/context.ts";

/** An alias, as typed. */
export interface TypedAlias {
  readonly name: string;
  readonly line: string;
}

/** Returns the aliases in alphabetical order. @throws UsageError when the file cannot be read */
export function listAliases({ io }: RunContext): CommandResult {
  const rows = listEntries(resolvePaths(io.env), ALIASES).map(([name, command]) => ({ name, command }));
  const notes = rows.length === 0 ? ["No aliases yet. To create one: solx alias set <name> <command>"] : [];
  return { value: rows, schema: "AliasRow", notes };
}

/** Creates an alias. @throws UsageError for a name in use, or a line that starts with no command */
export async function setAlias(
  context: RunContext,
  { name, line: typed }: TypedAlias,
  { clobber = false }: { readonly clobber?: boolean },
): Promise<CommandResult> {
  const command = (typed === "-" ? await readInputFile(context.io.stdin, { signal: context.io.signal }) : typed).trim();
  checkAlias(context, { name, line: command });
  await updateTextMap(
    resolvePaths(context.io.env),
    ALIASES,
    (aliases) => {
      const before = aliases.get(name);
      if (before !== undefined && before !== command && !clobber) {
        throw new UsageError(`${name} is already an alias of: ${before}`, {
          code: "ALIAS_EXISTS",
          hint: "To replace it, add --clobber.",
        });
      }
      return new Map([...aliases, [name, command]]);
    },
    context.io.signal,
  );
  return { value: { name, command }, schema: "AliasRow" };
}

/** @throws UsageError for an alias that would hide a command, or stands for none */
function checkAlias({ command: current }: RunContext, { name, line }: TypedAlias): void {
  const invalid = (message: string, hint?: string) => new UsageError(message, { code: "INVALID_ALIAS", hint });
  if (!isNameForm(name)) throw invalid(`invalid alias "${name}": expected ${NAME_FORM}`);
  const program = current && commandChain(current).at(-1);
  const isCommand = (word: string) =>
    Object.hasOwn(LINE_ALIASES, word) || word === "help" || (program && findSubcommand(program, word)) !== undefined;
  if (isCommand(name)) throw invalid(`invalid alias "${name}": it is a command of solx`);
  const words = aliasWords(line);
  const first = words.find((word) => !word.startsWith("-")) ?? "";
  if (isCommand(first)) return;
  const hint = line.startsWith("!") ? "Shell commands are not supported." : "Start with a command: token holders";
  throw invalid(`invalid command "${line}": "${first}" is not a command of solx`, hint);
}

/** Deletes aliases. @throws UsageError for an unknown one; then none is deleted */
export async function deleteAliases({ io }: RunContext, names: readonly string[]): Promise<CommandResult> {
  let deleted: readonly JsonObject[] = [];
  await updateTextMap(
    resolvePaths(io.env),
    ALIASES,
    (aliases) => {
      deleted = [...new Set(names)].map((name) => ({ name, command: requireAlias(aliases, name) }));
      return new Map([...aliases].filter(([name]) => !names.includes(name)));
    },
    io.signal,
  );
  return { value: deleted, schema: "AliasRow" };
}

function requireAlias(aliases: TextMap, name: string): string {
  const line = aliases.get(name);
  if (line !== undefined) return line;
  throw new UsageError(`There is no alias "${name}".`, {
    code: "UNKNOWN_ALIAS",
    hint: suggestName(name, aliases.keys()) ?? "To list all aliases: solx alias list",
  });
}
