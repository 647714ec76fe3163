/** Help: a popup that lists the keys that were active when it was opened; typing filters them, Enter runs one. */
import { useMemo, useState } from "react";
import { Popup, popupSpace } from "../frame/popup.tsx";
import { useBody } from "../frame/use-body.ts";
import { useBindings, useExplorer } from "../navigation/context.ts";
import { menuMouse } from "../navigation/pointer/menu.ts";
import { lineWidth, span, type TextLine } from "../navigation/theme/text-line.ts";
import { EDIT_KEYS, editField, fieldLine, insertText, textField } from "../widgets/text-field.ts";
import { scrollTop } from "../widgets/viewport.ts";
import { filterHelp, helpEntries, helpLines, layOutHelp, moveInHelp, positionOf } from "./help-layout.ts";

/** Lines of the filter and of the description, with the empty lines between. */
const CHROME_LINES = 4;

/** Minimum width: descriptions below the entries are sentences. */
const MIN_WIDTH = 64;

/** The popup. */
export function Help() {
  const { services, keys, closePopup } = useExplorer();
  const [bindings] = useState(() => keys.active());
  const space = popupSpace(useBody());
  const [{ field, selected, top }, setState] = useState({ field: textField(), selected: 0, top: 0 });
  const all = useMemo(() => helpEntries(bindings, services.unicode), [bindings, services]);
  const entries = useMemo(() => filterHelp(all, field.text), [all, field.text]);
  const whole = useMemo(() => layOutHelp(all, space.width), [all, space.width]);
  const layout = useMemo(() => layOutHelp(entries, space.width), [entries, space.width]);
  const height = Math.max(1, Math.min(whole.height, space.height - CHROME_LINES));
  const entry = entries[selected];
  // The heading of the first entry is visible with it.
  const { row } = positionOf(layout, selected);
  const from = scrollTop({ count: layout.height }, height, top, row <= 1 ? 0 : row);

  const select = (index: number) => setState((before) => ({ ...before, selected: index, top: from }));
  const move = (by: Parameters<typeof moveInHelp>[2]) => select(moveInHelp(layout, selected, by));
  const edit = (change: (before: typeof field) => typeof field) =>
    setState((before) => ({ field: change(before.field), selected: 0, top: 0 }));
  const run = (index: number) => {
    const { binding } = entries[index] ?? {};
    if (!binding) return;
    closePopup();
    binding.run(binding.keys[0] ?? "");
  };
  const isFiltered = field.text !== "";
  useBindings(
    "overlay",
    [
      {
        keys: ["enter"],
        label: "run",
        group: "go",
        hint: 1,
        active: entry?.binding !== undefined,
        run: () => run(selected),
      },
      { keys: ["down"], label: "next", group: "move", hint: 2, run: () => move({ rows: 1 }) },
      { keys: ["up"], label: "previous", group: "move", hint: 3, run: () => move({ rows: -1 }) },
      { keys: ["right"], label: "next column", group: "move", hint: 4, run: () => move({ columns: 1 }) },
      { keys: ["left"], label: "previous column", group: "move", run: () => move({ columns: -1 }) },
      { keys: ["pagedown"], label: "page down", group: "move", run: () => move({ lines: height - 1 }) },
      { keys: ["pageup"], label: "page up", group: "move", run: () => move({ lines: 1 - height }) },
      { keys: ["esc"], label: "clear", group: "go", hint: 5, active: isFiltered, run: () => edit(() => textField()) },
      { keys: ["esc", "?", "ctrl+c"], label: "close", group: "go", hint: 6, run: closePopup },
      { keys: EDIT_KEYS, label: "edit the filter", group: "view", run: (key) => edit((one) => editField(one, key)) },
    ],
    { modal: true, onText: (text) => edit((one) => insertText(one, text)) },
  );
  const onMouse = menuMouse(
    (by) => move({ rows: by }),
    (index) => (index === selected ? run(index) : select(index)),
  );
  const filter: TextLine = [
    span("filter ", "key"),
    ...fieldLine(field, Math.max(8, space.width - 30), true),
    ...(isFiltered ? [] : [span(" type a word or a key", "missing")]),
  ];
  const visible = helpLines(layout, selected).slice(from, from + height);
  const body = visible.length > 0 ? visible : [[span("No key matches.", "note")]];
  // The size stays while the filter changes.
  const filler = Array.from({ length: height - body.length }, (): TextLine => []);
  return (
    <Popup
      title="Keys"
      width={Math.max(MIN_WIDTH, ...helpLines(whole, -1).map(lineWidth))}
      lines={[filter, [], ...body, ...filler, [], [span(entry?.about ?? "", "note")]]}
      footer={height < layout.height ? `${from + 1}-${from + height} of ${layout.height} lines` : undefined}
      onMouse={onMouse}
    />
  );
}
