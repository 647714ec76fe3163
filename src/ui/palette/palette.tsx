/** The palette: one line that opens everything. */
import { useLayoutEffect, useMemo } from "react";
import { type Explorer, useBindings, useExplorer } from "../app/context.ts";
import { useBody } from "../app/layout.ts";
import { Popup, popupRoom } from "../app/popup.tsx";
import type { ThemeName } from "../app/theme/themes.ts";
import { useLatest } from "../app/use-latest-reducer.ts";
import { useResource } from "../data/hooks.ts";
import { rowsOf } from "../data/store.ts";
import { EDIT_KEYS } from "../form/text-field.ts";
import { type Candidate, costText } from "./candidates.ts";
import { suggestionsFor } from "./known-identifiers.ts";
import { paletteLines, type Told } from "./palette-lines.ts";
import { beginSession, PALETTE_KEYS, type Session } from "./palette-session.ts";
import { type PaletteState, paletteState, paletteStep } from "./palette-state.ts";
import { type AtHand, answered, questionOf, wordsOf } from "./prompt.ts";
import { type Offer, offerOf } from "./search.ts";
import { knownTokens, TOKEN_LIST, TOKEN_LIST_PARAMS, tokensLike } from "./token-search.ts";

/** The palette at its greatest. */
const MOST = { width: 112, height: 22 } as const;

/** Its lines where something is asked for, beside those of what is suggested. */
const LEAST_ASKING = 6;
const MOST_SUGGESTED = 10;

/** Lays the palette over the screen. */
export function openPalette(explorer: Explorer): void {
  explorer.setOverlay(<Palette session={beginSession(explorer)} />);
}

export function Palette({ session }: { session: Session }) {
  const explorer = useExplorer();
  const { services, keys, navigation } = explorer;
  const [state, dispatch, read] = useLatest(paletteStep, paletteState);
  const room = popupRoom(useBody());
  const suggested = ({ question }: PaletteState) =>
    question ? suggestionsFor(question, session.atHand, session.places, services.now()) : [];
  const suggestions = suggested(state);
  const most = state.question ? LEAST_ASKING + Math.min(suggestions.length, MOST_SUGGESTED) : MOST.height;
  const size = { width: Math.min(room.width, MOST.width), height: Math.min(room.height, most) };
  const found = useTokens(state.tokens);
  const all = (text: string) => [...session.candidates, ...knownTokens(explorer.data.tokens(), text)];
  const offer = (now: PaletteState): Offer =>
    now.tokens === undefined ? offerOf(now.field.text, all(now.field.text), services.now()) : found;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is offered follows from these alone.
  const shown = useMemo(() => offer(state), [state.field.text, state.tokens, found, session]);

  const close = () => explorer.setOverlay(undefined);
  const choose = (candidate: Candidate | undefined) => {
    if (!candidate) return;
    const { effect } = candidate;
    if (effect.do === "tokens") return dispatch({ type: "tokens", wanted: effect.wanted });
    if (effect.do === "ask") {
      const question = questionOf(effect.asked);
      if (question) return dispatch({ type: "ask", question, atHand: session.atHand });
    }
    close();
    if (effect.do === "run") effect.binding.run(effect.binding.keys[0] ?? "");
    if (effect.do === "theme") chooseTheme(explorer, effect.theme);
    if (effect.do === "open") navigation.open(effect.place);
    if (effect.do === "ask" && effect.asked.kind === "endpoint")
      navigation.open({ kind: "endpoint", route: effect.asked.endpoint.route, params: {} });
  };
  const answer = (now: PaletteState) => {
    const outcome = now.question && answered(now.question, now.field.text, services.now());
    if (outcome?.question) dispatch({ type: "ask", question: outcome.question, atHand: session.atHand });
    if (!outcome?.place) return;
    close();
    navigation.open(outcome.place);
  };
  const chosen = (now: PaletteState) => offer(now).candidates[now.selected];
  const enter = () => {
    const now = read();
    if (now.question) answer(now);
    else choose(chosen(now));
  };
  const complete = () => {
    const now = read();
    const candidate = now.question ? undefined : chosen(now);
    if (candidate) dispatch({ type: "complete", text: `${candidate.title} ` });
  };
  const move = (by: number) => {
    const now = read();
    const ids = suggested(now).map(({ id }) => id);
    if (!now.question) return dispatch({ type: "move", by, count: offer(now).candidates.length });
    // Where an identifier is asked for, the line itself goes through those that are known.
    const at = ids.indexOf(now.field.text.trim());
    const id = ids.at((at < 0 && by < 0 ? 0 : at) + Math.sign(by)) ?? ids[0];
    if (id !== undefined) dispatch({ type: "fill", text: id });
  };
  const leave = () => (read().before === undefined ? close() : dispatch({ type: "leave" }));
  const isAsking = state.question !== undefined;

  useBindings(
    "overlay",
    [
      { keys: PALETTE_KEYS.enter, label: "open", group: "go", hint: 1, run: enter },
      { keys: PALETTE_KEYS.down, label: "next", group: "move", hint: 2, run: () => move(1) },
      { keys: PALETTE_KEYS.up, label: "previous", group: "move", hint: 3, run: () => move(-1) },
      { keys: PALETTE_KEYS.pageDown, label: "page down", group: "move", run: () => move(size.height - 3) },
      { keys: PALETTE_KEYS.pageUp, label: "page up", group: "move", run: () => move(3 - size.height) },
      { keys: PALETTE_KEYS.complete, label: "complete", group: "go", hint: 4, active: !isAsking, run: complete },
      { keys: PALETTE_KEYS.close, label: isAsking ? "back" : "close", group: "go", hint: 5, run: leave },
      { keys: EDIT_KEYS, label: "edit the line", group: "view", run: (key) => dispatch({ type: "key", key }) },
    ],
    {
      modal: true,
      onText: (text) => dispatch({ type: "text", text }),
      onPaste: (text) => dispatch({ type: "text", text }),
    },
  );
  useLayoutEffect(() => {
    for (const { name, text } of session.takeKeys()) keys.press(name, text);
  }, [session, keys]);

  const asked =
    state.question && `${wordsOf(state.question.asked)} ${services.unicode ? "▸" : ">"} ${state.question.name}`;
  const known = suggestions.map(suggestionCandidate);
  const lines = paletteLines(
    {
      asked,
      field: state.field,
      told: state.question ? toldOf(state, services.now()) : noteOf(shown),
      candidates: isAsking ? known : shown.candidates,
      selected: isAsking ? suggestions.findIndex(({ id }) => id === state.field.text.trim()) : state.selected,
    },
    size,
    services.unicode,
  );
  return <Popup title="go to" lines={lines} width={size.width} footer={footer(state, shown, services.unicode)} />;
}

/** Dresses the screen, and keeps that for the next time. */
function chooseTheme({ services, setTheme, toast }: Explorer, theme: ThemeName): void {
  setTheme(theme);
  const kept = services.keepTheme?.(theme) ?? Promise.resolve();
  kept.then(
    () => toast(`Theme ${theme}.`, "good"),
    () => toast(`Theme ${theme}; it could not be kept for the next time.`, "warning"),
  );
}

/** An identifier that may be meant, as a line. */
function suggestionCandidate({ thing, id }: AtHand): Candidate {
  const place = { kind: "thing", thing, id } as const;
  return { kind: "recent", title: id, about: thing, words: "", effect: { do: "open", place } };
}

function footer({ question, selected }: PaletteState, { candidates }: Offer, unicode: boolean): string {
  if (question) return "Enter opens, Esc goes back";
  const keys = unicode ? "↑↓" : "Up/Down";
  if (candidates.length === 0) return "Esc closes";
  return `${selected + 1} of ${candidates.length}, ${keys} choose, Enter opens`;
}

/** What is said while something is asked for: what it is for, and what is wrong with it. */
function toldOf({ question, field }: PaletteState, now: number): readonly Told[] {
  if (!question) return [];
  const { asked, param } = question;
  const isMain = asked.kind === "endpoint" && param.positional;
  const about: Told = { text: `${isMain ? asked.endpoint.summary : param.description}.`, role: "note" };
  if (field.text.trim() === "") return [about];
  const { problem } = answered(question, field.text, now);
  const cost = asked.kind === "endpoint" ? ` (${costText(asked.endpoint)})` : "";
  if (!problem) return [about, { text: `Enter opens it${cost}.`, role: "good" }];
  const hint: readonly Told[] = problem.hint === undefined ? [] : [{ text: problem.hint, role: "note" }];
  return [{ text: problem.message, role: "bad" }, ...hint];
}

function noteOf({ note, candidates }: Offer): readonly Told[] {
  if (note !== undefined) return [{ text: note, role: "warning" }];
  return candidates.length === 0
    ? [{ text: "Nothing is called so. Names, commands and identifiers are found.", role: "note" }]
    : [];
}

const NOBODY: Offer = { candidates: [], note: undefined };

/** The tokens that a name may mean, asked for only once somebody looks for one. */
function useTokens(wanted: string | undefined): Offer {
  const { services } = useExplorer();
  const resource = useResource(TOKEN_LIST, TOKEN_LIST_PARAMS, wanted !== undefined);
  const rows = rowsOf(resource);
  const { isLoading, problem } = resource;
  return useMemo(() => {
    if (wanted === undefined) return NOBODY;
    if (!rows) {
      const note = problem
        ? `${problem.message} ${problem.hint ?? ""}`
        : isLoading
          ? "Asking for the tokens …"
          : undefined;
      return { candidates: [], note };
    }
    const clock = { style: "relative", now: services.now(), timeZone: services.timeZone } as const;
    const candidates = tokensLike(rows, wanted, clock);
    const none = `None of the ${rows.length} tokens of the greatest market value is called so. A mint always opens its token.`;
    return { candidates, note: candidates.length === 0 ? none : undefined };
  }, [wanted, rows, isLoading, problem, services]);
}
