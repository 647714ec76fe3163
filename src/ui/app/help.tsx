/** Help: a popup that lists the keys that were active when it was opened. */
import { useState } from "react";
import { type Explorer, useBindings, useExplorer } from "./context.ts";
import { type Binding, keyLabel } from "./keys/keymap.ts";
import { Popup, popupSpace } from "./popup.tsx";
import { fitLine, lineWidth, span, type TextLine, textLine } from "./theme/text-line.ts";
import { useBody } from "./use-body.ts";

/** Headings of the groups, in display order. */
const GROUPS: Readonly<Record<Binding["group"], string>> = {
  move: "Move",
  data: "Data",
  view: "View",
  go: "Go",
  solx: "General",
};
const GAP = 3;

/** Returns the bindings under the headings of their groups, in as many columns as `width` allows. */
export function helpLines(bindings: readonly Binding[], width: number, unicode: boolean): readonly TextLine[] {
  const keysOf = ({ keys }: Binding) => keys.map((key) => keyLabel(key, unicode)).join(" ");
  const keyWidth = Math.max(0, ...bindings.map((binding) => lineWidth(textLine(keysOf(binding)))));
  const sections = (Object.keys(GROUPS) as Binding["group"][]).flatMap((group) => {
    const members = bindings.filter((binding) => binding.group === group);
    if (members.length === 0) return [];
    const rows = members.map(
      (binding): TextLine => [...fitLine([span(keysOf(binding), "hotkey")], keyWidth), span(`  ${binding.label}`)],
    );
    return [[textLine(GROUPS[group], "heading"), ...rows]];
  });
  return inColumns(sections, width);
}

/** Arranges sections in columns of similar height; no section is split. */
function inColumns(sections: readonly (readonly TextLine[])[], width: number): readonly TextLine[] {
  const columnWidth = Math.max(0, ...sections.flat().map(lineWidth));
  const maxColumns = Math.max(1, Math.floor((width + GAP) / (columnWidth + GAP)));
  const columns = distribute(sections, maxColumns);
  const height = Math.max(0, ...columns.map((column) => column.length));
  return Array.from({ length: height }, (_, at) =>
    columns.flatMap((column, index) => {
      const isLast = index === columns.length - 1;
      const row = column[at] ?? textLine("");
      return isLast ? row : fitLine(row, columnWidth + GAP);
    }),
  );
}

/** Distributes sections in order to at most `maxColumns` columns of minimal height. */
function distribute(sections: readonly (readonly TextLine[])[], maxColumns: number): readonly (readonly TextLine[])[] {
  const all = sections.reduce((sum, { length }) => sum + length + 1, 0);
  for (let height = Math.ceil(all / maxColumns); ; height += 1) {
    const columns: TextLine[][] = [];
    for (const section of sections) {
      const column = columns.at(-1);
      if (column && column.length + 1 + section.length <= height) column.push(textLine(""), ...section);
      else columns.push([...section]);
    }
    if (columns.length <= maxColumns) return columns;
  }
}

/** Opens help as an overlay. */
export function openHelp(explorer: Explorer): void {
  explorer.setOverlay(<Help bindings={explorer.keys.active()} />);
}

function Help({ bindings }: { bindings: readonly Binding[] }) {
  const { services, setOverlay } = useExplorer();
  const space = popupSpace(useBody());
  const [offset, setOffset] = useState(0);
  const lines = helpLines(bindings, space.width, services.unicode);
  const last = Math.max(0, lines.length - space.height);
  const top = Math.min(offset, last);
  const scrollBy = (step: number) => setOffset((before) => Math.max(0, Math.min(last, Math.min(before, last) + step)));
  const active = last > 0;
  const close = () => setOverlay(undefined);
  useBindings(
    "overlay",
    [
      { keys: ["j", "down"], label: "down", group: "move", hint: 1, active, run: () => scrollBy(1) },
      { keys: ["k", "up"], label: "up", group: "move", hint: 2, active, run: () => scrollBy(-1) },
      {
        keys: ["pagedown", "ctrl+d", "space"],
        label: "page down",
        group: "move",
        active,
        run: () => scrollBy(space.height),
      },
      { keys: ["pageup", "ctrl+u"], label: "page up", group: "move", active, run: () => scrollBy(-space.height) },
      { keys: ["g", "home"], label: "top", group: "move", active, run: () => scrollBy(-last) },
      { keys: ["G", "end"], label: "bottom", group: "move", active, run: () => scrollBy(last) },
      { keys: ["esc", "?", "q", "enter", "backspace"], label: "close", group: "go", hint: 3, run: close },
      { keys: ["ctrl+c"], label: "close", group: "solx", run: close },
    ],
    {
      modal: true,
      onMouse: ({ type }) => {
        if (type !== "click") scrollBy(type === "down" ? 3 : -3);
      },
    },
  );
  const footer = active ? `${top + 1}-${top + space.height} of ${lines.length} lines · Esc close` : "Esc close";
  return <Popup title="Keys" lines={lines.slice(top, top + space.height)} footer={footer} />;
}
