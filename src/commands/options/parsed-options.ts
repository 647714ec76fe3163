/** The global options as commander parses them: their values, and how they are added to commands. */
import type { Command } from "commander";
import { type Endpoint, optionName } from "../../catalogue/index.ts";
import { GLOBAL_OPTIONS, type GlobalOption } from "./global-options.ts";
import { type Audience, createOption } from "./option.ts";

type LongName<Flags extends string> = Flags extends `${string}--${infer Rest}`
  ? Rest extends `${infer Name} ${string}`
    ? Name
    : Rest
  : never;
type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;
type Key<Flags extends string> =
  LongName<Flags> extends `no-${infer Name}` ? CamelCase<Name> : CamelCase<LongName<Flags>>;
type Value<Flags extends string> =
  LongName<Flags> extends `no-${string}`
    ? boolean
    : Flags extends `${string}<${string}`
      ? string
      : Flags extends `${string}[${string}`
        ? string | true
        : true;

/**
 * The global options as commander parses them: text, true for a switch, false for a `--no-` switch; an optional value
 * (`--follow`) is true where none is given.
 */
export type GlobalOptions = {
  readonly [O in (typeof GLOBAL_OPTIONS)[number] as Key<O["flags"]>]?: Value<O["flags"]>;
};

/** Returns the long name of an option from its flags: `--output`. */
const longName = (flags: string): string => /--[a-z-]+/.exec(flags)?.[0] ?? flags;

const records: readonly GlobalOption[] = GLOBAL_OPTIONS;
const byLongName: ReadonlyMap<string, GlobalOption> = new Map(
  records.map((record) => [longName(record.flags), record] as const),
);

/** Returns the name under which commander stores the value of an option. */
const attributeName = ({ flags }: GlobalOption): string => createOption({ flags, description: "" }).attributeName();

/** Returns whether an option, such as `--output`, is global. */
export const isGlobalOption = (long: string): boolean => byLongName.has(long);

/** Returns the global option that the option of a parameter replaces, if any. */
export function replacedOption(parameter: string): GlobalOption | undefined {
  const option = byLongName.get(`--${optionName(parameter)}`);
  return option?.yieldsToParameter ? option : undefined;
}

/** Returns whether a parameter of an endpoint is read from the global option of the same name. */
export function sharesGlobalOption(parameter: string): boolean {
  return isGlobalOption(`--${optionName(parameter)}`) && replacedOption(parameter) === undefined;
}

/** Returns the values of the settings that options of this run override. */
export function settingOverrides(globals: GlobalOptions): Record<string, string | undefined> {
  const values = globals as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    records.flatMap((record) => {
      const { setting } = record;
      if (setting === undefined) return [];
      const value = values[attributeName(record)];
      return [[setting, value === true ? "on" : typeof value === "string" ? value : undefined]];
    }),
  );
}

/** What determines the global options of a command. */
export interface OptionTarget {
  readonly audience: Audience;
  readonly endpoint?: Endpoint;
  readonly flags?: readonly string[];
}

/** Returns whether a global option has an effect on a command. */
export function appliesTo(option: GlobalOption, { audience, endpoint, flags = [] }: OptionTarget): boolean {
  if (endpoint !== undefined) return option.audience.includes("data") && option.endpoints?.(endpoint) !== false;
  return option.audience.includes(audience) || flags.includes(longName(option.flags));
}

/** Returns the first of the given options that a command refuses, because it would have no effect, by its long name. */
export function findRefusedOption(globals: GlobalOptions, target: OptionTarget): string | undefined {
  const values = globals as Readonly<Record<string, unknown>>;
  const refused = records.find(
    (record) => record.isRefused && values[attributeName(record)] !== undefined && !appliesTo(record, target),
  );
  return refused && longName(refused.flags);
}

/**
 * Adds the global options to a command; those that do not apply to it are hidden from help. An option of the command
 * replaces the global one of the same name.
 */
export function addGlobalOptions(command: Command, target: OptionTarget): void {
  const taken = new Set(command.options.flatMap(({ short, long }) => [short, long]));
  for (const record of records) {
    if (taken.has(longName(record.flags))) continue;
    const [short = ""] = /^-\w/.exec(record.flags) ?? [];
    const flags = taken.has(short) ? record.flags.replace(/^-\w, /, "") : record.flags;
    command.addOption(createOption({ ...record, flags, isHidden: !appliesTo(record, target) }));
  }
}
