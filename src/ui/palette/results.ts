/** The results of the palette: of a search, a search for tokens, or a command line. */

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { quoteForShell } from "../../catalogue/index.ts";
import type { ValueProblem } from "../../client/index.ts";
import { type Names, nameText, safeText } from "../../output/index.ts";
import { useResource } from "../data/hooks.ts";
import { useExplorer } from "../navigation/context.ts";
import { rowsOf } from "../navigation/data-store.ts";
import { entityPage } from "../navigation/entity-pages.ts";
import { describeRoute, endpointOfRoute, type Route } from "../navigation/route.ts";
import type {
  CommandLines,
  FoundCommands,
  LineCompletions,
  LineCorrection,
  LineView,
  Services,
} from "../navigation/services.ts";
import { type Candidate, formatCost } from "./candidates.ts";
import { readConditions, withConditions } from "./conditions.ts";
import { filterHelp } from "./keys.ts";
import {
  searchKnownNames,
  searchTokens,
  TOKEN_LIST,
  TOKEN_LIST_PARAMS,
  TOKEN_SEARCH,
  tokenSearchParams,
} from "./names.ts";
import type { PromptMessage } from "./palette-lines.ts";
import type { PaletteSession, PaletteState } from "./palette-state.ts";
import { type EntityRef, type Prompt, suggestIdentifiers } from "./prompt.ts";
import { type SearchResults, searchCandidates } from "./search.ts";

interface PaletteResults {
  readonly results: LineResults;
  readonly resultsAt: (state: PaletteState) => Promise<LineResults>;
}

/** Returns the results of the palette. */
export function usePaletteResults(state: PaletteState, session: PaletteSession): PaletteResults {
  const { services, data } = useExplorer();
  const tokens = useTokens(state.tokenQuery);
  const search = (text: string, found: readonly string[] = []): SearchResults => {
    const all = [...session.candidates, ...searchKnownNames(data.names, text)];
    const { candidates, note } = searchCandidates(text, all, services, found);
    return { candidates: found.length > 0 ? withConditions(candidates, readConditions(text)) : candidates, note };
  };
  const [typed, readTyped] = useTypedText(state.field.text, search);
  const compute = (
    { field: { text }, tokenQuery }: PaletteState,
    { line, correction, found }: TypedText,
  ): LineResults => {
    const { keys, known, routes, note } = session;
    if (keys) {
      const candidates = filterHelp(keys, text);
      return withMessages({ candidates, note: candidates.length === 0 ? "No key matches." : undefined }, undefined);
    }
    if (tokenQuery !== undefined) return withMessages(tokens, undefined);
    if (line)
      return lineResults(line, { names: data.names, known, routes, now: services.now(), source: services.source });
    const results = search(text, found?.commands);
    if (!correction || !isFruitless(results)) {
      return withMessages(results, text === session.text ? note : found?.note);
    }
    const { candidates, messages } = correctionResults(correction);
    return { candidates: [...candidates, ...results.candidates], messages };
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the results depend on these alone.
  const results = useMemo(() => compute(state, typed), [state.field.text, state.tokenQuery, tokens, typed, session]);
  return {
    results,
    resultsAt: async (current) => compute(current, await readTyped(current.field.text)),
  };
}

const isFruitless = ({ candidates, note }: SearchResults) =>
  note === undefined && candidates.every(({ kind }) => kind === "search");

function withMessages({ candidates, note }: SearchResults, more: string | undefined): LineResults {
  const messages: PromptMessage[] = [note, more].flatMap((text) =>
    text === undefined ? [] : [{ text, role: "warning" }],
  );
  if (messages.length === 0 && candidates.length === 0) {
    messages.push({ text: "No results. Search for names, commands or identifiers.", role: "note" });
  }
  return { candidates, messages };
}

const NO_RESULTS: SearchResults = { candidates: [], note: undefined };

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

const MAY_BE_LINE = /\S\s|^(?:solx|https?:)/;

interface TypedText {
  readonly text: string;
  readonly line?: InterpretedLine | undefined;
  /** What it may stand for when it is no command line and nothing else matches. */
  readonly correction?: LineCorrection | undefined;
  /** What answers it as a question. */
  readonly found?: FoundCommands | undefined;
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
  const { subject } = readConditions(text);
  const isQuestion = subject !== text.trim();
  const correction = !isQuestion && isFruitless(search(text)) ? await lines.correct(text) : undefined;
  return { text, correction, found: correction ? undefined : await lines.find(subject) };
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

/** Returns the problem of a mistyped line, and a candidate for each line that it may stand for. */
function correctionResults({ message, hint, lines }: LineCorrection): LineResults {
  return {
    candidates: lines.map((text) => ({
      kind: "completion",
      title: safeText(text),
      about: "",
      action: { type: "fill", text: `${text} ` },
    })),
    messages: problemMessages({ message, hint }),
  };
}

function problemMessages({ message, hint }: ValueProblem): readonly PromptMessage[] {
  const bad: PromptMessage = { text: safeText(message), role: "bad" };
  return hint === undefined ? [bad] : [bad, { text: safeText(hint), role: "note" }];
}

interface InterpretedLine {
  readonly text: string;
  readonly view: LineView;
  readonly completions: LineCompletions;
}

interface LineSources {
  readonly names: Names;
  /** Identifiers of the current view, and recent and bookmarked routes. */
  readonly known: readonly EntityRef[];
  readonly routes: readonly Route[];
  readonly now: number;
  readonly source: Services["source"];
}

interface LineResults {
  readonly candidates: readonly Candidate[];
  readonly messages: readonly PromptMessage[];
  /** What completing adds to the input. */
  readonly ghost?: string;
}

/** Returns the view of a line as the first candidate, then its completions. */
function lineResults(line: InterpretedLine, sources: LineSources): LineResults {
  const { text, view, completions } = line;
  const opening = openingCandidate(line, sources);
  const words = completions.candidates.map(
    ([word, about]): Candidate => ({
      kind: "completion",
      title: safeText(word.trimEnd()),
      about: safeText(about),
      action: { type: "fill", text: completions.start + word },
    }),
  );
  const all = [...words, ...identifierCandidates(completions, text, sources)];
  const typed = text.slice(completions.start.length);
  const ready = opening === undefined ? [] : [opening];
  const [first] = all;
  const whole = first?.action.type === "fill" ? first.action.text : "";
  return {
    candidates: [...ready, ...all.filter(({ action }) => action.type !== "fill" || action.text.trimEnd() !== text)],
    messages: messagesOf(view, first !== undefined && (typed !== "" || !first.title.startsWith("-"))),
    ghost: typed !== "" && whole.startsWith(text) ? whole.slice(text.length).trimEnd() : "",
  };
}

function openingCandidate({ text, view }: InterpretedLine, { names, source }: LineSources): Candidate | undefined {
  const { route, problem } = view;
  if (problem) return undefined;
  if (!route) {
    const line = text.trim();
    return {
      kind: "line",
      title: safeText(line),
      about: "Looks the symbol up",
      action: { type: "line", line },
    };
  }
  const endpoint = endpointOfRoute(route);
  const nameOf = (address: string) => nameText(names.of(address));
  return {
    kind: "line",
    title: titleOf(route),
    ...(route.kind === "entity" && { role: entityPage(route.entity).role }),
    about: route.kind === "page" ? "" : [endpoint?.summary, describeRoute(route, nameOf)].filter(Boolean).join(" · "),
    ...(endpoint && { aside: formatCost(endpoint, source) }),
    action: { type: "open", route },
  };
}

const titleOf = (route: Route) =>
  route.kind === "page" ? route.page : route.kind === "entity" ? route.entity : (endpointOfRoute(route)?.command ?? "");

/** Returns the identifiers that the last word may be: those of the view, recent ones, and those with a name. */
function identifierCandidates(
  { parameter, start }: LineCompletions,
  text: string,
  { names, known, routes, now }: LineSources,
): readonly Candidate[] {
  const { endpoint, name } = parameter ?? {};
  const param = name === undefined ? undefined : endpoint?.query[name];
  if (!endpoint || !param || name === undefined) return [];
  const prompt: Prompt = { endpoint, name, param, values: {} };
  const typed = text.slice(start.length);
  const recent = suggestIdentifiers(prompt, known, routes, now).filter(
    ({ id }) => id.startsWith(typed) && id !== typed,
  );
  const named =
    param.type === "address"
      ? searchKnownNames(names, typed).flatMap(({ action }) =>
          action.type === "open" && action.route.kind === "entity" ? [action.route] : [],
        )
      : [];
  const all = new Map([...named, ...recent].map(({ entity, id }) => [id, entity]));
  return [...all].map(([id, entity]): Candidate => {
    const title = nameText(names.of(id));
    return {
      kind: "completion",
      title: safeText(title ?? id),
      role: entityPage(entity).role,
      about: title === undefined ? entity : `${entity} ${safeText(id)}`,
      action: { type: "fill", text: `${start}${quoteForShell(id)} ` },
    };
  });
}

/** Returns why a line opens nothing; not yet an error while its last word can be completed. */
function messagesOf({ problem, ignored }: LineView, canComplete: boolean): readonly PromptMessage[] {
  if (problem) {
    return canComplete ? [{ text: safeText(problem.message), role: "note" }] : problemMessages(problem);
  }
  if (ignored.length === 0) return [];
  return [{ text: `No effect here: ${ignored.join(", ")}`, role: "warning" }];
}
