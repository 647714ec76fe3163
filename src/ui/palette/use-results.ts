/** The results of the palette: of a search, a search for tokens, or a command line. */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useResource } from "../data/hooks.ts";
import { useExplorer } from "../navigation/context.ts";
import { rowsOf } from "../navigation/data-store.ts";
import type { CommandLines, LineCorrection } from "../navigation/services.ts";
import { searchKnownNames } from "./known-names.ts";
import { correctionResults, type InterpretedLine, type LineResults, lineResults } from "./line-results.ts";
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
  const search = (text: string): SearchResults => {
    const { supports, source } = services;
    const all = [...session.candidates, ...searchKnownNames(data.names, text)];
    return searchCandidates(text, all, { supports, source, now: services.now() });
  };
  const [typed, readTyped] = useTypedText(state.prompt ? "" : state.field.text, search);
  const compute = ({ field: { text }, tokenQuery }: PaletteState, { line, correction }: TypedText): LineResults => {
    const { known, routes, note } = session;
    if (tokenQuery !== undefined) return withMessages(tokens, undefined);
    if (line)
      return lineResults(line, { names: data.names, known, routes, now: services.now(), source: services.source });
    const results = search(text);
    if (!correction || !isFruitless(results)) return withMessages(results, text === session.text ? note : undefined);
    const { candidates, messages } = correctionResults(correction);
    return { candidates: [...candidates, ...results.candidates], messages, ghost: "" };
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the results depend on these alone.
  const results = useMemo(() => compute(state, typed), [state.field.text, state.tokenQuery, tokens, typed, session]);
  return {
    results,
    resultsAt: async (current) => compute(current, await readTyped(current.field.text)),
  };
}

/** Returns whether a search has neither results, except for a further search, nor a reason for it. */
const isFruitless = ({ candidates, note }: SearchResults) =>
  note === undefined && candidates.every(({ kind }) => kind === "search");

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

/** What a text is as a command line. */
interface TypedText {
  readonly text: string;
  readonly line?: InterpretedLine | undefined;
  /** What it may stand for when it is no command line and nothing else matches. */
  readonly correction?: LineCorrection | undefined;
}

async function readText(
  text: string,
  lines: CommandLines | undefined,
  search: (text: string) => SearchResults,
): Promise<TypedText> {
  if (!lines || text.trim() === "") return { text };
  const [view, completions] = MAY_BE_LINE.test(text)
    ? await Promise.all([lines.interpret(text), lines.complete(text)])
    : [];
  if (view && completions) return { text, line: { text, view, completions } };
  return { text, correction: isFruitless(search(text)) ? await lines.correct(text) : undefined };
}

/**
 * Returns what the latest text is, and a function that waits for that of any text. A command line stays until the latest
 * text has been read, unless the latest one cannot be a command line.
 */
function useTypedText(
  text: string,
  search: (text: string) => SearchResults,
): readonly [TypedText, (text: string) => Promise<TypedText>] {
  const { services } = useExplorer();
  const [typed, setTyped] = useState(NOTHING_TYPED);
  const latestSearch = useRef(search);
  latestSearch.current = search;
  const read = useCallback((one: string) => readText(one, services.lines, latestSearch.current), [services]);
  useEffect(() => {
    let isLatest = true;
    void read(text).then((result) => {
      if (isLatest) setTyped(result);
    });
    return () => {
      isLatest = false;
    };
  }, [read, text]);
  const isCurrent = typed.text === text || (typed.line !== undefined && MAY_BE_LINE.test(text));
  return [isCurrent ? typed : NOTHING_TYPED, (one) => (one === typed.text ? Promise.resolve(typed) : read(one))];
}

const NOTHING_TYPED: TypedText = { text: "" };
