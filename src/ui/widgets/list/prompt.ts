/** The line at the bottom that is typed into: its keys are obeyed from the very key that opens it. */
import { useLayoutEffect, useState } from "react";
import { useExplorer } from "../../app/context.ts";
import type { Binding, KeyLayer } from "../../app/keys/keymap.ts";
import { byRows, erased, type ListState, type Prompt, type Sight, typed } from "./reducer.ts";

type Change = (change: (before: ListState) => ListState) => void;

/** What the prompt does when it is left with Enter. */
export type Done = (state: ListState) => ListState;

/** Opens the prompt of a list. */
export function usePrompt(set: Change, sight: Sight): (prompt: Prompt, done: Done) => void {
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
  return (prompt, done) => {
    // Text may follow in the same breath, before anything is drawn: so the keys are there at once.
    keys.set(
      owner,
      promptLayer(prompt, set, sight, () => keys.remove(owner), done),
    );
    set((state) => ({ ...state, prompt }));
  };
}

function promptLayer(prompt: Prompt, set: Change, sight: Sight, close: () => void, done: Done): KeyLayer {
  const end = (change: Done) => () => {
    close();
    set((state) => ({ ...change(state), prompt: undefined }));
  };
  const cancel = end((state) => (prompt.kind === "filter" ? { ...state, filter: "" } : state));
  const erase = () =>
    set((state) => {
      const next = erased(state);
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
      binding(["enter"], prompt.kind === "filter" ? "keep filter" : "go to page", end(done), 1),
      binding(["esc"], prompt.kind === "filter" ? "clear filter" : "stay", cancel, 2),
      binding(["backspace", "delete"], "erase", erase),
      binding(["ctrl+u"], "erase all", () =>
        set((state) => (state.prompt?.kind === "page" ? { ...state, prompt } : { ...state, filter: "" })),
      ),
      binding(["down"], "next row", () => set((state) => byRows(state, 1, sight))),
      binding(["up"], "row before", () => set((state) => byRows(state, -1, sight))),
      binding(["ctrl+c"], "clear filter", cancel),
    ],
    onText: (text) => set((state) => typed(state, text)),
    onPaste: (text) => set((state) => typed(state, text.replace(/\s+/g, " ").trim())),
  };
}
