/** Completes the values of options and arguments. */
import { type CompletionContext, type Completions, findCommand, matchingCommands, NO_COMPLETIONS } from "./context.ts";
import type { Candidate, CommandSpec, FieldCandidate, ValueSet } from "./schema.ts";

/**
 * Returns the values that start with what is typed.
 * @param index the value set, an index of `CompletionData.values`; undefined when the values are unknown
 * @param from where the value starts in the current word
 */
export function completeValue(
  context: CompletionContext,
  index: number | undefined,
  current: string,
  from: number,
): Completions {
  const values = index === undefined ? undefined : context.data.values[index];
  if (values === undefined) return NO_COMPLETIONS;
  if (values.source === "files") return { ...NO_COMPLETIONS, kind: "files", prefixLength: from };
  if (values.source === "setting") {
    const setting = context.data.settings[context.positionals[0] ?? ""];
    return completeValue(context, setting, current, from);
  }
  if (values.source === "fields" || values.source === "columns") {
    return completeFields(context, values, current, from);
  }
  const start = values.list ? Math.max(from, current.lastIndexOf(",") + 1) : from;
  const used = new Set(current.slice(from, start).split(","));
  const typed = current.slice(start);
  const matches = ([word]: Candidate) => word.startsWith(typed) && !used.has(word);
  const abbreviations = typed === "" ? [] : (values.abbreviations ?? []);
  const common = [...candidatesOf(context, values), ...abbreviations].filter(matches);
  const rare = common.length === 0 ? (values.rare ?? []).filter(matches) : [];
  return { kind: "values", prefixLength: start, appendSpace: !values.list, candidates: [...common, ...rare] };
}

function candidatesOf({ data, positionals, local }: CompletionContext, values: ValueSet): readonly Candidate[] {
  const fixed = values.candidates ?? [];
  if (values.source === "profiles" || values.source === "indexes") {
    return local[values.source]().map((name) => [name, ""]);
  }
  if (values.source === "views") return local.views().map((name) => [name, ""]);
  if (values.source === "aliases") return [...local.aliases()];
  if (values.source === "addresses") return [...local.addresses(), ...fixed];
  if (values.source !== "commands" && values.source !== "endpoints") return fixed;
  let parent = data.root;
  for (const word of positionals) {
    const next = findCommand(parent, word);
    if (next === undefined) return [];
    parent = next;
  }
  const commands = (parent.commands ?? []).filter(
    (command) => values.source === "commands" || leadsToEndpoint(command),
  );
  const named = matchingCommands(commands, "");
  const names = new Set(named.map(([name]) => name));
  // A page of the manual may have the name of a command.
  const others = positionals.length === 0 ? fixed.filter(([name]) => !names.has(name)) : [];
  return [...named, ...others];
}

/** Whether a command or one of its subcommands requests an endpoint. */
function leadsToEndpoint({ isEndpoint, commands = [] }: CommandSpec): boolean {
  return isEndpoint === true || commands.some(leadsToEndpoint);
}

/** Returns field names level by level; when a single field matches, its nested fields too. Fixed values come last. */
function completeFields(
  { data, command }: CompletionContext,
  { source, candidates = [] }: ValueSet,
  current: string,
  from: number,
): Completions {
  const item = Math.max(from, current.lastIndexOf(",") + 1);
  const heading = source === "columns" ? current.slice(item).indexOf(":") + 1 : 0;
  const start = item + heading;
  const used = new Set(current.slice(from, item).split(","));
  const parents = current.slice(start).split(".");
  const typed = parents.pop() ?? "";
  let level = data.fields[command.entity ?? ""] ?? [];
  for (const parent of parents) {
    const name = parent.replace(/\[\d*\]$/, "");
    level = level.find(([field]) => field === name)?.[2] ?? [];
  }
  const prefix = parents.map((parent) => `${parent}.`).join("");
  const matching = level.filter(([name]) => name.startsWith(typed));
  const selected = matching.find(([name]) => matching.length === 1 || name === typed);
  const nested = selected ? (selected[2] ?? []).map((field) => prefixField(selected[0], field)) : [];
  const fields = [...matching, ...nested].map(([name, description]): Candidate => [prefix + name, description]);
  const known = candidates.filter(([word]) => prefix === "" && word.startsWith(typed));
  const all = [...new Map([...fields, ...known])];
  return {
    kind: "values",
    prefixLength: start,
    appendSpace: false,
    candidates: all.filter(([path]) => !used.has(path)),
  };
}

const prefixField = (parent: string, [name, description]: FieldCandidate): FieldCandidate => [
  `${parent}.${name}`,
  description,
];
