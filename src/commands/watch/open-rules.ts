/** Opens the rules of a file: each is a command line that would follow, in a run of its own. */
import { basename, join, resolve } from "node:path";
import { sha256, splitCommand, UsageError, withMessage, withPlace } from "../../base/index.ts";
import { resolvePaths } from "../../config/index.ts";
import type { ConnectedClient } from "../../sources/index.ts";
import { openRule, type Rule } from "../follow/rule.ts";
import { flagVariables } from "../options/global-options.ts";
import type { RunContext } from "../run/context.ts";
import type { NamedRule } from "./deliveries.ts";
import { type RuleDefinition, readRules, type WrittenRules } from "./rules-file.ts";

/** Rules of a file, whose clients stay open until they are closed. */
export interface OpenRules {
  readonly rules: readonly (NamedRule & { readonly definition: RuleDefinition })[];
  /** Requests in a minute, at most, if the file limits them. */
  readonly maxRequests: number | undefined;
  close(): Promise<void>;
}

/** Options of `--follow` at the prompt that a file says in its own words, and those of output, which a rule has none of. */
const REFUSED = [
  ...(["until", "limit", "all", "exec", "webhook", "notify", "when", "changes"] as const),
  ...(["output", "jq", "out", "resume", "envelope"] as const),
];

/** Returns an error of a command line that names the fields of the rule instead of the flags that they became. */
function inWordsOfFile(error: unknown): unknown {
  if (!(error instanceof UsageError)) return error;
  const message = error.message.replace("for --follow", "for every").replace(/--follow\b:?/, "watching");
  return withMessage(error, message.replace(/--(when|changes)\b/, "$1"));
}

/** How rules are opened. */
export interface OpenRulesOptions {
  /** The name of the only rule that is opened. */
  readonly only?: string | undefined;
  /** The content of the file, in place of what is read from it. */
  readonly written?: WrittenRules | undefined;
  /** Returns the client of rules that name no other source (default: each has its own). */
  readonly client?: (() => Promise<ConnectedClient>) | undefined;
}

/**
 * Opens all rules of a file, or the one with a name.
 * @throws UsageError with the line and the name of the rule that is invalid
 */
export async function openRules(
  context: RunContext,
  path: string,
  { only, written, client }: OpenRulesOptions = {},
): Promise<OpenRules> {
  const { rules: texts, requests: maxRequests, placeOf } = written ?? (await readRules(path, context.io.signal));
  const definitions = new Map(Object.entries(texts));
  if (only !== undefined && !definitions.has(only)) {
    throw new UsageError(`${path} has no rule "${only}"`, { hint: `Rules: ${[...definitions.keys()].join(", ")}` });
  }
  if (definitions.size === 0) {
    throw new UsageError(`${path} has no rules`, { hint: "The form of the file: solx help rules" });
  }
  const closing = Promise.withResolvers<void>();
  const lines: Promise<void>[] = [];
  const close = async () => {
    closing.resolve();
    await Promise.allSettled(lines);
  };
  try {
    const rules: OpenRules["rules"][number][] = [];
    for (const [name, definition] of definitions) {
      if (only !== undefined && name !== only) continue;
      const { rule, line } = openLine(context, definition, { closing: closing.promise, client });
      lines.push(line);
      const place = (path: readonly PropertyKey[] = []) => `${placeOf(["rules", name, ...path])}: rule ${name}`;
      rules.push({
        name,
        definition,
        definitions: definition.then,
        placeOf: (action) => place(["then", action]),
        rule: await rule.catch((error: unknown) => Promise.reject(withPlace(error, place()))),
      });
    }
    return { rules, maxRequests, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Runs the command line of a rule until it is closed. */
function openLine(
  context: RunContext,
  { what, every, when, changes }: RuleDefinition,
  { closing, client }: Pick<OpenRulesOptions, "client"> & { readonly closing: Promise<void> },
) {
  const { io, globals, runLine } = context;
  const [first = "", ...others] = splitCommand(what);
  const words = first === "solx" ? others : [first, ...others];
  const flags = { when, changes };
  const argv = [
    ...words,
    `--follow=${every}`,
    ...Object.entries(flags).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`])),
  ];
  const opened = Promise.withResolvers<Rule>();
  const line = (runLine ?? noLines)({ ...io, argv, env: { ...io.env, ...flagVariables(globals) } }, (inner) => {
    const own = inner.session.client.bind(inner.session);
    if (client) inner.session.client = () => (Object.keys(flagVariables(inner.globals)).length > 0 ? own() : client());
    inner.onFollow = async (query) => {
      const refused = REFUSED.find((name) => !(name in flags) && inner.globals[name] !== undefined);
      if (refused !== undefined) throw new UsageError(`--${refused} cannot be used in what`);
      // Failures of polls are reported once, not each of their attempts.
      inner.reporter.onEvent(({ type }) => type === "retry" || type === "wait");
      opened.resolve(await openRule(inner, query));
      await closing;
    };
  }).then(
    () => opened.reject(new UsageError(`"${what}" cannot be followed`)),
    (error: unknown) => opened.reject(inWordsOfFile(error)),
  );
  return { rule: opened.promise, line };
}

const noLines = async () => {
  throw new UsageError("This program runs no other command lines.");
};

/** Returns the file with the state of rules. @throws UsageError where there is no folder for it */
export function stateFile({ io }: RunContext, path: string): string {
  const { state } = resolvePaths(io.env);
  if (state === undefined)
    throw new UsageError("there is no folder for the state of rules", { hint: "Set HOME or SOLX_HOME." });
  const name = basename(path).replace(/\.[^.]*$/, "");
  return join(state, "watch", `${name}-${sha256(resolve(path)).slice(0, 8)}.sqlite`);
}
