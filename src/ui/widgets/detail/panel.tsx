/** The object of any endpoint: fields with units, nested values that fold, and the raw JSON, with its keys. */

import { useMemo } from "react";
import type { ZodType } from "zod";
import { isArray, isObject, type Json } from "../../../base/index.ts";
import { type Endpoint, type ParameterValues, recordOf, UNKNOWN_SHAPE } from "../../../catalogue/index.ts";
import { deriveShape, ENTITIES } from "../../../catalogue/schemas.ts";
import { createNamer } from "../../../output/index.ts";
import { DETAIL_AGE_MS, useNameOf, useNow, useResource } from "../../data/hooks.ts";
import { ResourceStatus, useResourceLine } from "../../data/status.tsx";
import { Lines } from "../../frame/lines.tsx";
import {
  type Region,
  type Size,
  useBindings,
  useExplorer,
  usePaneFit,
  useSubject,
  useViewState,
} from "../../navigation/context.ts";
import type { EntityKind } from "../../navigation/entity-pages.ts";
import { bindAction, type KeyLabels, keyLabelsOf } from "../../navigation/keys/bindings.ts";
import type { Binding } from "../../navigation/keys/keymap.ts";
import { isSameRoute, type Route } from "../../navigation/route.ts";
import { type TextLine, textLine } from "../../navigation/theme/text-line.ts";
import type { MouseEvent } from "../../terminal/mouse.ts";
import { EDIT_KEYS } from "../text-field.ts";
import { cursorLine, fillLines, itemAtLine, moveBindings, wheelMovement, windowEnd } from "../viewport.ts";
import { footerHeight, footerLines } from "./footer.ts";
import { type LiveOptions, routeOfNode, searchPattern } from "./format.ts";
import { createDetailModel } from "./model.ts";
import {
  type DetailAction,
  type DetailModel,
  type DetailState,
  INITIAL_DETAIL_STATE,
  normalizeState,
  reduce,
  visibleIndex,
} from "./reducer.ts";
import { isOpen, nodeKind, singleValue, type ValueNode } from "./value-tree.ts";

interface DetailPanelProps {
  readonly endpoint: Endpoint;
  readonly params: ParameterValues;
  readonly region: Region;
  readonly part: string;
  readonly addressEntity?: EntityKind | undefined;
  readonly active?: boolean | undefined;
}

/** Shows the answer of an endpoint as a detail view. */
export function DetailPanel({ endpoint, params, region, part, active = true }: DetailPanelProps) {
  const resource = useResource(endpoint, params);
  const notice = useResourceLine(resource);
  const data = resource.answer?.data;
  const value = useMemo(() => (data === undefined ? undefined : recordOf(endpoint, data)), [endpoint, data]);
  const hasValue = value !== undefined;
  useBindings("panel", [
    bindAction("view.refresh", "refresh", resource.refresh, { hint: 30, active: active && !hasValue }),
    bindAction("view.cancel", "stop loading", resource.cancel, { hint: 4, active: active && resource.isLoading }),
  ]);
  if (!hasValue) return <ResourceStatus resource={resource} region={region} />;
  return (
    <ValuePanel
      value={value}
      entity={ENTITIES[endpoint.returns.entity]}
      request={resource.request}
      region={region}
      part={part}
      active={active}
      notice={notice}
      refresh={resource.refresh}
    />
  );
}

interface ValuePanelProps {
  /** The value, and its schema if there is one. */
  readonly value: Json;
  readonly entity?: ZodType | undefined;
  /** The request of the value, for copying and the command line. */
  readonly request?: { readonly endpoint: Endpoint; readonly params: ParameterValues } | undefined;
  readonly region: Region;
  readonly part: string;
  readonly addressEntity?: EntityKind | undefined;
  readonly active?: boolean | undefined;
  /** The state of the answer, displayed at the bottom. */
  readonly notice?: TextLine | undefined;
  readonly refresh?: (() => void) | undefined;
}

/** Lines of the footer at most. */
const FOOTER_LINES = 3;

/** Shows a value that is already available, such as a part of an answer. */
export function ValuePanel(props: ValuePanelProps) {
  const { value, entity, request, region, part, active = true, notice, refresh } = props;
  const { width, height } = region;
  const explorer = useExplorer();
  const { services, navigation } = explorer;
  const { unicode, timeZone } = services;
  const now = useNow(DETAIL_AGE_MS);
  const [stored, setState] = useViewState<DetailState>(`${part}/detail`, INITIAL_DETAIL_STATE);
  const hasNotice = notice !== undefined;
  const nameOf = useNameOf();
  const model = useMemo(() => {
    const options = { unicode, now: services.now(), timeZone, namer: createNamer(nameOf) };
    return createDetailModel({
      value,
      shape: entity ? deriveShape(entity) : UNKNOWN_SHAPE,
      width,
      height,
      hasNotice,
      options,
    });
  }, [value, entity, width, height, hasNotice, unicode, timeZone, nameOf, services]);
  const state = normalizeState(stored, model);
  usePaneFit(model.rows(state).count + FOOTER_LINES);
  const dispatch = (action: DetailAction) => setState((before) => reduce(before, action, model));
  const rows = model.rows(state);
  const node = model.nodeAt(state.cursor);
  const linkedRoute = node && routeOfNode(node);
  const target = linkedRoute && isSameRoute(linkedRoute, navigation.current().route) ? undefined : linkedRoute;
  const open = navigation.open;
  const isTyping = active && state.searchInput !== undefined;
  const hasFolds = model.tree.children(model.tree.root).some(({ form }) => form !== "leaf");
  const context = { state, node, target, rowCount: rows.count, hasFolds, dispatch, open, refresh };
  useBindings("panel", active ? detailBindings(context) : []);
  const onMouse = (event: MouseEvent) => {
    const wheel = wheelMovement(event);
    if (wheel) return dispatch({ type: "move", ...wheel });
    const index = itemAtLine(rows, { top: state.top, height: model.height(state) }, event.y);
    if (event.type === "click" && index !== undefined) dispatch({ type: "pick", index });
  };
  const typeText = isTyping ? (text: string) => dispatch({ type: "type", text }) : undefined;
  useBindings("overlay", isTyping ? searchInputBindings(dispatch) : [], {
    modal: isTyping,
    onText: typeText,
    onPaste: typeText,
  });
  useSubject(
    active
      ? {
          request,
          row: value,
          ...(node?.value !== undefined && {
            cell: { field: node.field, value: singleValue(node.value) ?? null, kind: nodeKind(node) },
          }),
        }
      : undefined,
  );
  const emptyLines = emptyValueLines(value);
  const detailView = { model, state, size: region, active, notice, now, keyOf: keyLabelsOf(explorer) };
  return <Lines lines={emptyLines ?? detailLines(detailView)} width={width} height={height} onMouse={onMouse} />;
}

interface DetailContext {
  readonly state: DetailState;
  /** The node at the cursor, and the route that it links to. */
  readonly node: ValueNode | undefined;
  readonly target: Route | undefined;
  readonly rowCount: number;
  readonly hasFolds: boolean;
  readonly dispatch: (action: DetailAction) => void;
  readonly open: (route: Route) => void;
  readonly refresh: (() => void) | undefined;
}

/** Enter follows a link, or else folds and unfolds. */
function detailBindings(context: DetailContext): readonly Binding[] {
  const { state, node, target, rowCount, hasFolds, dispatch, open, refresh } = context;
  const { folds } = state;
  const isRaw = state.mode === "raw";
  const canFold = !isRaw && hasFolds;
  const canMoveSideways = isRaw ? !state.wraps : hasFolds;
  const openLabel = target?.kind === "entity" ? `open ${target.entity}` : "open";
  const foldLabel = node && isOpen(folds, node) ? "fold" : "unfold";
  const isFolder = !isRaw && node !== undefined && node.form !== "leaf";
  const isSearching = state.query !== "";
  const toggle = () => dispatch({ type: "toggle" });
  return [
    bindAction("go.open", target ? openLabel : foldLabel, () => (target ? open(target) : toggle()), {
      hint: 1,
      active: target !== undefined || isFolder,
    }),
    ...moveBindings((movement) => dispatch({ type: "move", ...movement }), rowCount > 1),
    bindAction("move.right", isRaw ? "right" : "unfold or enter", () => dispatch({ type: "into" }), {
      active: canMoveSideways,
    }),
    bindAction("move.left", isRaw ? "left" : "fold or leave", () => dispatch({ type: "out" }), {
      active: canMoveSideways,
    }),
    bindAction("detail.fold", "fold", toggle, { hint: 12, active: canFold }),
    bindAction(
      "detail.fold-all",
      folds.all === true && folds.chosen.size === 0 ? "fold all" : "unfold all",
      () => dispatch({ type: "all" }),
      { hint: 13, active: canFold },
    ),
    bindAction("detail.json", isRaw ? "fields" : "JSON", () => dispatch({ type: "view" }), { hint: 11 }),
    bindAction("detail.wrap", state.wraps ? "truncate lines" : "wrap lines", () => dispatch({ type: "wrap" }), {
      hint: 40,
    }),
    bindAction("view.refresh", "refresh", () => refresh?.(), { hint: 30, active: refresh !== undefined }),
    bindAction("detail.search", "search", () => dispatch({ type: "search" }), { hint: 10 }),
    bindAction("detail.next-match", "next match", () => dispatch({ type: "match", by: 1 }), {
      hint: 2,
      active: isSearching,
    }),
    bindAction("detail.previous-match", "previous match", () => dispatch({ type: "match", by: -1 }), {
      active: isSearching,
    }),
    bindAction("view.cancel", "clear search", () => dispatch({ type: "clear" }), { hint: 3, active: isSearching }),
  ];
}

function searchInputBindings(dispatch: (action: DetailAction) => void): readonly Binding[] {
  return [
    { keys: ["enter"], label: "accept", group: "view", hint: 1, run: () => dispatch({ type: "accept" }) },
    { keys: ["esc", "ctrl+c"], label: "cancel", group: "view", hint: 2, run: () => dispatch({ type: "cancel" }) },
    { keys: ["down", "ctrl+n"], label: "next match", group: "move", run: () => dispatch({ type: "match", by: 1 }) },
    { keys: ["up", "ctrl+p"], label: "previous match", group: "move", run: () => dispatch({ type: "match", by: -1 }) },
    { keys: EDIT_KEYS, label: "edit", group: "view", run: (key) => dispatch({ type: "edit", key }) },
  ];
}

interface DetailView {
  readonly model: DetailModel;
  readonly state: DetailState;
  readonly size: Size;
  readonly active: boolean;
  readonly notice: TextLine | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly keyOf: KeyLabels;
}

/** Returns the lines of a region: the visible fields and the footer. */
export function detailLines({ model, state, size, active, notice, now, keyOf }: DetailView): readonly TextLine[] {
  const { width, height } = size;
  const rows = model.rows(state);
  const cursor = visibleIndex(rows, state.cursor);
  const live: LiveOptions = { query: searchPattern(state.query), now };
  const footer = footerHeight(size, state, notice !== undefined);
  const matches = model.matches(state);
  const match = matches.indexOf(state.cursor) + 1;
  const position = { index: cursor, count: rows.count, match, matches: matches.length };
  const input = { state, node: model.nodeAt(state.cursor), position, notice, keyOf };
  const space = Math.max(0, height - footer);
  const { top } = state;
  const lines = rows
    .lines(top, windowEnd(rows, space, top), live)
    .flatMap((row, at) =>
      active && top + at === cursor ? row.map((one) => (isBlank(one) ? one : cursorLine(one, width))) : row,
    )
    .slice(0, space);
  return [...fillLines(lines, space), ...footerLines(input, { ...model.options(state), ...live }, footer)];
}

/** The empty line before a section is not part of its row. */
const isBlank = (line: TextLine): boolean => line.length === 1 && line[0]?.text === "";

function emptyValueLines(value: Json): readonly TextLine[] | undefined {
  if (value === null) return [[], textLine("  The answer is empty: no data available.", "note")];
  if (isArray(value) && value.length === 0) return [[], textLine("  This list is empty.", "note")];
  return isObject(value) && Object.keys(value).length === 0
    ? [[], textLine("  This object has no fields.", "note")]
    : undefined;
}
