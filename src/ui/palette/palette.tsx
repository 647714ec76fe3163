/** The palette: one input that opens everything. */

import { useState } from "react";
import type { ParameterValues } from "../../catalogue/index.ts";
import { chooseTheme, useThemePreview } from "../actions/theme-menu.tsx";
import { errorText } from "../data/query.ts";
import { Popup, popupSpace, useBody } from "../frame/popup.tsx";
import { type Explorer, useExplorer, useLatestReducer, usePopupBindings } from "../navigation/context.ts";
import { menuMouse } from "../navigation/pointer/pointer.ts";
import type { PopupOf } from "../navigation/popups.ts";
import { type ThemeState, useTheme } from "../navigation/theme/use-theme.ts";
import { pageOfRoute } from "../pages/records.ts";
import { EDIT_KEYS } from "../widgets/text-field.ts";
import type { Candidate, CandidateAction } from "./candidates.ts";
import { failedOnlyState } from "./conditions.ts";
import { paletteLines } from "./palette-lines.ts";
import { firstLine, initialPaletteState, paletteReducer, startPaletteSession } from "./palette-state.ts";
import { defaultParams, normalizeParams } from "./prompt.ts";
import { usePaletteResults } from "./results.ts";

/** Maximum size of the palette, and its share of a large window. */
const MAX_SIZE = { width: 160, height: 40 } as const;
const SHARE = 0.8;
const SMALL = { width: 116, height: 22 } as const;

const shareOf = (space: number, small: number, most: number) =>
  Math.min(space, most, Math.max(small, Math.floor(space * SHARE)));

/** The palette. */
export function Palette(opened: PopupOf<"palette">) {
  const explorer = useExplorer();
  const { services, closePopup } = explorer;
  const { setTheme } = useTheme();
  const [session] = useState(() => startPaletteSession(explorer, opened));
  const [state, dispatch, read] = useLatestReducer(paletteReducer, () => initialPaletteState(session.text));
  const space = popupSpace(useBody());
  const size = {
    width: shareOf(space.width, SMALL.width, MAX_SIZE.width),
    height: shareOf(space.height, SMALL.height, MAX_SIZE.height),
  };
  const isHelp = session.keys !== undefined;
  const { results, resultsAt } = usePaletteResults(state, session);

  const choose = (candidate: Candidate | undefined) => {
    if (!candidate) return;
    const { action } = candidate;
    if (action.type === "tokens") return dispatch({ type: "tokens", query: action.query });
    if (action.type === "fill") return dispatch({ type: "complete", text: action.text });
    closePopup();
    if (action.type === "ask") {
      ask(explorer, action, { ...defaultParams(action.endpoint, session.known), ...action.params });
    } else perform(explorer, setTheme, candidate);
  };
  const enter = async () => {
    const current = read();
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
  const { candidates, ghost, messages } = results;
  const move = (by: number) => dispatch({ type: "move", by, count: candidates.length });
  const leave = () => (read().searchField === undefined ? closePopup() : dispatch({ type: "leave" }));
  const { field, selected } = state;
  const action = candidates[selected]?.action;
  useThemePreview(action?.type === "theme" ? action.theme : undefined);

  usePopupBindings(
    [
      { keys: ["enter"], label: isHelp ? "run" : "open", hint: 1, run: () => void enter() },
      { keys: ["tab"], label: "complete", hint: 2, active: !isHelp, run: () => void complete() },
      { keys: ["down", "ctrl+n"], label: "next", hint: 3, run: () => move(1) },
      { keys: ["up", "ctrl+p"], label: "previous", hint: 4, run: () => move(-1) },
      { keys: ["pagedown"], label: "page down", run: () => move(size.height - 3) },
      { keys: ["pageup"], label: "page up", run: () => move(3 - size.height) },
      { keys: ["esc", "ctrl+c"], label: "close", hint: 5, run: leave },
      { keys: ["?"], label: "close", active: isHelp && field.text === "", run: closePopup },
      { keys: EDIT_KEYS, label: "edit the line", run: (key) => dispatch({ type: "key", key }) },
    ],
    {
      onText: (text) => dispatch({ type: "text", text }),
      // What is pasted over the keys is opened.
      ...(!isHelp && { onPaste: (text) => dispatch({ type: "text", text: firstLine(text) }) }),
    },
  );
  const onMouse = menuMouse(move, (index) => choose(candidates[index]));
  const placeholder = isHelp ? "a word or a key" : "a name, an identifier, a command or an action";
  const view = { field, ghost, placeholder, messages, candidates, selected };
  const count = candidates.length;
  return (
    <Popup
      title={isHelp ? "Keys" : "go to"}
      lines={paletteLines(view, size, services.unicode)}
      width={size.width}
      footer={count === 0 ? undefined : `${selected + 1} of ${count}`}
      onMouse={onMouse}
    />
  );
}

function perform(explorer: Explorer, setTheme: ThemeState["setTheme"], { action }: Candidate): void {
  const { navigation, services, toast } = explorer;
  if (action.type === "run") action.binding.run(action.binding.keys[0] ?? "");
  if (action.type === "theme") chooseTheme(explorer, setTheme, action.theme);
  if (action.type === "open") navigation.open(pageOfRoute(action.route), action.state);
  if (action.type === "explain") toast(action.text, "warning");
  if (action.type === "line") {
    services.lines?.open(action.line).then(
      (route) => navigation.open(pageOfRoute(route)),
      (error: unknown) => toast(errorText(error), "bad"),
    );
  }
}

/** Opens the form of a command, in which its required parameters come first. */
function ask(
  { openPopup, navigation, services }: Explorer,
  { endpoint, isFailedOnly = false }: Extract<CandidateAction, { readonly type: "ask" }>,
  params: ParameterValues,
): void {
  openPopup({
    kind: "filter-form",
    label: "open",
    endpoint,
    params,
    fixed: [],
    onDone: (entered) => {
      const normalized = normalizeParams(endpoint, entered, services.now());
      const route = { kind: "endpoint", endpointRoute: endpoint.route, params: normalized } as const;
      navigation.open(pageOfRoute(route), isFailedOnly ? failedOnlyState(endpoint, route) : undefined);
    },
  });
}
