/** Objects side by side: their fields, of which only those that differ are visible at first. */
import { useState } from "react";
import { Lines } from "../../frame/lines.tsx";
import { type Region, useBindings, useExplorer, useSubject } from "../../navigation/context.ts";
import { bindAction } from "../../navigation/keys/bindings.ts";
import type { Binding } from "../../navigation/keys/keymap.ts";
import { span, type TextLine, textLine } from "../../navigation/theme/text-line.ts";
import type { MouseEvent } from "../../terminal/mouse.ts";
import { clampIndex, type Movement, moveBindings, toLines, wheelMovement } from "../../widgets/viewport.ts";
import { type ComparedObject, computeLayout, fieldRows, rowLine, titleLine, toRows, toTsv } from "./fields.ts";

const CHROME_LINES = 2;

interface ComparedFieldsProps {
  /** What is compared: `rows`. */
  readonly noun: string;
  readonly titles: readonly string[];
  /** The objects of each title: the fields of the first ones, below them those of the next ones. */
  readonly groups: readonly (readonly ComparedObject[])[];
  /** The command that prints them; undefined in a popup, whose keys leave nothing to others. */
  readonly args?: readonly string[];
  /** Returns further keys. @param text returns the visible fields as tab-separated values */
  readonly bindings?: (text: () => string) => readonly Binding[];
  readonly region: Region;
}

/** Shows objects side by side. */
export function ComparedFields({ noun, titles, groups, args, bindings, region }: ComparedFieldsProps) {
  const { services } = useExplorer();
  const { width, height } = region;
  const [showAll, setShowAll] = useState(false);
  const [first, setFirst] = useState(0);
  const [left, setLeft] = useState(0);
  const clock = { now: services.now(), timeZone: services.timeZone };
  const rows = groups.flatMap((compared) => fieldRows(compared, clock));
  const differing = rows.filter(({ isSame }) => !isSame);
  const visible = showAll ? rows : differing;
  const available = Math.max(1, height - CHROME_LINES);
  const last = Math.max(0, visible.length - available);
  const from = Math.min(first, last);
  const layout = computeLayout(visible, titles.length, width, left);
  const move = ({ direction, distance }: Movement) =>
    setFirst((at) => clampIndex(Math.min(at, last) + direction * toLines({ distance }, available), last + 1));
  const scrollSideways = (by: number) => setLeft(() => Math.max(0, Math.min(titles.length - 1, layout.from + by)));
  const hasMore = layout.to - layout.from < titles.length;
  const columns = ["field", ...titles].map((head, at) => ({ head, path: at === 0 ? head : String(at) }));
  useSubject(args && { args, rows: toRows(visible), columns });
  useBindings(
    args ? "screen" : "overlay",
    [
      ...(bindings?.(() => toTsv(titles, visible)) ?? []),
      {
        keys: ["a"],
        label: showAll ? "only differences" : "all fields",
        group: "view",
        hint: 1,
        run: () => setShowAll((before) => !before),
      },
      ...moveBindings(move, last > 0),
      bindAction("move.right", "scroll right", () => scrollSideways(1), { hint: 5, active: hasMore }),
      bindAction("move.left", "scroll left", () => scrollSideways(-1), { active: hasMore }),
    ],
    { modal: args === undefined },
  );
  const onMouse = (event: MouseEvent) => {
    const wheel = wheelMovement(event);
    if (wheel) move(wheel);
  };
  const summary = showAll ? `all ${rows.length} fields` : `${differing.length} of ${rows.length} fields differ`;
  const view = visible.length > available ? `, ${from + 1} to ${Math.min(visible.length, from + available)} shown` : "";
  const lines: readonly TextLine[] = [
    [span(`Comparing ${noun}`, "title"), span(`  ${summary}${view}`, "note")],
    titleLine(titles, layout),
    ...(visible.length === 0 ? [textLine("No differences. a shows all fields.", "note")] : []),
    ...visible.slice(from, from + available).map((row) => rowLine(row, layout, services.unicode)),
  ];
  return <Lines lines={lines} width={width} height={height} onMouse={onMouse} />;
}
