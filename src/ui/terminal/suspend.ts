/** Ctrl-Z: the terminal is the shell's until it calls again. */
import { useApp } from "ink";
import { useCallback, useEffect } from "react";
import type { Role } from "../app/theme/theme.ts";
import type { TerminalControl } from "./control.ts";

/** Gives the terminal back to the shell until it is called again, also when the shell asks for that by itself. */
export function useSuspend(
  terminal: TerminalControl,
  log: (text: string) => void,
  notify: (text: string, role?: Role) => void,
): () => void {
  const { suspendTerminal } = useApp();
  const run = useCallback(
    (work: () => Promise<void> | void) => {
      suspendTerminal(work).catch((error: unknown) => log(String(error)));
    },
    [suspendTerminal, log],
  );
  const suspend = useCallback(() => {
    run(async () => {
      if (!(await terminal.suspend())) notify("There is no shell to go back to in this terminal.", "warning");
    });
  }, [run, terminal, notify]);
  useEffect(() => terminal.onSignals(suspend, () => run(() => {})), [terminal, suspend, run]);
  return suspend;
}
