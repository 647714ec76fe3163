/** What a full-screen program does with its terminal beside drawing: stopping and going on, and the mouse. */
import { MOUSE_OFF, MOUSE_ON } from "./mouse.ts";

/** The terminal, as keys control it. */
export interface TerminalControl {
  readonly mouse: () => boolean;
  readonly setMouse: (on: boolean) => void;
  /** Whether the terminal is the shell's now. */
  readonly isReleased: () => boolean;
  /** Stops this process, as Ctrl-Z does; resolves when it goes on, with whether it was stopped at all. */
  readonly suspend: () => Promise<boolean>;
  /** Leaves the terminal to another program while it runs: what its user types is for that program alone. */
  readonly lend: <T>(work: () => Promise<T>) => Promise<T>;
  /**
   * Hears when something else wants the process to stop, and when it goes on after it was stopped unawares. The returned
   * function ends that.
   */
  readonly onSignals: (suspend: () => void, onResume: () => void) => () => void;
}

/** A process that goes on this soon after it was to stop was not stopped: nobody could have continued it. */
const SUSPEND_MS = 200;

/** The control of this process and its terminal. */
export function terminalControl(stdin: NodeJS.ReadStream, stdout: NodeJS.WriteStream): TerminalControl {
  let isMouseOn = false;
  let isReleased = false;
  let onSuspend: (() => void) | undefined;
  const handleSuspend = () => onSuspend?.();
  return {
    mouse: () => isMouseOn,
    setMouse(on) {
      isMouseOn = on;
      stdout.write(on ? MOUSE_ON : MOUSE_OFF);
    },
    isReleased: () => isReleased,
    async suspend() {
      isReleased = true;
      if (isMouseOn) stdout.write(MOUSE_OFF);
      process.off("SIGTSTP", handleSuspend);
      const wasStopped = await suspendJob();
      if (onSuspend) process.on("SIGTSTP", handleSuspend);
      if (isMouseOn) stdout.write(MOUSE_ON);
      isReleased = false;
      return wasStopped;
    },
    async lend(work) {
      isReleased = true;
      if (isMouseOn) stdout.write(MOUSE_OFF);
      process.off("SIGTSTP", handleSuspend);
      const restoreInterrupts = ignoreInterrupts();
      await pauseInput(stdin);
      try {
        return await work();
      } finally {
        restoreInterrupts();
        // It begins with the next turn: whoever lends has the terminal in its own mode by then.
        stdin.resume();
        if (onSuspend) process.on("SIGTSTP", handleSuspend);
        if (isMouseOn) stdout.write(MOUSE_ON);
        isReleased = false;
      }
    },
    onSignals(suspend, onResume) {
      onSuspend = suspend;
      const onContinue = () => {
        if (!isReleased) onResume();
      };
      process.on("SIGTSTP", handleSuspend).on("SIGCONT", onContinue);
      return () => {
        onSuspend = undefined;
        process.off("SIGTSTP", handleSuspend).off("SIGCONT", onContinue);
      };
    },
  };
}

/**
 * Nothing is read of what is typed from now on. Who only stops listening still waits for one key more, and a read of it
 * takes it from the other program, or waits for the end of a line once that one has left the terminal in line mode.
 */
async function pauseInput(stdin: NodeJS.ReadStream): Promise<void> {
  // Streams take notice that nobody listens any more, and that they are paused, a turn later each.
  await nextTick();
  stdin.pause();
  await nextTick();
}

const nextTick = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Ctrl-C goes to every program of the job: here it is for another one. The returned function ends that. */
function ignoreInterrupts(): () => void {
  const listeners = process.listeners("SIGINT");
  const ignore = () => {};
  process.removeAllListeners("SIGINT").on("SIGINT", ignore);
  return () => {
    process.off("SIGINT", ignore);
    for (const listener of listeners) process.on("SIGINT", listener);
  };
}

/** Stops the whole job, as the terminal itself does: a launcher waits in the same one. */
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
  // The timer may be due before the signal is looked at.
  await new Promise((done) => setTimeout(done, 1));
  clearTimeout(timer);
  process.off("SIGCONT", onContinue);
  return isContinued;
}

/** No terminal at all, as in tests. */
export const NO_TERMINAL: TerminalControl = {
  mouse: () => false,
  setMouse: () => {},
  isReleased: () => false,
  suspend: async () => false,
  lend: (work) => work(),
  onSignals: () => () => {},
};
