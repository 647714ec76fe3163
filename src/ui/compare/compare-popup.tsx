/** Popup that compares marked rows, or the details of their entities, side by side. */
import { Box } from "ink";
import { useCallback, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { ENTITIES } from "../../catalogue/schemas.ts";
import { shapeOf } from "../../output/index.ts";
import { copyText } from "../actions/copy-text.ts";
import { errorText } from "../actions/current-view.ts";
import { Lines } from "../frame/lines.tsx";
import { useBody } from "../frame/use-body.ts";
import { type Explorer, useBindings, useExplorer } from "../navigation/context.ts";
import type { EndpointRequest } from "../navigation/data-store.ts";
import type { ComparedRow, PopupOf } from "../navigation/popups.ts";
import { isSameRoute, routeTitle } from "../navigation/route.ts";
import { span, type TextLine, textLine } from "../navigation/theme/text-line.ts";
import { requestForRoute } from "../pages/records.ts";
import type { MouseEvent } from "../terminal/mouse.ts";
import { linesOf, wheelMovement } from "../widgets/viewport.ts";
import {
  type ComparedObject,
  computeLayout,
  type FieldRow,
  fieldRows,
  rowLine,
  titleLine,
  toTsv,
} from "./compare-rows.ts";

/** Lines of summary and titles. */
const CHROME_LINES = 3;
const NO_REQUESTS: readonly EndpointRequest[] = [];

/** Compares rows field by field. */
export function Compare({ marked, shape }: PopupOf<"compare">) {
  const explorer = useExplorer();
  const { services, data, closePopup, toast } = explorer;
  const { width, height } = useBody();
  const [showDetails, setShowDetails] = useState(false);
  const [showAll, setShowAll] = useState(false);
  const [first, setFirst] = useState(0);
  const [left, setLeft] = useState(0);
  const requests = useMemo(() => marked.flatMap(({ route }) => (route && requestForRoute(route)) ?? []), [marked]);
  const canFetch = requests.length === marked.length;
  useWatch(showDetails ? requests : NO_REQUESTS);
  const titles = marked.map(({ route }, at) => `${at + 1} ${route ? routeTitle(route, explorer.data.nameOf) : "row"}`);
  const compared = marked.map(({ row }, at): ComparedObject => {
    const request = showDetails ? requests[at] : undefined;
    const title = titles[at] ?? "";
    if (!request) return { title, value: row, shape };
    const detailShape = shapeOf(ENTITIES[request.endpoint.returns.entity]);
    return { title, value: data.read(request).answer?.data, shape: detailShape };
  });
  const rows = fieldRows(compared, { now: services.now(), timeZone: services.timeZone });
  const visible = showAll ? rows : rows.filter(({ isSame }) => !isSame);
  const available = Math.max(1, height - CHROME_LINES);
  const last = Math.max(0, visible.length - available);
  const from = Math.min(first, last);
  const layout = computeLayout(visible, marked.length, width, left);
  const move = (by: number) => setFirst((at) => Math.max(0, Math.min(last, Math.min(at, last) + by)));
  const scrollSideways = (by: number) => setLeft(() => Math.max(0, Math.min(marked.length - 1, layout.from + by)));
  const hasMore = layout.to - layout.from < marked.length;
  const text = () => toTsv(titles, visible);
  useBindings(
    "overlay",
    [
      { keys: ["esc", "q", "D", "ctrl+c"], label: "close", group: "go", hint: 9, run: closePopup },
      {
        keys: ["a"],
        label: showAll ? "only differences" : "all fields",
        group: "view",
        hint: 1,
        run: () => setShowAll((before) => !before),
      },
      {
        keys: ["f"],
        label: showDetails ? "row fields" : "details",
        group: "data",
        hint: 2,
        active: canFetch,
        run: () => {
          if (areSameEntity(marked)) toast("all rows are about the same entity", "warning");
          else setShowDetails((before) => !before);
        },
      },
      {
        keys: ["c"],
        label: "copy",
        group: "data",
        hint: 3,
        run: () => void copyText(explorer, "the comparison", text),
      },
      { keys: ["e"], label: "save", group: "data", hint: 4, run: () => void save(explorer, text()) },
      { keys: ["j", "down"], label: "down", group: "move", active: last > 0, run: () => move(1) },
      { keys: ["k", "up"], label: "up", group: "move", active: last > 0, run: () => move(-1) },
      { keys: ["pagedown", "space"], label: "page down", group: "move", active: last > 0, run: () => move(available) },
      { keys: ["pageup"], label: "page up", group: "move", active: last > 0, run: () => move(-available) },
      {
        keys: ["l", "right"],
        label: "scroll right",
        group: "move",
        hint: 5,
        active: hasMore,
        run: () => scrollSideways(1),
      },
      { keys: ["h", "left"], label: "scroll left", group: "move", active: hasMore, run: () => scrollSideways(-1) },
    ],
    { modal: true },
  );
  const onMouse = (event: MouseEvent) => {
    const wheel = wheelMovement(event);
    if (wheel) move(wheel.direction * linesOf(wheel, available));
  };
  const lines: readonly TextLine[] = [
    summaryLine(rows, visible, { showAll, showDetails, from, available }),
    titleLine(titles, layout),
    ...(visible.length === 0 ? [textLine("No differences. a shows all fields.", "note")] : []),
    ...visible.slice(from, from + available).map((row) => rowLine(row, layout)),
  ];
  return (
    <Box position="absolute">
      <Lines lines={lines} width={width} height={height} onMouse={onMouse} />
    </Box>
  );
}

/** Returns whether all rows are about the same entity. */
function areSameEntity(marked: readonly ComparedRow[]): boolean {
  const first = marked[0]?.route;
  return first !== undefined && marked.every(({ route }) => route && isSameRoute(route, first));
}

/** Subscribes to queries and renders again when their state changes. */
function useWatch(requests: readonly EndpointRequest[]): void {
  const { data } = useExplorer();
  const count = useRef(0);
  const subscribe = useCallback(
    (listener: () => void) => {
      const onUpdate = () => {
        count.current += 1;
        listener();
      };
      const ends = requests.map((request) => data.watch(request, onUpdate));
      return () => {
        for (const end of ends) end();
      };
    },
    [data, requests],
  );
  useSyncExternalStore(subscribe, () => count.current);
}

interface SummaryOptions {
  readonly showAll: boolean;
  readonly showDetails: boolean;
  readonly from: number;
  readonly available: number;
}

function summaryLine(
  rows: readonly FieldRow[],
  visible: readonly FieldRow[],
  { showAll, showDetails, from, available }: SummaryOptions,
): TextLine {
  const differing = rows.filter(({ isSame }) => !isSame).length;
  const subject = showDetails ? "details" : "rows";
  const view = visible.length > available ? `, ${from + 1} to ${Math.min(visible.length, from + available)} shown` : "";
  const summary = showAll ? `all ${rows.length} fields` : `${differing} of ${rows.length} fields differ`;
  return [span(`Comparing ${subject}`, "title"), span(`  ${summary}${view}`, "note")];
}

/** Saves the comparison in a new file. */
async function save({ services, toast }: Explorer, text: string): Promise<void> {
  try {
    const path = await services.save("comparison.tsv", chunks(text));
    toast(`Saved the comparison to ${path}`, "good");
  } catch (error) {
    toast(errorText(error), "bad");
  }
}

async function* chunks(text: string): AsyncIterable<string> {
  yield text;
}
