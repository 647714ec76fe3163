/** What can be watched, and how: lists with the newest rows first for their rows, everything else for its changes. */
import { UsageError } from "../../base/index.ts";
import { type Endpoint, optionName, type ParameterValues } from "../../catalogue/index.ts";
import { findFormat } from "../../output/index.ts";
import { type GlobalOptions, TIME_KEYS } from "../options/global-options.ts";

const CONFLICTS: Readonly<Partial<Record<keyof GlobalOptions, readonly [flag: string, why: string]>>> = {
  all: ["--all", "a followed list has no end."],
  out: ["--out", "the file would never be complete. Redirect the rows to a file with >."],
  resume: ["--resume", "following starts with the newest rows."],
  envelope: ["--envelope", "rows come from many answers."],
};

/**
 * Checks that an endpoint can be followed with the given options.
 * @returns whether its new rows are printed; otherwise its changes are
 * @throws UsageError with the reason when it cannot be followed
 */
export function checkFollow(endpoint: Endpoint, params: ParameterValues, globals: GlobalOptions): boolean {
  const refusal = (message: string, hint?: string) => new UsageError(message, { hint });
  if (globals.cache === "only")
    throw refusal("--follow and --cache only cannot be used together: news is not in the cache.");
  for (const [name, [flag, why]] of Object.entries(CONFLICTS)) {
    if (globals[name as keyof GlobalOptions] !== undefined)
      throw refusal(`--follow and ${flag} cannot be used together: ${why}`);
  }
  if (globals.jq === undefined && findFormat(globals.output)?.isEndless === false) {
    throw refusal(
      "--follow cannot print a JSON document: what is followed has no end.",
      "Use -o ndjson, which prints one row per line.",
    );
  }
  const grows = isNewestFirst(endpoint, params);
  const problem = endProblem(endpoint, params, grows);
  if (problem !== undefined) throw refusal(`--follow: ${problem}`);
  if (grows && globals.changes !== undefined) {
    throw refusal(`--changes cannot be used with ${endpoint.command}, whose new rows are printed`);
  }
  if (!grows && globals.with !== undefined) throw refusal("--with and --follow cannot be used together for changes");
  return grows;
}

/** Whether a list returns the newest rows first, with an identity for each row. */
export function isNewestFirst(endpoint: Endpoint, params: ParameterValues = {}): boolean {
  return isByTime(endpoint, params) && paramOf(endpoint, params, "sort_order") !== "asc";
}

const paramOf = ({ query }: Endpoint, params: ParameterValues, name: string) => params[name] ?? query[name]?.default;

function isByTime(endpoint: Endpoint, params: ParameterValues): boolean {
  const { query, identity, returns, newestFirst } = endpoint;
  if (returns.shape !== "rows" || identity === undefined) return false;
  return query.sort_by === undefined ? newestFirst === true : TIME_KEYS.has(paramOf(endpoint, params, "sort_by"));
}

/** Returns why what is selected can never contain news, if so. */
function endProblem(endpoint: Endpoint, params: ParameterValues, grows: boolean): string | undefined {
  if (endpoint.returns.shape === "csv") return `${endpoint.command} returns a file.`;
  if (!grows) return isByTime(endpoint, params) ? "with --sort-order asc, the newest rows come last." : undefined;
  const input = Object.entries(endpoint.query).filter(([name]) => params[name] !== undefined);
  const endParam = input.find(([, { role, type, arity }]) => role === "to" || (type === "time" && arity === "range"));
  if (endParam) return `${optionFlag(endParam[0])} ends the list before any new rows.`;
  const startParam = input.find(([, { role }]) => role === "page" || role === "offset" || role === "cursor");
  return startParam && `${optionFlag(startParam[0])} starts below the newest rows.`;
}

const optionFlag = (name: string) => `--${optionName(name)}`;
