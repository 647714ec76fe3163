/** Creates the context of a run; everything in it is created when it is first needed. */
import type { Command } from "commander";
import { shouldUseColor, type Theme } from "../../output/index.ts";
import type { GlobalOptions } from "../options/parsed-options.ts";
import type { Outcome, Printer, RunContext, Session } from "./context.ts";
import type { Io } from "./io.ts";
import { createPrinter } from "./printer.ts";
import { Reporter } from "./reporter.ts";
import { createSession } from "./session.ts";

/** Creates the context of a run. */
export const createContext = (io: Io): RunContext => new Context(io);

class Context implements RunContext {
  readonly io: Io;
  readonly reporter: Reporter;
  readonly session: Session = createSession(this);
  readonly printer: Printer = createPrinter(this);
  readonly outcome: Outcome = {};
  globals: GlobalOptions = {};
  command: Command | undefined;
  onRoute: RunContext["onRoute"];
  runLine: RunContext["runLine"];

  constructor(io: Io) {
    this.io = io;
    this.reporter = new Reporter(io, () => this.globals);
    this.reporter.theme = () => this.#loadErrorTheme();
  }

  async #loadErrorTheme(): Promise<Theme | undefined> {
    const { env, stderr } = this.io;
    const settings = await this.session.loadedSettings();
    const flag = settings?.get("color");
    if (!shouldUseColor({ flag, env, isTTY: stderr.isTTY === true })) return undefined;
    const { themeOfStream } = await import("./theme.ts");
    try {
      return themeOfStream({ env, settings }, stderr).styles;
    } catch {
      // The theme itself may be the error.
      return themeOfStream({ env, settings: undefined }, stderr).styles;
    }
  }
}
