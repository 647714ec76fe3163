/** Actions on the current view: copy, export, bookmark, open in a browser, pager or editor, show the command. */
import { useApp } from "ink";
import { type Endpoint, positionalOf, WEB_SITE, webPageUrl } from "../../catalogue/index.ts";
import { loadEntityShape, type Shape, UNKNOWN_SHAPE } from "../../output/index.ts";
import { type Explorer, type Subject, useBindings, useExplorer } from "../navigation/context.ts";
import { type EntityKind, entityKindOfGroup } from "../navigation/entity-pages.ts";
import { bindAction, formatKeyHints, keyLabelsOf } from "../navigation/keys/bindings.ts";
import { type Route, routeForValue } from "../navigation/route.ts";
import type { TerminalControl } from "../terminal/control.ts";
import { linksIn } from "../widgets/list/links.ts";
import { openPage } from "./copy.tsx";
import { canBookmark, currentView, requestOfView, toggleBookmark } from "./current-view.ts";
import { exportScopes, viewAsTextFile } from "./export.ts";
import { NameAddressKey, NameKeys } from "./name-actions.tsx";

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

async function shapeOfRows(subject: Subject | undefined): Promise<Shape> {
  if (!subject?.rows || !subject.request) return UNKNOWN_SHAPE;
  return loadEntityShape(subject.request.endpoint.returns.entity);
}

/** A page of the public explorer. */
interface WebPage {
  readonly url: string;
  readonly entity: EntityKind | undefined;
}

/** Returns the page of an entity; undefined when the identifier is invalid. */
export function webPage(entity: EntityKind, id: string): WebPage | undefined {
  const url = webPageUrl(entity, id);
  return url === undefined ? undefined : { url, entity };
}

/**
 * Returns the page of a view: of its cell, else of its row, else of its route; undefined when none has a page.
 * @param shape the shape of a row, if known
 */
export function webPageOfView(
  route: Route,
  subject: Subject | undefined,
  shape: Shape = UNKNOWN_SHAPE,
): WebPage | undefined {
  return webPageOfCell(subject) ?? webPageOfRow(subject, shape) ?? webPageOfLocation(route, subject);
}

function webPageOfRoute(route: Route | undefined): WebPage | undefined {
  return route?.kind === "entity" ? webPage(route.entity, route.id) : undefined;
}

function webPageOfCell(subject: Subject | undefined): WebPage | undefined {
  const { cell } = subject ?? {};
  return (
    cell &&
    webPageOfRoute(routeForValue(cell.value, cell.kind, cell.field, plainAddressEntity(subject?.request?.endpoint)))
  );
}

/** Returns the page of a link in a row, preferring the transaction; undefined for objects, whose route has the page. */
function webPageOfRow(subject: Subject | undefined, shape: Shape): WebPage | undefined {
  const { row, rows, request } = subject ?? {};
  if (rows === undefined || row === undefined) return undefined;
  const pages = linksIn(row, "", shape, plainAddressEntity(request?.endpoint)).map(({ route }) =>
    webPageOfRoute(route),
  );
  return pages.find((page) => page?.entity === "transaction") ?? pages.find((page) => page !== undefined);
}

function identifierText(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

/** Returns what a field called `address` identifies, by the group of the endpoint. */
function plainAddressEntity(endpoint: Endpoint | undefined): EntityKind {
  const entity = entityKindOfGroup(endpoint?.group);
  return entity === "token" || entity === "market" || entity === "program" ? entity : "account";
}

function webPageOfLocation(route: Route, subject: Subject | undefined): WebPage | undefined {
  if (route.kind === "entity") return webPage(route.entity, route.id);
  const request = requestOfView(route, subject);
  const name = request && positionalOf(request.endpoint)?.[0];
  const id = name === undefined ? undefined : identifierText(request?.params[name]);
  const entity = entityKindOfGroup(request?.endpoint.group);
  if (id !== undefined && entity !== undefined) return webPage(entity, id);
  return route.kind === "page" && route.page === "home" ? { url: `${WEB_SITE}/`, entity: undefined } : undefined;
}
