/** Runs a full-screen program, which can be suspended, and restores the terminal afterwards. */
import { format } from "node:util";
import { render, useApp } from "ink";
import { Component, type ReactNode, useCallback, useEffect } from "react";
import type { Role } from "../../output/index.ts";
import { createBackgroundQuery } from "./background.ts";
import { type TerminalControl, terminalControl } from "./control.ts";
import { interceptInput, separateEscapes } from "./input.ts";

const CONSOLE = ["log", "info", "warn", "error", "debug", "trace"] as const;

/**
 * Sends uncaught errors to `onFault`, and console output and Node warnings, which would overwrite the screen, to `log`.
 * Returns the function that ends it.
 */
function captureProcessOutput(log: (text: string) => void, onFault: (error: unknown) => void): () => void {
  const write = (...values: unknown[]) => log(format(...values));
  const { console: globalConsole } = globalThis;
  const originals = CONSOLE.map((name) => [name, globalConsole[name]] as const);
  for (const name of CONSOLE) globalConsole[name] = write;
  // Node prints warnings to standard error in its own listener.
  const warningListeners = process.listeners("warning");
  process.removeAllListeners("warning").on("warning", write);
  process.on("uncaughtException", onFault).on("unhandledRejection", onFault);
  return () => {
    for (const [name, original] of originals) globalConsole[name] = original;
    process.off("warning", write).off("uncaughtException", onFault).off("unhandledRejection", onFault);
    for (const listener of warningListeners) process.on("warning", listener);
  };
}

interface ErrorBoundaryProps {
  readonly onError: (error: unknown) => void;
  readonly onUnmount: () => void;
  readonly children: ReactNode;
}

class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onError(error);
  }

  // Ink unmounts its tree at signals such as SIGQUIT, too, after which nothing else runs.
  override componentWillUnmount(): void {
    this.props.onUnmount();
  }

  override render(): ReactNode {
    return this.state.failed ? null : this.props.children;
  }
}

/** Why the program ended: the user quit, the terminal closed, or an error occurred. */
export type ExitReason =
  | { readonly how: "left" }
  | { readonly how: "gone" }
  | { readonly how: "fault"; readonly error: unknown };

interface FullScreenOptions {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly signal: AbortSignal;
  readonly log: (text: string) => void;
  readonly draw: (terminal: TerminalControl, quit: () => void) => ReactNode;
  readonly close: () => Promise<void>;
}

const CLOSE_MS = 1000;

/** Runs until the user quits, the signal aborts or an error ends it; never rejects. */
export async function fullScreen({ stdin, stdout, signal, log, draw, close }: FullScreenOptions): Promise<ExitReason> {
  const background = createBackgroundQuery(stdin, (text) => stdout.write(text));
  const terminal = terminalControl(stdin, stdout, background);
  const ending = Promise.withResolvers<ExitReason>();
  const end = (how: ExitReason) => ending.resolve(how);
  const left = () => end({ how: "left" });
  const gone = () => end({ how: "gone" });
  const fault = (error: unknown) => {
    log(error instanceof Error ? (error.stack ?? error.message) : String(error));
    end({ how: "fault", error });
  };
  const releaseProcess = captureProcessOutput(log, fault);
  signal.addEventListener("abort", left, { once: true });
  const stopInterruptWatch = onDoubleInterrupt(stdin, left);
  const stopSeparation = separateEscapes(stdin);
  stdout.on("error", gone);
  stdin.on("error", gone).on("end", gone);
  const app = render(
    <ErrorBoundary onError={fault} onUnmount={() => terminal.setMouse(false)}>
      {draw(terminal, left)}
    </ErrorBoundary>,
    {
      stdin,
      stdout,
      exitOnCtrlC: false,
      alternateScreen: true,
      incrementalRendering: true,
      // Also in continuous integration, where Ink would not redraw.
      interactive: true,
      maxFps: 60,
      patchConsole: false,
    },
  );
  const stopRedrawing = redrawOnResize(stdout, terminal, app.clear);
  if (signal.aborted) left();
  const how = await ending.promise;
  stopRedrawing();
  terminal.setMouse(false);
  await background.settle();
  app.unmount();
  await app.waitUntilExit();
  await Promise.race([close(), new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())]);
  releaseProcess();
  stopSeparation();
  stopInterruptWatch();
  background.stop();
  stdin.off("error", gone).off("end", gone);
  signal.removeEventListener("abort", left);
  return how;
}

/**
 * Quits on the second Ctrl-C in a row. The first one may have been taken for text: a bracketed paste whose end marker was
 * lost never ends.
 */
function onDoubleInterrupt(stdin: NodeJS.ReadStream, end: () => void): () => void {
  let count = 0;
  return interceptInput(stdin, (text) => {
    const typed = text.replace(/\u0003+$/, "");
    count = (typed === "" ? count : 0) + text.length - typed.length;
    if (count > 1) end();
    return text;
  });
}

const ERASE = "\u001B[2J\u001B[H";
const SETTLED_MS = 60;

/**
 * Erases the screen on each resize, since frames are drawn as differences and terminals reflow the previous one. A size
 * that changes back before Node reads it emits no event, so the final size is always drawn once more.
 */
function redrawOnResize(stdout: NodeJS.WriteStream, terminal: TerminalControl, clear: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const eraseScreen = () => {
    if (terminal.isReleased()) return;
    clear();
    stdout.write(ERASE);
  };
  const redrawLater = () => {
    clearTimeout(timer);
    timer = setTimeout(() => stdout.emit("resize"), SETTLED_MS);
  };
  stdout.prependListener("resize", eraseScreen);
  process.on("SIGWINCH", redrawLater);
  return () => {
    clearTimeout(timer);
    stdout.off("resize", eraseScreen);
    process.off("SIGWINCH", redrawLater);
  };
}

/** Returns the function that suspends the program, and handles suspend and resume signals while mounted. */
export function useSuspend(
  terminal: TerminalControl,
  log: (text: string) => void,
  notify: (text: string, role?: Role) => void,
): () => void {
  const { suspendTerminal } = useApp();
  const run = useCallback(
    (work: () => Promise<void> | void) => {
      // Changes of the window meanwhile were reported to the foreground only. Node reads the size at this event.
      suspendTerminal(work)
        .then(() => process.emit("SIGWINCH", "SIGWINCH"))
        .catch((error: unknown) => log(String(error)));
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
