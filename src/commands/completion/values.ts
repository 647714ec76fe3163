/** What may stand in the place of a value. */
import { type CompletionContext, type Completions, findCommand, matchingCommands, NO_COMPLETIONS } from "./context.ts";
import type { Candidate, CommandSpec, FieldCandidate, ValueSet } from "./schema.ts";

/**
 * The values that fit what was typed of one.
 * @param index where the values are known, an index of the words' values
 * @param from where the value begins in the current word
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
  if (values.source === "fields" || values.source === "columns")
    return completeFields(context, values.source, current, from);
  const start = values.list ? Math.max(from, current.lastIndexOf(",") + 1) : from;
  const taken = new Set(current.slice(from, start).split(","));
  const typed = current.slice(start);
  const fits = ([word]: Candidate) => word.startsWith(typed) && !taken.has(word);
  const also = typed === "" ? [] : (values.abbreviations ?? []);
  const usual = [...candidatesOf(context, values), ...also].filter(fits);
  const rare = usual.length === 0 ? (values.rare ?? []).filter(fits) : [];
  return { kind: "values", prefixLength: start, appendSpace: !values.list, candidates: [...usual, ...rare] };
}

function candidatesOf(
  { data: words, positionals, profiles }: CompletionContext,
  values: ValueSet,
): readonly Candidate[] {
  const known = values.candidates ?? [];
  if (values.source === "profiles") return profiles().map((name) => [name, ""]);
  if (values.source !== "commands" && values.source !== "endpoints") return known;
  let at = words.root;
  for (const word of positionals) {
    const next = findCommand(at, word);
    if (next === undefined) return [];
    at = next;
  }
  const commands = (at.commands ?? []).filter((command) => values.source === "commands" || leadsToEndpoint(command));
  const fitting = matchingCommands(commands, "");
  const names = new Set(fitting.map(([name]) => name));
  // A page may have the name of a command.
  const others = positionals.length === 0 ? known.filter(([name]) => !names.has(name)) : [];
  return [...fitting, ...others];
}

/** Whether a command, or one in it, asks an endpoint. */
function leadsToEndpoint({ isEndpoint: asks, commands = [] }: CommandSpec): boolean {
  return asks === true || commands.some(leadsToEndpoint);
}

/** The fields of the answer, level by level; a field that is meant comes with those inside it. */
function completeFields(
  { data: words, command }: CompletionContext,
  source: "fields" | "columns",
  current: string,
  from: number,
): Completions {
  const part = Math.max(from, current.lastIndexOf(",") + 1);
  const heading = source === "columns" ? current.slice(part).indexOf(":") + 1 : 0;
  const start = part + heading;
  const taken = new Set(current.slice(from, part).split(","));
  const parents = current.slice(start).split(".");
  const typed = parents.pop() ?? "";
  let level = words.fields[command.entity ?? ""] ?? [];
  for (const parent of parents) {
    const name = parent.replace(/\[\d*\]$/, "");
    level = level.find(([field]) => field === name)?.[2] ?? [];
  }
  const prefix = parents.map((parent) => `${parent}.`).join("");
  const fitting = level.filter(([name]) => name.startsWith(typed));
  const open = fitting.find(([name]) => fitting.length === 1 || name === typed);
  const inside = open ? (open[2] ?? []).map((field) => prefixField(open[0], field)) : [];
  const all = [...fitting, ...inside].map(([name, about]): Candidate => [prefix + name, about]);
  return {
    kind: "values",
    prefixLength: start,
    appendSpace: false,
    candidates: all.filter(([path]) => !taken.has(path)),
  };
}

const prefixField = (parent: string, [name, about]: FieldCandidate): FieldCandidate => [`${parent}.${name}`, about];
