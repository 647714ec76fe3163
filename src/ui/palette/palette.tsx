/** The palette: one input that opens everything. */

import { useState } from "react";
import { chooseTheme, useThemePreview } from "../actions/theme-menu.tsx";
import { errorText } from "../data/query.ts";
import { Popup, popupSpace, useBody } from "../frame/popup.tsx";
import { type Explorer, useExplorer, useLatestReducer, usePopupBindings } from "../navigation/context.ts";
import { entityPage } from "../navigation/entity-pages.ts";
import { keyLabel } from "../navigation/keys/keymap.ts";
import { menuMouse } from "../navigation/pointer/pointer.ts";
import type { PopupOf } from "../navigation/popups.ts";
import type { Services } from "../navigation/services.ts";
import { type ThemeState, useTheme } from "../navigation/theme/use-theme.ts";
import { EDIT_KEYS } from "../widgets/text-field.ts";
import { type Candidate, formatCost } from "./candidates.ts";
import { type PromptMessage, paletteLines } from "./palette-lines.ts";
import {
  firstLine,
  initialPaletteState,
  type PaletteState,
  paletteReducer,
  startPaletteSession,
} from "./palette-state.ts";
import { answerPrompt, type EntityRef, nextPrompt, suggestIdentifiers, targetLabel } from "./prompt.ts";
import { usePaletteResults } from "./results.ts";

/** Maximum size of the palette, and its share of a large window. */
const MAX_SIZE = { width: 160, height: 40 } as const;
const SHARE = 0.8;
const SMALL = { width: 116, height: 22 } as const;

/** Height of a prompt without its suggestions, and maximum number of these. */
const PROMPT_HEIGHT = 6;
const MAX_SUGGESTIONS = 10;

const shareOf = (space: number, small: number, most: number) =>
  Math.min(space, most, Math.max(small, Math.floor(space * SHARE)));

/** The palette. */
export function Palette({ text = "" }: PopupOf<"palette">) {
  const explorer = useExplorer();
  const { services, navigation, closePopup } = explorer;
  const { setTheme } = useTheme();
  const [session] = useState(() => startPaletteSession(explorer, text));
  const [state, dispatch, read] = useLatestReducer(paletteReducer, () => initialPaletteState(session.text));
  const space = popupSpace(useBody());
  const suggestionsIn = ({ prompt }: PaletteState) =>
    prompt ? suggestIdentifiers(prompt, session.known, session.routes, services.now()) : [];
  const suggestions = suggestionsIn(state);
  const maxHeight = state.prompt
    ? PROMPT_HEIGHT + Math.min(suggestions.length, MAX_SUGGESTIONS)
    : shareOf(space.height, SMALL.height, MAX_SIZE.height);
  const size = {
    width: shareOf(space.width, SMALL.width, MAX_SIZE.width),
    height: Math.min(space.height, maxHeight),
  };
  const { results, resultsAt } = usePaletteResults(state, session);

  const choose = (candidate: Candidate | undefined) => {
    if (!candidate) return;
    const { action } = candidate;
    if (action.type === "tokens") return dispatch({ type: "tokens", query: action.query });
    if (action.type === "fill") return dispatch({ type: "complete", text: action.text });
    if (action.type === "ask") {
      const prompt = nextPrompt(action.target);
      if (prompt) return dispatch({ type: "ask", prompt, known: session.known });
    }
    closePopup();
    perform(explorer, setTheme, candidate);
  };
  const answer = (current: PaletteState) => {
    const result = current.prompt && answerPrompt(current.prompt, current.field.text, services.now());
    if (result?.prompt) dispatch({ type: "ask", prompt: result.prompt, known: session.known });
    if (!result?.route) return;
    closePopup();
    navigation.open(result.route);
  };
  const enter = async () => {
    const current = read();
    if (current.prompt) return answer(current);
    choose((await resultsAt(current)).candidates[current.selected]);
  };
  const complete = async () => {
    const current = read();
    const { candidates } = await resultsAt(current);
    const chosen = candidates[current.selected];
    const candidate = chosen?.kind === "line" ? candidates.find(({ kind }) => kind === "completion") : chosen;
    if (!candidate) return;
    const { action, fill, title } = candidate;
    dispatch({ type: "complete", text: action.type === "fill" ? action.text : (fill ?? `${title} `) });
  };
  const move = (by: number) => {
    const current = read();
    if (!current.prompt) return dispatch({ type: "move", by, count: results.candidates.length });
    // In a prompt, moving replaces the input by the next suggestion.
    const ids = suggestionsIn(current).map(({ id }) => id);
    const at = ids.indexOf(current.field.text.trim());
    const id = ids.at((at < 0 && by < 0 ? 0 : at) + Math.sign(by)) ?? ids[0];
    if (id !== undefined) dispatch({ type: "fill", text: id });
  };
  const leave = () => (read().searchField === undefined ? closePopup() : dispatch({ type: "leave" }));
  const isPrompting = state.prompt !== undefined;
  const candidates = isPrompting ? suggestions.map(suggestionCandidate) : results.candidates;
  const selected = isPrompting ? suggestions.findIndex(({ id }) => id === state.field.text.trim()) : state.selected;

  const action = isPrompting ? undefined : candidates[selected]?.action;
  useThemePreview(action?.type === "theme" ? action.theme : undefined);

  usePopupBindings(
    [
      { keys: ["enter"], label: "open", hint: 1, run: () => void enter() },
      { keys: ["tab"], label: "complete", hint: 2, active: !isPrompting, run: () => void complete() },
      { keys: ["down", "ctrl+n"], label: "next", hint: 3, run: () => move(1) },
      { keys: ["up", "ctrl+p"], label: "previous", hint: 4, run: () => move(-1) },
      { keys: ["pagedown"], label: "page down", run: () => move(size.height - 3) },
      { keys: ["pageup"], label: "page up", run: () => move(3 - size.height) },
      { keys: ["esc", "ctrl+c"], label: isPrompting ? "back" : "close", hint: 5, run: leave },
      { keys: EDIT_KEYS, label: "edit the line", run: (key) => dispatch({ type: "key", key }) },
    ],
    {
      onText: (text) => dispatch({ type: "text", text }),
      onPaste: (text) => dispatch({ type: "text", text: firstLine(text) }),
    },
  );
  const onMouse = menuMouse(move, (index) => {
    if (isPrompting) dispatch({ type: "fill", text: suggestions[index]?.id ?? "" });
    else choose(candidates[index]);
  });

  const promptLabel =
    state.prompt && `${targetLabel(state.prompt.target)} ${services.unicode ? "▸" : ">"} ${state.prompt.name}`;
  const messages = state.prompt ? promptMessages(state, services) : results.messages;
  const view = { promptLabel, field: state.field, ghost: results.ghost, messages, candidates, selected };
  const count = candidates.length;
  return (
    <Popup
      title="go to"
      lines={paletteLines(view, size, services.unicode)}
      width={size.width}
      footer={count === 0 || selected < 0 ? undefined : `${selected + 1} of ${count}`}
      onMouse={onMouse}
    />
  );
}

function perform(explorer: Explorer, setTheme: ThemeState["setTheme"], { action }: Candidate): void {
  const { navigation, services, toast } = explorer;
  if (action.type === "run") action.binding.run(action.binding.keys[0] ?? "");
  if (action.type === "theme") chooseTheme(explorer, setTheme, action.theme);
  if (action.type === "open") navigation.open(action.route);
  if (action.type === "line") {
    services.lines?.open(action.line).then(navigation.open, (error: unknown) => toast(errorText(error), "bad"));
  }
  if (action.type === "ask" && action.target.kind === "endpoint")
    navigation.open({ kind: "endpoint", endpointRoute: action.target.endpoint.route, params: {} });
}

function suggestionCandidate({ entity, id }: EntityRef): Candidate {
  const route = { kind: "entity", entity, id } as const;
  const { role } = entityPage(entity);
  return { kind: "recent", title: id, role, about: entity, action: { type: "open", route } };
}

function promptMessages({ prompt, field }: PaletteState, { now, source }: Services): readonly PromptMessage[] {
  if (!prompt) return [];
  const { target, param } = prompt;
  const isMain = target.kind === "endpoint" && param.positional;
  const about: PromptMessage = { text: `${isMain ? target.endpoint.summary : param.description}.`, role: "note" };
  if (field.text.trim() === "") return [about];
  const { problem } = answerPrompt(prompt, field.text, now());
  const costs = target.kind === "endpoint" ? formatCost(target.endpoint, source) : "";
  const cost = costs === "" ? "" : ` (${costs})`;
  if (!problem) return [about, { text: `Press ${keyLabel("enter")} to open${cost}.`, role: "good" }];
  const hint: readonly PromptMessage[] = problem.hint === undefined ? [] : [{ text: problem.hint, role: "note" }];
  return [{ text: problem.message, role: "bad" }, ...hint];
}
