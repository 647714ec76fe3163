/** Help: the palette with the keys that were active when it was opened, and what the mouse does. */
import { ACTIONS } from "../navigation/keys/actions.ts";
import { type Binding, keyLabel } from "../navigation/keys/keymap.ts";
import type { Candidate } from "./candidates.ts";
import { GROUPS } from "./palette-lines.ts";

const MOUSE: readonly (readonly [keys: string, label: string, about: string])[] = [
  ["click", "select, open", "Selects a row, then opens it"],
  ["heading", "sort", "Sorts by the column"],
  ["hint", "press its key", "Also tabs, crumbs, links, filters"],
  ["wheel", "scroll", "Scrolls the pane under the pointer"],
  ["beside", "close a popup", "Closes the popup"],
  ["Shift-drag", "select text", "Leaves selecting to the terminal"],
];

/** Key lists longer than this are displayed as a range. */
const MAX_KEYS = 3;

function keysText(keys: readonly string[], unicode: boolean): string {
  const labels = keys.map((key) => keyLabel(key, unicode));
  if (labels.length <= MAX_KEYS) return labels.join(" ");
  return `${labels[0]}${unicode ? "…" : "-"}${labels.at(-1)}`;
}

/** Returns the entries for the active bindings and the mouse, in the order in which they are displayed. */
export function helpEntries(bindings: readonly Binding[], unicode: boolean): readonly Candidate[] {
  const keys = bindings.map((binding): Candidate => {
    const { name, group, label } = binding;
    return {
      kind: group,
      lead: keysText(binding.keys, unicode),
      title: label,
      about: name === undefined ? "" : ACTIONS[name].description,
      name,
      action: { type: "run", binding },
    };
  });
  const mouse = MOUSE.map(
    ([lead, title, about]): Candidate => ({
      kind: "mouse",
      lead,
      title,
      about,
      action: { type: "explain", text: about },
    }),
  );
  const order = Object.keys(GROUPS);
  return [...keys, ...mouse].toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
}

/** Returns the entries with a text in their keys, label or description; an equal key comes first. */
export function filterHelp(entries: readonly Candidate[], text: string): readonly Candidate[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const isKey = ({ lead }: Candidate) => lead?.split(" ").includes(text.trim()) === true;
  const targetOf = ({ kind, lead, title, about, name }: Candidate) =>
    `${GROUPS[kind]} ${lead} ${title} ${about} ${name}`.toLowerCase();
  const matches = entries.filter((entry) => isKey(entry) || words.every((word) => targetOf(entry).includes(word)));
  return matches.toSorted((a, b) => Number(isKey(b)) - Number(isKey(a)));
}
