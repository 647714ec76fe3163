/** Actions on the current view: copy, export, bookmark, open in a browser, pager or editor, show the command. */

import { useApp } from "ink";
import { loadEntityShape, type Shape, UNKNOWN_SHAPE } from "../../output/index.ts";
import { type Explorer, type Subject, useBindings, useExplorer } from "../navigation/context.ts";
import { bindAction } from "../navigation/keys/bindings.ts";
import { formatKeyHints, keyLabelsOf } from "../navigation/keys/key-hints.ts";
import type { TerminalControl } from "../terminal/control.ts";
import { openPage } from "./copy-text.ts";
import { canBookmark, currentView, toggleBookmark } from "./current-view.ts";
import { exportScopes, viewAsTextFile } from "./export.ts";
import { NameKeys } from "./fetch-names.tsx";
import { NameAddressKey } from "./name-address.tsx";
import { webPageOfView } from "./web-page.ts";

/** Binds the keys of the actions; draws nothing itself. */
export function ViewActions({ terminal }: { terminal: TerminalControl }) {
  const explorer = useExplorer();
  const { openPopup } = explorer;
  const handOff = useOpenExternally(terminal);
  useBindings("global", [
    bindAction("view.copy", "copy", () => openPopup({ kind: "copy" }), { hint: 40 }),
    bindAction("view.export", "export", () => openExport(explorer), { hint: 28 }),
    bindAction("view.command", "command", () => openPopup({ kind: "command" }), { hint: 27 }),
    bindAction("view.pager", "pager", () => handOff("pager"), { hint: 70 }),
    bindAction("view.editor", "editor", () => handOff("editor")),
    bindAction("view.bookmark", "bookmark", () => bookmark(explorer), { hint: 60 }),
    bindAction("view.browser", "browser", () => void browse(explorer), { hint: 65 }),
    bindAction("solx.theme", "theme", () => openPopup({ kind: "themes" })),
  ]);
  return (
    <>
      <NameKeys />
      <NameAddressKey />
    </>
  );
}

/** Returns a function that opens the current view in the pager or editor and redraws the screen afterwards. */
function useOpenExternally(terminal: TerminalControl): (to: "pager" | "editor") => void {
  const { suspendTerminal } = useApp();
  const explorer = useExplorer();
  return (to) => {
    const { services, toast } = explorer;
    const { route, subject } = currentView(explorer);
    const viewText = viewAsTextFile(route, subject);
    if (!viewText) return toast("nothing to open here", "warning");
    const { name, text } = viewText;
    suspendTerminal(async () => {
      const { ok, message } = await terminal.lend(() => services.openExternally(to, name, text));
      if (!ok) toast(message, "bad");
    }).catch((error: unknown) => services.log(String(error)));
  };
}

function openExport(explorer: Explorer): void {
  const view = currentView(explorer);
  const request = view.subject?.request;
  const scopes = exportScopes(view.subject, request && explorer.data.read(request).answer);
  if (scopes.length === 0) explorer.toast("nothing to export here", "warning");
  else explorer.openPopup({ kind: "export" });
}

function bookmark(explorer: Explorer): void {
  const view = currentView(explorer);
  if (canBookmark(view.route)) void toggleBookmark(explorer, view, keyLabelsOf(explorer));
  else {
    const hints = formatKeyHints(
      keyLabelsOf(explorer),
      [
        ["go.home", "home"],
        ["go.bookmarks", "bookmarks"],
      ],
      ", ",
    );
    explorer.toast(`this page cannot be bookmarked; ${hints}`.trimEnd(), "warning");
  }
}

async function browse(explorer: Explorer): Promise<void> {
  const { route, subject } = currentView(explorer);
  const page = webPageOfView(route, subject, await shapeOfRows(subject));
  if (page) await openPage(explorer, page.url);
  else explorer.toast("no web page for this view", "warning");
}

/** Returns the shape of the rows of a subject. */
async function shapeOfRows(subject: Subject | undefined): Promise<Shape> {
  if (!subject?.rows || !subject.request) return UNKNOWN_SHAPE;
  return loadEntityShape(subject.request.endpoint.returns.entity);
}
