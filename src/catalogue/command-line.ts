/** The command line of a request: for help, documentation and the explorer. */
import type { Endpoint } from "./endpoint.ts";
import { optionName, type Param, type ParameterValues } from "./param.ts";

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

/** Quotes a word for a POSIX shell where necessary. */
export function quoteForShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Returns a parameter's value as typed: ranges as `1..100`, lists with commas. */
function formatArgument(param: Param, value: unknown): string {
  if (!Array.isArray(value)) return String(value);
  return value.map(String).join(param.arity === "range" ? ".." : ",");
}

/** Returns the command line of a request; `extra` options, such as `--limit`, are appended. */
export function commandLine(endpoint: Endpoint, params: ParameterValues, extra: readonly string[] = []): string {
  return ["solx", ...commandArguments(endpoint, params).map(quoteForShell), ...extra].join(" ");
}

/** Returns the arguments after `solx` for a request, unquoted. */
export function commandArguments(endpoint: Endpoint, params: ParameterValues): readonly string[] {
  const args: string[] = endpoint.command.split(" ");
  const options: string[] = [];
  for (const [name, value] of Object.entries(params)) {
    const param = endpoint.query[name];
    if (!param || value === undefined) continue;
    const ids = (Array.isArray(value) ? value : [value]).map(String);
    // A text that starts with a dash would be read as an option.
    if (param.positional && !ids.some((id) => id.startsWith("-"))) args.push(...ids);
    else if (param.role === "size" && name === "limit") options.push("--limit", String(value));
    else if (param.type === "boolean")
      options.push(String(value) === "false" ? `--no-${optionName(name)}` : `--${optionName(name)}`);
    else options.push(`--${optionName(name)}`, formatArgument(param, value));
  }
  return [...args, ...options];
}
