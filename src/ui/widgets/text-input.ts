/** Text that is typed in a line of a list, a short table or a tree, such as the filter after `/`. */
import { useLayoutEffect, useState } from "react";
import type { JsonObject } from "../../base/index.ts";
import { safeText } from "../../output/index.ts";
import { useExplorer, useViewState } from "../navigation/context.ts";
import { bindAction, formatKeyHints, type KeyLabels } from "../navigation/keys/bindings.ts";
import type { Binding } from "../navigation/keys/keymap.ts";
import { span, type TextLine } from "../navigation/theme/text-line.ts";

interface FilterInput {
  readonly text: string;
  /** Whether it is being typed. */
  readonly isOpen: boolean;
}

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

interface TextInput {
  /** What Enter and Esc do. */
  readonly labels: readonly [enter: string, escape: string];
  /** Replaces the text; undefined when the input is closed. */
  readonly edit: (change: (before: string) => string | undefined) => void;
  readonly end: (isAccepted: boolean) => void;
  /** Further keys. */
  readonly bindings?: readonly Binding[];
}

/** Returns a function that opens an input. @param onLeave is called when the widget goes away */
export function useTextInput(onLeave: () => void): (input: TextInput) => void {
  const { keys } = useExplorer();
  const [owner] = useState(() => ({}));
  const close = () => keys.remove(owner);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the widget goes away.
  useLayoutEffect(
    () => () => {
      close();
      onLeave();
    },
    [keys, owner],
  );
  return ({ labels: [enter, leave], edit, end, bindings = [] }) => {
    const add = (text: string) => edit((before) => before + text);
    const erase = (before: string) => {
      if (before !== "") return [...before].slice(0, -1).join("");
      close();
      return undefined;
    };
    const finish = (isAccepted: boolean) => () => {
      close();
      end(isAccepted);
    };
    // Text may follow before the next frame, so the keys are active at once.
    keys.set(owner, {
      layer: "overlay",
      modal: true,
      onText: add,
      onPaste: (text) => add(text.replace(/\s+/g, " ").trim()),
      bindings: [
        { keys: ["enter"], label: enter, group: "data", hint: 1, run: finish(true) },
        { keys: ["esc", "ctrl+c"], label: leave, group: "data", hint: 2, run: finish(false) },
        { keys: ["backspace", "delete"], label: "erase", group: "data", run: () => edit(erase) },
        { keys: ["ctrl+u"], label: "erase all", group: "data", run: () => edit(() => "") },
        ...bindings,
      ],
    });
  };
}

/** Returns a filter that is stored with the history entry, and the bindings that open and clear it. */
export function useFilterInput(part: string, canOpen: boolean, active: boolean) {
  const [input, set] = useViewState(`${part} filter`, NO_INPUT);
  const openInput = useTextInput(() => set((now) => (now.isOpen ? { ...now, isOpen: false } : now)));
  const open = () => {
    openInput({
      labels: ["apply filter", "clear filter"],
      edit: (change) =>
        set((before) => {
          const text = change(before.text);
          return text === undefined ? NO_INPUT : { ...before, text };
        }),
      end: (isAccepted) => set((before) => (isAccepted ? { ...before, isOpen: false } : NO_INPUT)),
    });
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
