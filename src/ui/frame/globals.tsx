/** The keys that are obeyed everywhere. */
import { useApp } from "ink";
import { useCallback, useEffect, useSyncExternalStore } from "react";
import type { openPalette } from "../palette/palette.tsx";
import type { TerminalControl } from "../terminal/control.ts";
import { useBindings, useExplorer } from "./context.ts";
import { openHelp } from "./help.tsx";
import { type Hall, HOME } from "./place.ts";

export interface GlobalsProps {
  readonly terminal: TerminalControl;
  /** Opens the palette, once it is there and there is room for it. */
  readonly openPalette?: typeof openPalette | undefined;
}

export function Globals({ terminal, openPalette: search }: GlobalsProps) {
  const explorer = useExplorer();
  const { navigation, quit, toast } = explorer;
  const [canGoBack, canGoForward] = useWays();
  const suspend = useSuspend(terminal);
  const visit = (hall: Hall) => () => navigation.open({ kind: "hall", hall });
  useBindings("global", [
    {
      keys: ["esc", "backspace", "["],
      label: "back",
      group: "go",
      hint: 80,
      active: canGoBack,
      run: () => navigation.back(),
    },
    { keys: ["]"], label: "forward", group: "go", hint: 85, active: canGoForward, run: () => navigation.forward() },
    {
      keys: [":", "ctrl+p"],
      label: "search",
      group: "go",
      hint: 70,
      active: search !== undefined,
      run: () => search?.(explorer),
    },
    { keys: ["H"], label: "home", group: "go", run: () => navigation.open(HOME) },
    { keys: ["B"], label: "bookmarks", group: "go", run: visit("bookmarks") },
    { keys: ["U"], label: "usage", group: "go", run: visit("usage") },
    { keys: ["?"], label: "help", group: "solx", hint: 90, run: () => openHelp(explorer) },
    {
      keys: ["m"],
      label: "mouse on or off",
      group: "solx",
      run: () => {
        terminal.setMouse(!terminal.mouse());
        toast(terminal.mouse() ? "Mouse on: wheel and clicks work here; m gives it back." : "Mouse off.");
      },
    },
    { keys: ["ctrl+z"], label: "suspend", group: "solx", run: suspend },
    { keys: ["q", "ctrl+c"], label: "quit", group: "solx", hint: 99, run: quit },
  ]);
  return null;
}

/** Whether there is a way back, and one forward. */
function useWays(): readonly [boolean, boolean] {
  const { navigation } = useExplorer();
  const canGoBack = useSyncExternalStore(navigation.subscribe, navigation.canGoBack);
  const canGoForward = useSyncExternalStore(navigation.subscribe, navigation.canGoForward);
  return [canGoBack, canGoForward];
}

/** Gives the terminal back to the shell until it is called again, also when the shell asks for that by itself. */
function useSuspend(terminal: TerminalControl): () => void {
  const { suspendTerminal } = useApp();
  const { services, toast } = useExplorer();
  const run = useCallback(
    (work: () => Promise<void> | void) => {
      suspendTerminal(work).catch((error: unknown) => services.log(String(error)));
    },
    [suspendTerminal, services],
  );
  const suspend = useCallback(() => {
    run(async () => {
      if (!(await terminal.stop())) toast("There is no shell to go back to in this terminal.", "warning");
    });
  }, [run, terminal, toast]);
  useEffect(() => terminal.onAsked(suspend, () => run(() => {})), [terminal, suspend, run]);
  return suspend;
}
