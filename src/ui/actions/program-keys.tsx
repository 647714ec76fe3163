/** The keys with which users run programs of their own on the row under the cursor. */
import { useApp } from "ink";
import { scalarText } from "../../base/index.ts";
import { parsePath, safeText, valueAt } from "../../output/index.ts";
import { type Explorer, useBindings, useExplorer } from "../navigation/context.ts";
import { describeHotkey, type ProgramKey } from "../navigation/keys/custom-keys.ts";
import type { ProgramReport } from "../navigation/services.ts";
import type { EntityRoute } from "../pages/props.ts";
import type { TerminalControl } from "../terminal/control.ts";
import { answerShape } from "../widgets/cells.ts";
import { routeOfCell, rowLinks } from "../widgets/list/links.ts";
import { copyText } from "./copy.tsx";
import { type CurrentView, currentView } from "./current-view.ts";

/** Binds the keys; draws nothing. */
export function ProgramKeys({ terminal }: { readonly terminal: TerminalControl }) {
  const { suspendTerminal } = useApp();
  const explorer = useExplorer();
  const hotkeys = explorer.services.customization?.keys.hotkeys ?? [];
  const start = async (words: readonly string[], hasTerminal: boolean) => {
    const { services, toast } = explorer;
    const { runProgram } = services;
    if (!runProgram) return;
    if (!hasTerminal) return showReport(explorer, await runProgram(words, false));
    await suspendTerminal(async () => {
      const { ok, message } = await terminal.lend(() => runProgram(words, true));
      toast(safeText(message), ok ? "good" : "bad");
    });
  };
  useBindings(
    "global",
    hotkeys.flatMap((one) => {
      if (!("run" in one)) return [];
      const run = () => {
        const { words, problem } = programWords(one, currentView(explorer));
        if (problem !== undefined) return explorer.toast(safeText(problem), "warning");
        if (!one.terminal) explorer.toast(`${safeText(describeHotkey(one))} …`);
        start(words, one.terminal).catch((error: unknown) => explorer.services.log(String(error)));
      };
      return [{ keys: [one.key], label: safeText(describeHotkey(one)), group: "data" as const, run }];
    }),
  );
  return null;
}

/** Shows how a program ended: with its output where it printed something. */
function showReport(explorer: Explorer, { ok, message, output }: ProgramReport): void {
  const text = output.split(/\r?\n/).map(safeText).join("\n").trimEnd();
  explorer.toast(safeText(message), ok ? "good" : "bad");
  if (text === "") return;
  const onCopy = () => void copyText(explorer, "output", () => text);
  explorer.openPopup({ kind: "text", title: safeText(message), text, onCopy });
}

/** A placeholder in an argument: `{id}` and `{kind}` of the entity, or a field of the row. */
const PLACEHOLDER = /\{([a-z_][\w.[\]]*)\}/gi;

/**
 * Returns the program with its arguments for the row of a view: each field is a part of one argument, whatever it
 * contains. Values that a program could take for an option or for several lines are refused.
 */
export function programWords(
  { run, kinds }: ProgramKey,
  view: CurrentView,
): { readonly words: readonly string[]; readonly problem?: string } {
  const targets = entitiesIn(view);
  const target = targets.find(({ entity }) => kinds.length === 0 || kinds.some((kind) => kind === entity));
  if (!target && kinds.length > 0) return { words: [], problem: `no ${kinds.join(" or ")} here` };
  const known = new Map<string, string | undefined>([
    ["id", target?.id],
    ["kind", target?.entity],
  ]);
  let problem: string | undefined;
  const words = run.map((word) =>
    word.replace(PLACEHOLDER, (_all, name: string, at: number) => {
      const value = known.get(name) ?? scalarText(valueAt(view.subject?.row, parsePath(name)));
      if (value === undefined) problem ??= `no field ${name} here`;
      else if (/\p{Cc}/u.test(value)) problem ??= `${name} has control characters`;
      else if (at === 0 && value.startsWith("-")) problem ??= `${name} would be an option: ${value}`;
      return value ?? "";
    }),
  );
  return problem === undefined ? { words } : { words: [], problem };
}

/** Returns the entities of a view: that of the cell, those of the row, and that of the page. */
function entitiesIn({ route, subject }: CurrentView): readonly EntityRoute[] {
  const { row, rows, request } = subject ?? {};
  const endpoint = request?.endpoint;
  const links = rows && row !== undefined && endpoint ? rowLinks(row, { endpoint, shape: answerShape(endpoint) }) : [];
  const routes = [routeOfCell(subject), ...links.map((link) => link.route), route];
  return routes.flatMap((one) => (one?.kind === "entity" ? [one] : []));
}
