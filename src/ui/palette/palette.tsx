/** The palette: one input that opens everything. */
import { useLayoutEffect, useMemo } from "react";
import { type Explorer, useBindings, useExplorer } from "../app/context.ts";
import { Popup, popupSpace } from "../app/popup.tsx";
import type { ThemeName } from "../app/theme/themes.ts";
import { useBody } from "../app/use-body.ts";
import { useLatestReducer } from "../app/use-latest-reducer.ts";
import { useResource } from "../data/hooks.ts";
import { rowsOf } from "../data/store.ts";
import { EDIT_KEYS } from "../form/text-field.ts";
import { type Candidate, formatCost } from "./candidates.ts";
import { suggestIdentifiers } from "./known-identifiers.ts";
import { type PromptMessage, paletteLines } from "./palette-lines.ts";
import { PALETTE_KEYS, type PaletteSession, startPaletteSession } from "./palette-session.ts";
import { initialPaletteState, type PaletteState, paletteReducer } from "./palette-state.ts";
import { answerPrompt, type EntityRef, nextPrompt, targetLabel } from "./prompt.ts";
import { type SearchResults, searchCandidates } from "./search.ts";
import {
  searchKnownTokens,
  searchTokens,
  TOKEN_LIST,
  TOKEN_LIST_PARAMS,
  TOKEN_SEARCH,
  tokenSearchParams,
} from "./token-search.ts";

/** Maximum size of the palette. */
const MAX_SIZE = { width: 112, height: 22 } as const;

/** Height of a prompt without its suggestions, and maximum number of these. */
const PROMPT_HEIGHT = 6;
const MAX_SUGGESTIONS = 10;

/** Opens the palette as an overlay. */
export function openPalette(explorer: Explorer): void {
  explorer.setOverlay(<Palette session={startPaletteSession(explorer)} />);
}

/** The palette of a session. */
export function Palette({ session }: { session: PaletteSession }) {
  const explorer = useExplorer();
  const { services, keys, navigation } = explorer;
  const [state, dispatch, read] = useLatestReducer(paletteReducer, initialPaletteState);
  const space = popupSpace(useBody());
  const suggestionsIn = ({ prompt }: PaletteState) =>
    prompt ? suggestIdentifiers(prompt, session.known, session.routes, services.now()) : [];
  const suggestions = suggestionsIn(state);
  const maxHeight = state.prompt ? PROMPT_HEIGHT + Math.min(suggestions.length, MAX_SUGGESTIONS) : MAX_SIZE.height;
  const size = { width: Math.min(space.width, MAX_SIZE.width), height: Math.min(space.height, maxHeight) };
  const tokenResults = useTokens(state.tokenQuery);
  const all = (text: string) => [...session.candidates, ...searchKnownTokens(explorer.data.tokens(), text)];
  const search = (current: PaletteState): SearchResults =>
    current.tokenQuery === undefined
      ? searchCandidates(current.field.text, all(current.field.text), services.now())
      : tokenResults;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the results depend on these alone.
  const results = useMemo(() => search(state), [state.field.text, state.tokenQuery, tokenResults, session]);

  const close = () => explorer.setOverlay(undefined);
  const choose = (candidate: Candidate | undefined) => {
    if (!candidate) return;
    const { action } = candidate;
    if (action.type === "tokens") return dispatch({ type: "tokens", query: action.query });
    if (action.type === "ask") {
      const prompt = nextPrompt(action.target);
      if (prompt) return dispatch({ type: "ask", prompt, known: session.known });
    }
    close();
    if (action.type === "run") action.binding.run(action.binding.keys[0] ?? "");
    if (action.type === "theme") chooseTheme(explorer, action.theme);
    if (action.type === "open") navigation.open(action.route);
    if (action.type === "ask" && action.target.kind === "endpoint")
      navigation.open({ kind: "endpoint", endpointRoute: action.target.endpoint.route, params: {} });
  };
  const answer = (current: PaletteState) => {
    const result = current.prompt && answerPrompt(current.prompt, current.field.text, services.now());
    if (result?.prompt) dispatch({ type: "ask", prompt: result.prompt, known: session.known });
    if (!result?.route) return;
    close();
    navigation.open(result.route);
  };
  const chosen = (current: PaletteState) => search(current).candidates[current.selected];
  const enter = () => {
    const current = read();
    if (current.prompt) answer(current);
    else choose(chosen(current));
  };
  const complete = () => {
    const current = read();
    const candidate = current.prompt ? undefined : chosen(current);
    if (candidate) dispatch({ type: "complete", text: `${candidate.title} ` });
  };
  const move = (by: number) => {
    const current = read();
    const ids = suggestionsIn(current).map(({ id }) => id);
    if (!current.prompt) return dispatch({ type: "move", by, count: search(current).candidates.length });
    // In a prompt, moving replaces the input by the next suggestion.
    const at = ids.indexOf(current.field.text.trim());
    const id = ids.at((at < 0 && by < 0 ? 0 : at) + Math.sign(by)) ?? ids[0];
    if (id !== undefined) dispatch({ type: "fill", text: id });
  };
  const leave = () => (read().searchField === undefined ? close() : dispatch({ type: "leave" }));
  const isPrompting = state.prompt !== undefined;

  useBindings(
    "overlay",
    [
      { keys: PALETTE_KEYS.enter, label: "open", group: "go", hint: 1, run: enter },
      { keys: PALETTE_KEYS.down, label: "next", group: "move", hint: 2, run: () => move(1) },
      { keys: PALETTE_KEYS.up, label: "previous", group: "move", hint: 3, run: () => move(-1) },
      { keys: PALETTE_KEYS.pageDown, label: "page down", group: "move", run: () => move(size.height - 3) },
      { keys: PALETTE_KEYS.pageUp, label: "page up", group: "move", run: () => move(3 - size.height) },
      { keys: PALETTE_KEYS.complete, label: "complete", group: "go", hint: 4, active: !isPrompting, run: complete },
      { keys: PALETTE_KEYS.close, label: isPrompting ? "back" : "close", group: "go", hint: 5, run: leave },
      { keys: EDIT_KEYS, label: "edit the line", group: "view", run: (key) => dispatch({ type: "key", key }) },
    ],
    {
      modal: true,
      onText: (text) => dispatch({ type: "text", text }),
      onPaste: (text) => dispatch({ type: "text", text }),
    },
  );
  useLayoutEffect(() => {
    for (const { name, text } of session.releaseKeys()) keys.press(name, text);
  }, [session, keys]);

  const promptLabel =
    state.prompt && `${targetLabel(state.prompt.target)} ${services.unicode ? "▸" : ">"} ${state.prompt.name}`;
  const known = suggestions.map(suggestionCandidate);
  const lines = paletteLines(
    {
      promptLabel,
      field: state.field,
      messages: state.prompt ? promptMessages(state, services.now()) : searchMessages(results),
      candidates: isPrompting ? known : results.candidates,
      selected: isPrompting ? suggestions.findIndex(({ id }) => id === state.field.text.trim()) : state.selected,
    },
    size,
    services.unicode,
  );
  return <Popup title="go to" lines={lines} width={size.width} footer={footer(state, results, services.unicode)} />;
}

/** Applies a theme and saves it for later runs. */
function chooseTheme({ services, setTheme, toast }: Explorer, theme: ThemeName): void {
  setTheme(theme);
  const saving = services.saveTheme?.(theme) ?? Promise.resolve();
  saving.then(
    () => toast(`theme ${theme}`, "good"),
    () => toast(`theme ${theme}; it could not be saved`, "warning"),
  );
}

/** Returns a suggested identifier as a palette entry. */
function suggestionCandidate({ entity, id }: EntityRef): Candidate {
  const route = { kind: "entity", entity, id } as const;
  return { kind: "recent", title: id, about: entity, keywords: "", action: { type: "open", route } };
}

function footer({ prompt, selected }: PaletteState, { candidates }: SearchResults, unicode: boolean): string {
  if (prompt) return "Enter open · Esc back";
  const keys = unicode ? "↑↓" : "Up/Down";
  if (candidates.length === 0) return "Esc close";
  return `${selected + 1} of ${candidates.length} · ${keys} choose · Enter open`;
}

/** Returns the messages of a prompt: what the value is for, or why it is invalid. */
function promptMessages({ prompt, field }: PaletteState, now: number): readonly PromptMessage[] {
  if (!prompt) return [];
  const { target, param } = prompt;
  const isMain = target.kind === "endpoint" && param.positional;
  const about: PromptMessage = { text: `${isMain ? target.endpoint.summary : param.description}.`, role: "note" };
  if (field.text.trim() === "") return [about];
  const { problem } = answerPrompt(prompt, field.text, now);
  const cost = target.kind === "endpoint" ? ` (${formatCost(target.endpoint)})` : "";
  if (!problem) return [about, { text: `Press Enter to open${cost}.`, role: "good" }];
  const hint: readonly PromptMessage[] = problem.hint === undefined ? [] : [{ text: problem.hint, role: "note" }];
  return [{ text: problem.message, role: "bad" }, ...hint];
}

function searchMessages({ note, candidates }: SearchResults): readonly PromptMessage[] {
  if (note !== undefined) return [{ text: note, role: "warning" }];
  return candidates.length === 0
    ? [{ text: "No results. Search for names, commands or identifiers.", role: "note" }]
    : [];
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
