/** What a full-screen program does with its terminal beside drawing: stopping and going on, and the mouse. */
import { MOUSE_OFF, MOUSE_ON } from "./mouse.ts";

/** The terminal, as keys control it. */
export interface TerminalControl {
  readonly mouse: () => boolean;
  readonly setMouse: (on: boolean) => void;
  /** Whether the terminal is the shell's now. */
  readonly isStopping: () => boolean;
  /** Stops this process, as Ctrl-Z does; resolves when it goes on, with whether it was stopped at all. */
  readonly stop: () => Promise<boolean>;
  /** Leaves the terminal to another program while it runs: what its user types is for that program alone. */
  readonly lend: <T>(work: () => Promise<T>) => Promise<T>;
  /**
   * Hears when something else wants the process to stop, and when it goes on after it was stopped unawares. The returned
   * function ends that.
   */
  readonly onAsked: (stop: () => void, goneOn: () => void) => () => void;
}

/** A process that goes on this soon after it was to stop was not stopped: nobody could have continued it. */
const STOP_MS = 200;

/** The control of this process and its terminal. */
export function terminalControl(stdin: NodeJS.ReadStream, stdout: NodeJS.WriteStream): TerminalControl {
  let isMouseOn = false;
  let isStopping = false;
  let asked: (() => void) | undefined;
  const hear = () => asked?.();
  return {
    mouse: () => isMouseOn,
    setMouse(on) {
      isMouseOn = on;
      stdout.write(on ? MOUSE_ON : MOUSE_OFF);
    },
    isStopping: () => isStopping,
    async stop() {
      isStopping = true;
      if (isMouseOn) stdout.write(MOUSE_OFF);
      process.off("SIGTSTP", hear);
      const wasStopped = await stopped();
      if (asked) process.on("SIGTSTP", hear);
      if (isMouseOn) stdout.write(MOUSE_ON);
      isStopping = false;
      return wasStopped;
    },
    async lend(work) {
      isStopping = true;
      if (isMouseOn) stdout.write(MOUSE_OFF);
      process.off("SIGTSTP", hear);
      const heed = ignoreInterrupts();
      await stopReading(stdin);
      try {
        return await work();
      } finally {
        heed();
        // It begins with the next turn: whoever lends has the terminal in its own mode by then.
        stdin.resume();
        if (asked) process.on("SIGTSTP", hear);
        if (isMouseOn) stdout.write(MOUSE_ON);
        isStopping = false;
      }
    },
    onAsked(stop, goneOn) {
      asked = stop;
      const onContinue = () => {
        if (!isStopping) goneOn();
      };
      process.on("SIGTSTP", hear).on("SIGCONT", onContinue);
      return () => {
        asked = undefined;
        process.off("SIGTSTP", hear).off("SIGCONT", onContinue);
      };
    },
  };
}

/**
 * Nothing is read of what is typed from now on. Who only stops listening still waits for one key more, and a read of it
 * takes it from the other program, or waits for the end of a line once that one has left the terminal in line mode.
 */
async function stopReading(stdin: NodeJS.ReadStream): Promise<void> {
  // Streams take notice that nobody listens any more, and that they are paused, a turn later each.
  await turn();
  stdin.pause();
  await turn();
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Ctrl-C goes to every program of the job: here it is for another one. The returned function ends that. */
function ignoreInterrupts(): () => void {
  const heard = process.listeners("SIGINT");
  const ignore = () => {};
  process.removeAllListeners("SIGINT").on("SIGINT", ignore);
  return () => {
    process.off("SIGINT", ignore);
    for (const listener of heard) process.on("SIGINT", listener);
  };
}

/** Stops the whole job, as the terminal itself does: a launcher waits in the same one. */
async function stopped(): Promise<boolean> {
  let isContinued = false;
  const { promise, resolve } = Promise.withResolvers<void>();
  const onContinue = () => {
    isContinued = true;
    resolve();
  };
  process.once("SIGCONT", onContinue);
  process.kill(0, "SIGTSTP");
  const timer = setTimeout(resolve, STOP_MS);
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
  isStopping: () => false,
  stop: async () => false,
  lend: (work) => work(),
  onAsked: () => () => {},
};
