/** Marked rows side by side: their fields, or all that is told of the things that they are about. */
import { Box } from "ink";
import { useCallback, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { ZodType } from "zod";
import type { Json } from "../../base/json.ts";
import type { EntityName } from "../../catalogue/endpoint.ts";
import * as entities from "../../catalogue/entities/index.ts";
import { shapeOf } from "../../output/fields/schema.ts";
import type { Shape } from "../../output/fields/shape.ts";
import { copyText } from "../actions/copy-text.tsx";
import { errorText } from "../actions/current-view.ts";
import { type Explorer, useBindings, useExplorer } from "../app/context.ts";
import { useBody } from "../app/layout.ts";
import { Lines } from "../app/lines.tsx";
import { isSameRoute, type Route, routeTitle } from "../app/route.ts";
import { span, type TextLine, textLine } from "../app/theme/text-line.ts";
import type { EndpointRequest } from "../data/store.ts";
import { requestAt } from "../plain/routes.ts";
import { asText, type Compared, type FieldRow, fieldRows, layoutOf, rowLine, titleLine } from "./compare-rows.ts";

/** A row to compare, and the thing that it is about, where it is about one. */
export interface Marked {
  readonly row: Json;
  readonly place: Route | undefined;
}

export interface CompareProps {
  readonly marked: readonly Marked[];
  readonly shape: Shape;
}

/** Rows that are compared: each detail is a request. */
export const MOST_COMPARED = 6;

const ENTITIES: Readonly<Record<EntityName, ZodType>> = entities;
/** Lines of the head and below it. */
const AROUND = 3;
const NONE: readonly EndpointRequest[] = [];

export function Compare({ marked, shape }: CompareProps) {
  const explorer = useExplorer();
  const { services, data, setOverlay, toast } = explorer;
  const { width, height } = useBody();
  const [hasDetails, setDetails] = useState(false);
  const [isAll, setAll] = useState(false);
  const [first, setFirst] = useState(0);
  const [left, setLeft] = useState(0);
  const requests = useMemo(() => marked.flatMap(({ place }) => (place && requestAt(place)) ?? []), [marked]);
  const canAsk = requests.length === marked.length;
  useAnswers(hasDetails ? requests : NONE);
  const titles = marked.map(({ place }, at) => `${at + 1} ${place ? routeTitle(place) : "row"}`);
  const compared = marked.map(({ row }, at): Compared => {
    const request = hasDetails ? requests[at] : undefined;
    const title = titles[at] ?? "";
    if (!request) return { title, value: row, shape };
    const own = shapeOf(ENTITIES[request.endpoint.returns.entity]);
    return { title, value: data.read(request).answer?.data, shape: own };
  });
  const rows = fieldRows(compared, { now: services.now(), timeZone: services.timeZone });
  const shown = isAll ? rows : rows.filter(({ isSame }) => !isSame);
  const room = Math.max(1, height - AROUND);
  const last = Math.max(0, shown.length - room);
  const from = Math.min(first, last);
  const layout = layoutOf(shown, marked.length, width, left);
  const move = (by: number) => setFirst((at) => Math.max(0, Math.min(last, Math.min(at, last) + by)));
  const side = (by: number) => setLeft(() => Math.max(0, Math.min(marked.length - 1, layout.from + by)));
  const hasMore = layout.to - layout.from < marked.length;
  const text = () => asText(titles, shown);
  useBindings(
    "overlay",
    [
      { keys: ["esc", "q", "D", "ctrl+c"], label: "close", group: "go", hint: 9, run: () => setOverlay(undefined) },
      {
        keys: ["a"],
        label: isAll ? "only what differs" : "all fields",
        group: "view",
        hint: 1,
        run: () => setAll((before) => !before),
      },
      {
        keys: ["f"],
        label: hasDetails ? "fields of the rows" : "details",
        group: "data",
        hint: 2,
        active: canAsk,
        run: () => {
          if (isOneThing(marked)) toast("All rows are about one thing: its details are the same.", "warning");
          else setDetails((before) => !before);
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
      { keys: ["pagedown", "space"], label: "page down", group: "move", active: last > 0, run: () => move(room) },
      { keys: ["pageup"], label: "page up", group: "move", active: last > 0, run: () => move(-room) },
      { keys: ["l", "right"], label: "further right", group: "move", hint: 5, active: hasMore, run: () => side(1) },
      { keys: ["h", "left"], label: "further left", group: "move", active: hasMore, run: () => side(-1) },
    ],
    {
      modal: true,
      onMouse: ({ type: what }) => what !== "click" && move(what === "down" ? 3 : -3),
    },
  );
  const lines: readonly TextLine[] = [
    headOf(rows, shown, { isAll, hasDetails, from, room }),
    titleLine(titles, layout),
    ...(shown.length === 0 ? [textLine("Nothing differs. a shows all fields.", "note")] : []),
    ...shown.slice(from, from + room).map((row) => rowLine(row, layout)),
  ];
  return (
    <Box position="absolute">
      <Lines lines={lines} width={width} height={height} />
    </Box>
  );
}

/** Whether all rows are about the same thing. */
function isOneThing(marked: readonly Marked[]): boolean {
  const first = marked[0]?.place;
  return first !== undefined && marked.every(({ place }) => place && isSameRoute(place, first));
}

/** Looks at requests while there are some; the component is drawn anew when their answers change. */
function useAnswers(requests: readonly EndpointRequest[]): void {
  const { data } = useExplorer();
  const count = useRef(0);
  const subscribe = useCallback(
    (listener: () => void) => {
      const heard = () => {
        count.current += 1;
        listener();
      };
      const ends = requests.map((request) => data.watch(request, heard));
      return () => {
        for (const end of ends) end();
      };
    },
    [data, requests],
  );
  useSyncExternalStore(subscribe, () => count.current);
}

interface Head {
  readonly isAll: boolean;
  readonly hasDetails: boolean;
  readonly from: number;
  readonly room: number;
}

function headOf(
  rows: readonly FieldRow[],
  shown: readonly FieldRow[],
  { isAll, hasDetails, from, room }: Head,
): TextLine {
  const differing = rows.filter(({ isSame }) => !isSame).length;
  const what = hasDetails ? "details" : "rows";
  const view = shown.length > room ? `, ${from + 1} to ${Math.min(shown.length, from + room)} on view` : "";
  const told = isAll ? `all ${rows.length} fields` : `${differing} of ${rows.length} fields differ`;
  return [span(`Comparing ${what}`, "title"), span(`  ${told}${view}`, "note")];
}

/** Writes the comparison into a new file. */
async function save({ services, toast }: Explorer, text: string): Promise<void> {
  try {
    const path = await services.save("comparison.tsv", chunks(text));
    toast(`Saved the comparison: ${path}`, "good");
  } catch (error) {
    toast(errorText(error), "bad");
  }
}

async function* chunks(text: string): AsyncIterable<string> {
  yield text;
}
