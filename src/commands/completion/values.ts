/** What may stand in the place of a value. */
import { commandNamed, type Found, fittingCommands, NOTHING, type Place } from "./context.ts";
import type { CommandWords, FieldWord, Values, Word } from "./schema.ts";

/**
 * The values that fit what was typed of one.
 * @param index where the values are known, an index of the words' values
 * @param from where the value begins in the current word
 */
export function valuesAt(place: Place, index: number | undefined, current: string, from: number): Found {
  const values = index === undefined ? undefined : place.words.values[index];
  if (values === undefined) return NOTHING;
  if (values.from === "files") return { ...NOTHING, kind: "files", from };
  if (values.from === "setting") {
    const setting = place.words.settings[place.positionals[0] ?? ""];
    return valuesAt(place, setting, current, from);
  }
  if (values.from === "fields" || values.from === "columns") return fieldsAt(place, values.from, current, from);
  const start = values.list ? Math.max(from, current.lastIndexOf(",") + 1) : from;
  const taken = new Set(current.slice(from, start).split(","));
  const typed = current.slice(start);
  const fits = ([word]: Word) => word.startsWith(typed) && !taken.has(word);
  const also = typed === "" ? [] : (values.also ?? []);
  const usual = [...wordsOf(place, values), ...also].filter(fits);
  const rare = usual.length === 0 ? (values.rare ?? []).filter(fits) : [];
  return { kind: "values", from: start, space: !values.list, words: [...usual, ...rare] };
}

function wordsOf({ words, positionals, profiles }: Place, values: Values): readonly Word[] {
  const known = values.words ?? [];
  if (values.from === "profiles") return profiles().map((name) => [name, ""]);
  if (values.from !== "commands" && values.from !== "endpoints") return known;
  let at = words.root;
  for (const word of positionals) {
    const next = commandNamed(at, word);
    if (next === undefined) return [];
    at = next;
  }
  const commands = (at.commands ?? []).filter((command) => values.from === "commands" || asksEndpoint(command));
  const fitting = fittingCommands(commands, "");
  const names = new Set(fitting.map(([name]) => name));
  // A page may have the name of a command.
  const others = positionals.length === 0 ? known.filter(([name]) => !names.has(name)) : [];
  return [...fitting, ...others];
}

/** Whether a command, or one in it, asks an endpoint. */
function asksEndpoint({ asks, commands = [] }: CommandWords): boolean {
  return asks === true || commands.some(asksEndpoint);
}

/** The fields of the answer, level by level; a field that is meant comes with those inside it. */
function fieldsAt({ words, command }: Place, source: "fields" | "columns", current: string, from: number): Found {
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
  const inside = open ? (open[2] ?? []).map((field) => under(open[0], field)) : [];
  const all = [...fitting, ...inside].map(([name, about]): Word => [prefix + name, about]);
  return { kind: "values", from: start, space: false, words: all.filter(([path]) => !taken.has(path)) };
}

const under = (parent: string, [name, about]: FieldWord): FieldWord => [`${parent}.${name}`, about];
