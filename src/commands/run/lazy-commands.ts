/** Commands get what they have when a line leads to them, or all at once. */
import type { Command } from "commander";
import type { Lazily } from "../endpoint/command.ts";

/** How the commands of a program get what they still need. */
const completers = new WeakMap<Command, (command: Command) => void>();

/**
 * What a command has, options or commands of its own, is added only when the line leads to it: making a thousand
 * options and dozens of commands at every start would be what a short command spends most of its time on.
 * @param always what every command gets then, after its own
 */
export function completeLater(program: Command, always: (command: Command) => void): Lazily {
  const waiting = new Map<Command, () => void>();
  const complete = (command: Command) => {
    waiting.get(command)?.();
    waiting.delete(command);
    always(command);
  };
  const watch = (command: Command) => {
    command.hook("preSubcommand", (_, sub) => {
      complete(sub);
      watch(sub);
    });
  };
  watch(program);
  completers.set(program, complete);
  return (command, later) => waiting.set(command, later);
}

/** Gives a command of a program all that it has, as if a line had led to it. */
export function completeCommand(command: Command): void {
  let program = command;
  while (program.parent) program = program.parent;
  if (command !== program) completers.get(program)?.(command);
}
