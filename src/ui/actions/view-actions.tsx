/** What can be done with what is looked at, anywhere: copy, export, bookmark, open, carry to the shell. */

import { useApp } from "ink";
import { type Shape, UNKNOWN_SHAPE } from "../../output/fields/shape.ts";
import { type Explorer, type Subject, useBindings, useExplorer } from "../app/context.ts";
import { bound } from "../app/keys/actions.ts";
import { keyNamesOf, keyWords } from "../app/keys/key-hints.ts";
import type { TerminalControl } from "../terminal/control.ts";
import { CommandPopup } from "./command-popup.tsx";
import { copyChoices } from "./copy-choices.ts";
import { CopyMenu } from "./copy-menu.tsx";
import { openPage } from "./copy-text.tsx";
import { canKeep, commandOf, copySources, looked, toggleBookmark } from "./current-view.ts";
import { scopesOf, textOfView } from "./export.ts";
import { ExportPopup } from "./export-popup.tsx";

import { pageOfView } from "./web-page.ts";

/** The keys of the actions; nothing is drawn until one is pressed. */
export function Actions({ terminal }: { terminal: TerminalControl }) {
  const explorer = useExplorer();
  const handOff = useHandOff(terminal);
  useBindings("global", [
    { ...bound("view.copy"), label: "copy", group: "data", hint: 40, run: () => openCopyMenu(explorer) },
    { ...bound("view.export"), label: "export", group: "data", hint: 50, run: () => openExport(explorer) },
    { ...bound("view.command"), label: "command", group: "data", hint: 45, run: () => openCommand(explorer) },
    { ...bound("view.pager"), label: "pager", group: "data", hint: 70, run: () => handOff("pager") },
    { ...bound("view.editor"), label: "editor", group: "data", run: () => handOff("editor") },
    { ...bound("view.bookmark"), label: "bookmark", group: "go", hint: 60, run: () => bookmark(explorer) },
    { ...bound("view.browser"), label: "browser", group: "go", hint: 65, run: () => void browse(explorer) },
  ]);
  return null;
}

/** Gives the terminal to a program with what is looked at, and draws the screen anew when that has ended. */
function useHandOff(terminal: TerminalControl): (to: "pager" | "editor") => void {
  const { suspendTerminal } = useApp();
  const explorer = useExplorer();
  return (to) => {
    const { services, toast } = explorer;
    const { place, subject } = looked(explorer);
    const view = textOfView(place, subject);
    if (!view) return toast("There is nothing here to look at elsewhere.", "warning");
    const { name, text } = view;
    suspendTerminal(async () => {
      const { ok, message } = await terminal.lend(() => services.handOff(to, name, text));
      if (!ok) toast(message, "bad");
    }).catch((error: unknown) => services.log(String(error)));
  };
}

function openCopyMenu(explorer: Explorer): void {
  const seen = looked(explorer);
  explorer.setOverlay(<CopyMenu choices={copyChoices(seen.place, seen.subject, copySources(explorer, seen))} />);
}

function openExport(explorer: Explorer): void {
  const seen = looked(explorer);
  const request = seen.subject?.request;
  const scopes = scopesOf(seen.subject, request && explorer.data.read(request).answer);
  if (scopes.length === 0) explorer.toast("There is nothing here to export.", "warning");
  else explorer.setOverlay(<ExportPopup seen={seen} />);
}

function openCommand(explorer: Explorer): void {
  explorer.setOverlay(<CommandPopup command={commandOf(explorer, looked(explorer))} />);
}

function bookmark(explorer: Explorer): void {
  const seen = looked(explorer);
  if (canKeep(seen.place)) void toggleBookmark(explorer, seen, keyNamesOf(explorer));
  else {
    const ways = keyWords(
      keyNamesOf(explorer),
      [
        ["go.home", "opens home"],
        ["go.bookmarks", "the bookmarks"],
      ],
      ", ",
    );
    explorer.toast(`This screen needs no bookmark. ${ways}`.trimEnd(), "warning");
  }
}

async function browse(explorer: Explorer): Promise<void> {
  const { place, subject } = looked(explorer);
  const page = pageOfView(place, subject, await shapeOfRows(subject));
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
