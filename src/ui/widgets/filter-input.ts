/** The filter of a short table or a tree: the text typed after `/`, and its line. */
import { useLayoutEffect, useState } from "react";
import type { JsonObject } from "../../base/index.ts";
import { safeText } from "../../output/index.ts";
import { useExplorer, useViewState } from "../navigation/context.ts";
import { bindAction } from "../navigation/keys/bindings.ts";
import { formatKeyHints, type KeyLabels } from "../navigation/keys/key-hints.ts";
import type { Binding, KeyLayer } from "../navigation/keys/keymap.ts";
import { span, type TextLine } from "../navigation/theme/text-line.ts";

/** The text, and whether it is being typed. */
export interface FilterInput {
  readonly text: string;
  readonly isOpen: boolean;
}

/** No filter. */
const NO_INPUT: FilterInput = { text: "", isOpen: false };

/** The rows that match a filter, and why it could not be applied. */
export interface FilteredRows<R = JsonObject> {
  readonly rows: readonly R[];
  readonly problem: string | undefined;
}

/** Returns the filter as a line with the number of matches; undefined when there is none. */
export function filterLine(
  { text, isOpen }: FilterInput,
  { rows, problem }: FilteredRows<unknown>,
  total: number,
  keyOf: KeyLabels,
): TextLine | undefined {
  if (text === "" && !isOpen) return undefined;
  const hint = isOpen ? "" : formatKeyHints(keyOf, [["view.cancel", "clear"]]);
  const result = problem ?? `${rows.length} of ${total}${hint === "" ? "" : ` · ${hint}`}`;
  return [
    span("/", "hotkey"),
    span(safeText(text), "active"),
    ...(isOpen ? [{ text: " ", cursor: "caret" as const }] : []),
    span(`  ${result}`, problem === undefined ? "note" : "warning"),
  ];
}

type SetInput = (next: (before: FilterInput) => FilterInput) => void;

/** Returns the key layer while the filter is typed. */
function inputLayer(set: SetInput, close: () => void): KeyLayer {
  const end = (change: (before: FilterInput) => FilterInput) => () => {
    close();
    set(change);
  };
  const add = (text: string) => set((before) => ({ ...before, text: before.text + text.replace(/\s+/g, " ") }));
  const erase = () => set((before) => ({ ...before, text: [...before.text].slice(0, -1).join("") }));
  return {
    layer: "overlay",
    modal: true,
    onText: add,
    onPaste: (text) => add(text.trim()),
    bindings: [
      {
        keys: ["enter"],
        label: "apply filter",
        group: "data",
        hint: 1,
        run: end((now) => ({ ...now, isOpen: false })),
      },
      { keys: ["esc"], label: "clear filter", group: "data", hint: 2, run: end(() => NO_INPUT) },
      { keys: ["backspace"], label: "erase", group: "data", run: erase },
    ],
  };
}

/** Returns a filter that is stored with the history entry, and the bindings that open and clear it. */
export function useFilterInput(part: string, canOpen: boolean, active: boolean) {
  const { keys } = useExplorer();
  const [input, set] = useViewState(`${part} filter`, NO_INPUT);
  const [owner] = useState(() => ({}));
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the list goes away.
  useLayoutEffect(
    () => () => {
      keys.remove(owner);
      set((now) => (now.isOpen ? { ...now, isOpen: false } : now));
    },
    [keys, owner],
  );
  // Text may follow before the next frame, so the keys are active at once.
  const open = () => {
    keys.set(
      owner,
      inputLayer(set, () => keys.remove(owner)),
    );
    set((now) => ({ ...now, isOpen: true }));
  };
  const bindings: readonly Binding[] = [
    bindAction("list.filter", "filter", open, { hint: 25, active: active && canOpen }),
    bindAction("view.cancel", "clear filter", () => set(() => NO_INPUT), {
      hint: 3,
      active: active && input.text !== "",
    }),
  ];
  return { input, bindings };
}
