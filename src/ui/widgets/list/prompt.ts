/** The prompt at the bottom of a list. */
import { useLayoutEffect, useState } from "react";
import { useExplorer } from "../../navigation/context.ts";
import type { Binding, KeyLayer } from "../../navigation/keys/keymap.ts";
import { eraseCharacter, type ListPrompt, type ListState, typeText, withRows } from "./reducer.ts";
import { moveByRows, type Viewport, withFilter } from "./rows.ts";

type SetList = (change: (before: ListState) => ListState) => void;

/** The transition when the prompt is confirmed. */
export type PromptResult = (state: ListState) => ListState;

/** Returns a function that opens the prompt of a list. */
export function usePrompt(set: SetList, viewport: Viewport): (prompt: ListPrompt, onEnter: PromptResult) => void {
  const { keys } = useExplorer();
  const [owner] = useState(() => ({}));
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the list goes away.
  useLayoutEffect(
    () => () => {
      keys.remove(owner);
      set((state) => (state.prompt ? { ...state, prompt: undefined } : state));
    },
    [keys, owner],
  );
  return (prompt, onEnter) => {
    // Text may follow before the next frame, so the keys are active at once.
    keys.set(
      owner,
      promptLayer(prompt, set, viewport, () => keys.remove(owner), onEnter),
    );
    set((state) => ({ ...state, prompt }));
  };
}

const PROMPT_LABELS = { filter: "apply filter", page: "go to page", load: "load" } as const;

function promptLayer(
  prompt: ListPrompt,
  set: SetList,
  viewport: Viewport,
  close: () => void,
  onEnter: PromptResult,
): KeyLayer {
  const end = (change: PromptResult) => () => {
    close();
    set((state) => ({ ...change(state), prompt: undefined }));
  };
  const clear = (state: ListState) => withRows(state, (rows) => withFilter(rows, ""));
  const cancel = end((state) => (prompt.kind === "filter" ? clear(state) : state));
  const erase = () =>
    set((state) => {
      const next = eraseCharacter(state);
      if (!next.prompt) close();
      return next;
    });
  const binding = (keys: readonly string[], label: string, run: () => void, hint?: number): Binding => ({
    keys,
    label,
    run,
    group: "view",
    ...(hint !== undefined && { hint }),
  });
  return {
    layer: "overlay",
    modal: true,
    bindings: [
      binding(["enter"], PROMPT_LABELS[prompt.kind], end(onEnter), 1),
      binding(["esc"], prompt.kind === "filter" ? "clear filter" : "cancel", cancel, 2),
      binding(["backspace", "delete"], "erase", erase),
      binding(["ctrl+u"], "erase all", () =>
        set((state) => (prompt.kind === "filter" ? clear(state) : { ...state, prompt })),
      ),
      binding(["down"], "next row", () => set((state) => withRows(state, (rows) => moveByRows(rows, 1, viewport)))),
      binding(["up"], "previous row", () => set((state) => withRows(state, (rows) => moveByRows(rows, -1, viewport)))),
      binding(["ctrl+c"], "clear filter", cancel),
    ],
    onText: (text) => set((state) => typeText(state, text)),
    onPaste: (text) => set((state) => typeText(state, text.replace(/\s+/g, " ").trim())),
  };
}
