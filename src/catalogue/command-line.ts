/** The command that a user types for a request: for help, documentation and hand-over from other views. */
import type { Endpoint } from "./endpoint.ts";
import type { Param } from "./param.ts";

/** The name of a parameter's option, without dashes: the API's own name in kebab case. */
export function optionName(name: string): string {
  return name.replaceAll("_", "-").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Returns an enumerated value in its shortest typed form: `transfer` for `ACTIVITY_SPL_TRANSFER`. */
export function shortValue(value: string | number): string {
  const text = String(value);
  return text.startsWith("ACTIVITY_")
    ? text
        .replace(/^ACTIVITY_(SPL_|NFT_)?/, "")
        .toLowerCase()
        .replaceAll("_", "-")
    : text;
}

/** A word as a POSIX shell reads it back. */
export function quoteForShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A parameter's value as typed: ranges as `1..100`, lists with commas. */
export function formatArgument(param: Param, value: unknown): string {
  if (!Array.isArray(value)) return String(value);
  return value.map(String).join(param.arity === "range" ? ".." : ",");
}

/** The command line for an endpoint with the given parameters; rows wanted are `extra` options. */
export function commandLine(
  endpoint: Endpoint,
  params: Readonly<Record<string, unknown>>,
  extra: readonly string[] = [],
): string {
  return ["solx", ...commandArguments(endpoint, params).map(quoteForShell), ...extra].join(" ");
}

/** The words after `solx` for an endpoint with the given parameters, as the program gets them: nothing is quoted. */
export function commandArguments(endpoint: Endpoint, params: Readonly<Record<string, unknown>>): readonly string[] {
  const words: string[] = endpoint.command.split(" ");
  const options: string[] = [];
  for (const [name, value] of Object.entries(params)) {
    const param = endpoint.query[name];
    if (!param || value === undefined) continue;
    if (param.positional) words.push(...(Array.isArray(value) ? value : [value]).map(String));
    else if (param.role === "size" && name === "limit") options.push("--limit", String(value));
    else if (param.type === "boolean")
      options.push(String(value) === "false" ? `--no-${optionName(name)}` : `--${optionName(name)}`);
    else options.push(`--${optionName(name)}`, formatArgument(param, value));
  }
  return [...words, ...options];
}
