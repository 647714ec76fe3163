/** Suspending to the shell with Ctrl-Z. */
import { useApp } from "ink";
import { useCallback, useEffect } from "react";
import type { Role } from "../../output/index.ts";
import type { TerminalControl } from "./control.ts";

/** Returns the function that suspends the program, and handles suspend and resume signals while mounted. */
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
      if (!(await terminal.suspend())) notify("cannot suspend: no shell in this terminal", "warning");
    });
  }, [run, terminal, notify]);
  useEffect(() => terminal.onSignals(suspend, () => run(() => {})), [terminal, suspend, run]);
  return suspend;
}
