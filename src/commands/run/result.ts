/** The results of commands about keys and settings: the actions compute them, one function prints them. */
import { isArray, isObject, type Json } from "../../base/index.ts";
import type { DisplayOptions, RunContext } from "./context.ts";

/** An object, a list of rows or a plain value, how it is displayed, and notes for the user. */
export interface CommandResult {
  readonly value: Json;
  readonly display: DisplayOptions;
  readonly notes: readonly string[];
}

/** Prints a result: objects and lists in the format of the run, a plain value as a line unless a format is typed. */
export async function printResult(context: RunContext, { value, display, notes }: CommandResult): Promise<void> {
  const { output } = context.globals;
  if (isArray(value)) await context.printer.printRows(value, display);
  else if (isObject(value)) await context.printer.printObject(value, display);
  else if (output !== undefined) await context.printer.printObject(value);
  else if (value !== null) await context.printer.printText(`${value}\n`);
  for (const note of notes) await context.reporter.note(note);
}

/** Returns a function that runs an action of a module, which is loaded for it, and prints its result. */
export const actionPrinter =
  <Actions>(load: () => Promise<Actions>) =>
  async (context: RunContext, action: (actions: Actions) => Promise<CommandResult>): Promise<void> =>
    printResult(context, await action(await load()));
