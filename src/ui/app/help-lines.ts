/** What help says: every key that is obeyed, by group. No React here. */
import { type Binding, shownKey } from "./keys/keymap.ts";
import { fitted, type Line, line, span, widthOf } from "./theme/text-line.ts";

/** The groups as headings, in the order of help. */
const GROUPS: Readonly<Record<Binding["group"], string>> = {
  move: "Move",
  data: "Data",
  view: "View",
  go: "Go",
  solx: "solx",
};
const GAP = 3;

/** Lines for every binding under the heading of its group, in as many columns as `width` allows. */
export function helpLines(bindings: readonly Binding[], width: number, unicode: boolean): readonly Line[] {
  const keysOf = ({ keys }: Binding) => keys.map((key) => shownKey(key, unicode)).join(" ");
  const keyWidth = Math.max(0, ...bindings.map((binding) => widthOf(line(keysOf(binding)))));
  const sections = (Object.keys(GROUPS) as Binding["group"][]).flatMap((group) => {
    const members = bindings.filter((binding) => binding.group === group);
    if (members.length === 0) return [];
    const rows = members.map(
      (binding): Line => [...fitted([span(keysOf(binding), "hotkey")], keyWidth), span(`  ${binding.label}`)],
    );
    return [[line(GROUPS[group], "heading"), ...rows]];
  });
  return beside(sections, width);
}

/** Sections one below the other, in columns of about the same height beside each other; none is torn. */
function beside(sections: readonly (readonly Line[])[], width: number): readonly Line[] {
  const columnWidth = Math.max(0, ...sections.flat().map(widthOf));
  const most = Math.max(1, Math.floor((width + GAP) / (columnWidth + GAP)));
  const columns = shared(sections, most);
  const height = Math.max(0, ...columns.map((column) => column.length));
  return Array.from({ length: height }, (_, at) =>
    columns.flatMap((column, index) => {
      const isLast = index === columns.length - 1;
      const row = column[at] ?? line("");
      return isLast ? row : fitted(row, columnWidth + GAP);
    }),
  );
}

/** Shares sections out to at most so many columns, in their order, as low as that goes. */
function shared(sections: readonly (readonly Line[])[], most: number): readonly (readonly Line[])[] {
  const all = sections.reduce((sum, { length }) => sum + length + 1, 0);
  for (let height = Math.ceil(all / most); ; height += 1) {
    const columns: Line[][] = [];
    for (const section of sections) {
      const column = columns.at(-1);
      if (column && column.length + 1 + section.length <= height) column.push(line(""), ...section);
      else columns.push([...section]);
    }
    if (columns.length <= most) return columns;
  }
}
