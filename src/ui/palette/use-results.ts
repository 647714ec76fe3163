/** The results of the palette: of a search, a search for tokens, or a command line. */
import { useCallback, useEffect, useMemo, useState } from "react";
import { useExplorer } from "../app/context.ts";
import type { CommandLines } from "../app/services.ts";
import { useResource } from "../data/hooks.ts";
import { rowsOf } from "../data/store.ts";
import { searchKnownNames } from "./known-names.ts";
import { type InterpretedLine, type LineResults, lineResults } from "./line-results.ts";
import type { PromptMessage } from "./palette-lines.ts";
import type { PaletteSession } from "./palette-session.ts";
import type { PaletteState } from "./palette-state.ts";
import { type SearchResults, searchCandidates } from "./search.ts";
import { searchTokens, TOKEN_LIST, TOKEN_LIST_PARAMS, TOKEN_SEARCH, tokenSearchParams } from "./token-search.ts";

/** The results of the palette, and how to get those of a state that is not drawn yet. */
interface PaletteResults {
  readonly results: LineResults;
  readonly resultsAt: (state: PaletteState) => Promise<LineResults>;
}

/** Returns the results of the palette. */
export function usePaletteResults(state: PaletteState, session: PaletteSession): PaletteResults {
  const { services, data } = useExplorer();
  const tokens = useTokens(state.tokenQuery);
  const [line, readLine] = useLine(state.prompt ? "" : state.field.text);
  const compute = ({ field: { text }, tokenQuery }: PaletteState, interpreted: InterpretedLine | undefined) => {
    const now = services.now();
    const { known, routes, note } = session;
    const { node, supports } = services;
    if (tokenQuery !== undefined) return withMessages(tokens, undefined);
    if (interpreted) return lineResults(interpreted, { names: data.names, known, routes, now, node });
    const all = [...session.candidates, ...searchKnownNames(data.names, text)];
    return withMessages(searchCandidates(text, all, { supports, node, now }), text === session.text ? note : undefined);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the results depend on these alone.
  const results = useMemo(() => compute(state, line), [state.field.text, state.tokenQuery, tokens, line, session]);
  return {
    results,
    async resultsAt(current) {
      const { text } = current.field;
      return compute(current, line?.text === text ? line : await readLine(text));
    },
  };
}

/** Returns the results of a search with their messages. */
function withMessages({ candidates, note }: SearchResults, more: string | undefined): LineResults {
  const messages: PromptMessage[] = [note, more].flatMap((text) =>
    text === undefined ? [] : [{ text, role: "warning" }],
  );
  if (messages.length === 0 && candidates.length === 0) {
    messages.push({ text: "No results. Search for names, commands or identifiers.", role: "note" });
  }
  return { candidates, messages, ghost: "" };
}

const NO_RESULTS: SearchResults = { candidates: [], note: undefined };

/** Returns the tokens that match a name; the request is sent only for a query. */
function useTokens(query: string | undefined): SearchResults {
  const { services } = useExplorer();
  const search = useResource(TOKEN_SEARCH, tokenSearchParams(query ?? ""), query !== undefined);
  const hasNoSearch = search.problem?.exit === "notFound";
  const list = useResource(TOKEN_LIST, TOKEN_LIST_PARAMS, query !== undefined && hasNoSearch);
  const resource = hasNoSearch ? list : search;
  const rows = rowsOf(resource);
  const { isLoading, problem } = resource;
  return useMemo(() => {
    if (query === undefined) return NO_RESULTS;
    if (!rows) {
      const note = problem ? `${problem.message} ${problem.hint ?? ""}` : isLoading ? "Loading tokens…" : undefined;
      return { candidates: [], note };
    }
    const clock = { style: "relative", now: services.now(), timeZone: services.timeZone } as const;
    const candidates = searchTokens(rows, query.replace(/^\$/, ""), clock);
    const noMatch = "No token has this name or symbol. Enter a mint to open any token.";
    return { candidates, note: candidates.length === 0 ? noMatch : undefined };
  }, [query, rows, isLoading, problem, services]);
}

/** Lines that may be commands: several words, or the name of the program or a URL. */
const MAY_BE_LINE = /\S\s|^(?:solx|https?:)/;

async function interpret(lines: CommandLines | undefined, text: string): Promise<InterpretedLine | undefined> {
  if (!lines || !MAY_BE_LINE.test(text)) return undefined;
  const [view, completions] = await Promise.all([lines.interpret(text), lines.complete(text)]);
  return view && { text, view, completions };
}

/**
 * Returns the interpretation of the latest text, and a function that waits for that of any text. The interpretation of an
 * earlier text stays until that of the latest one is known, unless the latest one cannot be a command line.
 */
function useLine(
  text: string,
): readonly [InterpretedLine | undefined, (text: string) => Promise<InterpretedLine | undefined>] {
  const { services } = useExplorer();
  const [line, setLine] = useState<InterpretedLine>();
  const read = useCallback((typed: string) => interpret(services.lines, typed), [services]);
  useEffect(() => {
    let isLatest = true;
    void read(text).then((result) => {
      if (isLatest) setLine(result);
    });
    return () => {
      isLatest = false;
    };
  }, [read, text]);
  return [MAY_BE_LINE.test(text) ? line : undefined, read];
}
