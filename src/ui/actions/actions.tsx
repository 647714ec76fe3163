/** What can be done with what is looked at, anywhere: copy, export, bookmark, open, carry to the shell. */
import { type Shape, UNKNOWN } from "../../output/shape.ts";
import { type Explorer, type Subject, useBindings, useExplorer } from "../frame/context.ts";
import { CommandPopup } from "./command-popup.tsx";
import { copyChoices } from "./copies.ts";
import { CopyMenu } from "./copy-menu.tsx";
import { openPage } from "./copying.tsx";
import { scopesOf } from "./export.ts";
import { ExportPopup } from "./export-popup.tsx";
import { canKeep, commandOf, copySources, looked, toggleBookmark } from "./run.ts";
import { pageOfView } from "./web.ts";

/** The keys of the actions; nothing is drawn until one is pressed. */
export function Actions() {
  const explorer = useExplorer();
  useBindings("global", [
    { keys: ["c"], label: "copy", group: "data", hint: 40, run: () => openCopyMenu(explorer) },
    { keys: ["e"], label: "export", group: "data", hint: 50, run: () => openExport(explorer) },
    { keys: ["!"], label: "command", group: "data", hint: 45, run: () => openCommand(explorer) },
    { keys: ["b"], label: "bookmark", group: "go", hint: 60, run: () => bookmark(explorer) },
    { keys: ["o"], label: "browser", group: "go", hint: 65, run: () => void browse(explorer) },
  ]);
  return null;
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
  if (canKeep(seen.place)) void toggleBookmark(explorer, seen);
  else explorer.toast("This screen is always one key away: H opens home, B the bookmarks.", "warning");
}

async function browse(explorer: Explorer): Promise<void> {
  const { place, subject } = looked(explorer);
  const page = pageOfView(place, subject, await shapeOfRows(subject));
  if (page) await openPage(explorer, page.url);
  else explorer.toast("The public explorer has no page for this.", "warning");
}

/** The form of the rows that are looked at. */
async function shapeOfRows(subject: Subject | undefined): Promise<Shape> {
  if (!subject?.rows || !subject.request) return UNKNOWN;
  const [entities, { shapeOf }] = await Promise.all([
    import("../../catalogue/entities/index.ts"),
    import("../../output/schema.ts"),
  ]);
  return shapeOf(entities[subject.request.endpoint.returns.entity]);
}
