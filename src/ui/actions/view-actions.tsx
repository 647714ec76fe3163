/** What can be done with what is looked at, anywhere: copy, export, bookmark, open, carry to the shell. */

import { useApp } from "ink";
import { type Shape, UNKNOWN_SHAPE } from "../../output/fields/shape.ts";
import { type Explorer, type Subject, useBindings, useExplorer } from "../app/context.ts";
import { actionBinding } from "../app/keys/actions.ts";
import { formatKeyHints, keyLabelsOf } from "../app/keys/key-hints.ts";
import type { TerminalControl } from "../terminal/control.ts";
import { CommandPopup } from "./command-popup.tsx";
import { listCopyChoices } from "./copy-choices.ts";
import { CopyMenu } from "./copy-menu.tsx";
import { openPage } from "./copy-text.tsx";
import { canBookmark, commandOf, copySources, currentView, toggleBookmark } from "./current-view.ts";
import { exportScopes, viewAsTextFile } from "./export.ts";
import { ExportPopup } from "./export-popup.tsx";

import { webPageOfView } from "./web-page.ts";

/** The keys of the actions; nothing is drawn until one is pressed. */
export function ViewActions({ terminal }: { terminal: TerminalControl }) {
  const explorer = useExplorer();
  const handOff = useOpenExternally(terminal);
  useBindings("global", [
    { ...actionBinding("view.copy"), label: "copy", group: "data", hint: 40, run: () => openCopyMenu(explorer) },
    { ...actionBinding("view.export"), label: "export", group: "data", hint: 50, run: () => openExport(explorer) },
    { ...actionBinding("view.command"), label: "command", group: "data", hint: 45, run: () => openCommand(explorer) },
    { ...actionBinding("view.pager"), label: "pager", group: "data", hint: 70, run: () => handOff("pager") },
    { ...actionBinding("view.editor"), label: "editor", group: "data", run: () => handOff("editor") },
    { ...actionBinding("view.bookmark"), label: "bookmark", group: "go", hint: 60, run: () => bookmark(explorer) },
    { ...actionBinding("view.browser"), label: "browser", group: "go", hint: 65, run: () => void browse(explorer) },
  ]);
  return null;
}

/** Gives the terminal to a program with what is looked at, and draws the screen anew when that has ended. */
function useOpenExternally(terminal: TerminalControl): (to: "pager" | "editor") => void {
  const { suspendTerminal } = useApp();
  const explorer = useExplorer();
  return (to) => {
    const { services, toast } = explorer;
    const { route, subject } = currentView(explorer);
    const viewText = viewAsTextFile(route, subject);
    if (!viewText) return toast("There is nothing here to look at elsewhere.", "warning");
    const { name, text } = viewText;
    suspendTerminal(async () => {
      const { ok, message } = await terminal.lend(() => services.openExternally(to, name, text));
      if (!ok) toast(message, "bad");
    }).catch((error: unknown) => services.log(String(error)));
  };
}

function openCopyMenu(explorer: Explorer): void {
  const view = currentView(explorer);
  explorer.setOverlay(<CopyMenu choices={listCopyChoices(view.route, view.subject, copySources(explorer, view))} />);
}

function openExport(explorer: Explorer): void {
  const view = currentView(explorer);
  const request = view.subject?.request;
  const scopes = exportScopes(view.subject, request && explorer.data.read(request).answer);
  if (scopes.length === 0) explorer.toast("There is nothing here to export.", "warning");
  else explorer.setOverlay(<ExportPopup view={view} />);
}

function openCommand(explorer: Explorer): void {
  explorer.setOverlay(<CommandPopup command={commandOf(explorer, currentView(explorer))} />);
}

function bookmark(explorer: Explorer): void {
  const view = currentView(explorer);
  if (canBookmark(view.route)) void toggleBookmark(explorer, view, keyLabelsOf(explorer));
  else {
    const hints = formatKeyHints(
      keyLabelsOf(explorer),
      [
        ["go.home", "opens home"],
        ["go.bookmarks", "the bookmarks"],
      ],
      ", ",
    );
    explorer.toast(`This screen needs no bookmark. ${hints}`.trimEnd(), "warning");
  }
}

async function browse(explorer: Explorer): Promise<void> {
  const { route, subject } = currentView(explorer);
  const page = webPageOfView(route, subject, await shapeOfRows(subject));
  if (page) await openPage(explorer, page.url);
  else explorer.toast("The public explorer has no page for this.", "warning");
}

/** The form of the rows that are looked at. */
async function shapeOfRows(subject: Subject | undefined): Promise<Shape> {
  if (!subject?.rows || !subject.request) return UNKNOWN_SHAPE;
  const [entities, { shapeOf }] = await Promise.all([
    import("../../catalogue/entities/index.ts"),
    import("../../output/fields/schema.ts"),
  ]);
  return shapeOf(entities[subject.request.endpoint.returns.entity]);
}
