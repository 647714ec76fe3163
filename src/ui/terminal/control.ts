/** Terminal control of a full-screen program: suspend and resume, mouse, handing it to another program. */
import { constants } from "node:os";
import type { BackgroundQuery } from "./background.ts";
import { MOUSE_MODES, type MouseMode } from "./mouse.ts";

/** Controls the terminal. */
export type TerminalControl = ReturnType<typeof terminalControl>;

/** A process that still runs after this time was not suspended. */
const SUSPEND_MS = 200;

/**
 * Creates the control of this process and its terminal.
 * @param signals the signals of the system; Windows cannot suspend a process
 */
export function terminalControl(
  stdin: NodeJS.ReadStream,
  stdout: NodeJS.WriteStream,
  background: Pick<BackgroundQuery, "ask"> = { ask: () => {} },
  signals: object = constants.signals,
) {
  let isReleased = false;
  const mouse = mouseSwitch(stdout);
  const setReleased = (released: boolean) => {
    isReleased = released;
    mouse.pause(released);
  };
  let onSuspend: (() => void) | undefined;
  const handleSuspend = () => onSuspend?.();
  return {
    askBackground: background.ask,
    mouse: mouse.isOn,
    setMouse: mouse.turn,
    /** Sets what the screen needs while the mouse is on (default: buttons). */
    requestMouse: mouse.request,
    /** Returns whether another program, such as the shell, has the terminal. */
    isReleased: () => isReleased,
    /** Suspends this process, as Ctrl-Z does; resolves on resume with whether it was suspended at all. */
    async suspend() {
      if (!("SIGTSTP" in signals)) return false;
      setReleased(true);
      process.off("SIGTSTP", handleSuspend);
      const wasStopped = await suspendJob();
      if (onSuspend) process.on("SIGTSTP", handleSuspend);
      setReleased(false);
      return wasStopped;
    },
    /** Gives the terminal to another program while it runs; this process reads no input meanwhile. */
    async lend<T>(work: () => Promise<T>): Promise<T> {
      setReleased(true);
      process.off("SIGTSTP", handleSuspend);
      const restoreInterrupts = ignoreInterrupts();
      await pauseInput(stdin);
      try {
        return await work();
      } finally {
        restoreInterrupts();
        // Reading resumes in the next tick, when the caller has restored the terminal mode.
        stdin.resume();
        if (onSuspend) process.on("SIGTSTP", handleSuspend);
        setReleased(false);
      }
    },
    /** Subscribes to requests to suspend (SIGTSTP) and to resuming after a suspension from outside (SIGCONT). */
    onSignals(suspend: () => void, onResume: () => void) {
      onSuspend = suspend;
      const onContinue = () => {
        if (isReleased) return;
        mouse.restore();
        onResume();
      };
      process.on("SIGTSTP", handleSuspend).on("SIGCONT", onContinue);
      return () => {
        onSuspend = undefined;
        process.off("SIGTSTP", handleSuspend).off("SIGCONT", onContinue);
      };
    },
  };
}

function mouseSwitch(stdout: NodeJS.WriteStream) {
  let [isOn, isPaused] = [false, false];
  let requested: MouseMode = "buttons";
  let mode: MouseMode = "off";
  const update = () => {
    const next = isOn && !isPaused ? requested : "off";
    if (next !== mode) stdout.write(MOUSE_MODES[next]);
    mode = next;
  };
  return {
    isOn: () => isOn,
    turn(on: boolean) {
      isOn = on;
      update();
    },
    request(needed: MouseMode) {
      requested = needed;
      update();
    },
    pause(paused: boolean) {
      isPaused = paused;
      update();
    },
    /** Switches again: a shell may have reset the terminal. */
    restore() {
      if (mode !== "off") stdout.write(MOUSE_MODES[mode]);
    },
  };
}

/**
 * Stops reading standard input. Removing the listeners alone leaves one read pending, which would take a key from the
 * other program, or wait for a line when that program leaves the terminal in line mode.
 */
async function pauseInput(stdin: NodeJS.ReadStream): Promise<void> {
  // Streams notice removed listeners and the pause one tick later each.
  await nextTick();
  stdin.pause();
  await nextTick();
}

const nextTick = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Ignores SIGINT, which the terminal sends to every process of the job; returns the function that restores it. */
function ignoreInterrupts(): () => void {
  const listeners = process.listeners("SIGINT");
  const ignore = () => {};
  process.removeAllListeners("SIGINT").on("SIGINT", ignore);
  return () => {
    process.off("SIGINT", ignore);
    for (const listener of listeners) process.on("SIGINT", listener);
  };
}

/** Suspends the whole job, as the terminal does: the launcher belongs to it. Returns whether it was suspended. */
async function suspendJob(): Promise<boolean> {
  let isContinued = false;
  const { promise, resolve } = Promise.withResolvers<void>();
  const onContinue = () => {
    isContinued = true;
    resolve();
  };
  process.once("SIGCONT", onContinue);
  process.kill(0, "SIGTSTP");
  const timer = setTimeout(resolve, SUSPEND_MS);
  await promise;
  // The timer may fire before the signal is delivered.
  await new Promise((done) => setTimeout(done, 1));
  clearTimeout(timer);
  process.off("SIGCONT", onContinue);
  return isContinued;
}
