/** Actions on the current view: copy, export, bookmark, open in a browser, pager or editor, show the command. */
import { useApp } from "ink";
import { fieldOf, listOf, textOf } from "../../base/index.ts";
import { isAddress, UNKNOWN_SHAPE, WEB_SITE, webPageUrl } from "../../catalogue/index.ts";
import { addBookmark, bookmarksOf, canBookmark } from "../navigation/bookmarks.ts";
import { type Explorer, type Subject, useBindings, useExplorer } from "../navigation/context.ts";
import { entityKindOfGroup } from "../navigation/entity-pages.ts";
import { bindAction, formatKeyHints, keyLabelsOf } from "../navigation/keys/bindings.ts";
import { HOME, isSameRoute, type Route } from "../navigation/route.ts";
import { TAB_PART } from "../navigation/view.ts";
import { TRANSFERS } from "../pages/flow/transfers.ts";
import { requestForRoute } from "../pages/records.ts";
import type { TerminalControl } from "../terminal/control.ts";
import { answerShape } from "../widgets/cells.ts";
import { linksIn, routeOfCell } from "../widgets/list/links.ts";
import { openPage } from "./copy.tsx";
import { currentView, identifierOfRoute, requestOfView } from "./current-view.ts";
import { exportScopes, viewAsTextFile } from "./export.ts";
import { NameAddressKey, NameKeys } from "./name-actions.tsx";
import { ProgramKeys } from "./program-keys.tsx";

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
    bindAction("go.flow", "follow the money", () => followMoney(explorer), {
      active: explorer.services.supports(TRANSFERS),
      ...(isAboutMoney(explorer.navigation.current().route) && { hint: 62 }),
    }),
    bindAction("view.browser", "browser", () => void browse(explorer), { hint: 65 }),
    bindAction("solx.theme", "theme", () => openPopup({ kind: "themes" })),
  ]);
  return (
    <>
      <NameKeys />
      <NameAddressKey />
      <ProgramKeys terminal={terminal} />
    </>
  );
}

/** Whether a page is about an account, or about a transaction, which accounts have signed. */
const isAboutMoney = (route: Route): boolean =>
  route.kind === "entity" && (route.entity === "account" || route.entity === "transaction");

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
  const view = explorer.navigation.view();
  if (!canBookmark(view.route)) {
    const hints = formatKeyHints(
      keyLabelsOf(explorer),
      [
        ["go.home", "home"],
        ["go.bookmarks", "bookmarks"],
      ],
      ", ",
    );
    explorer.toast(`this page cannot be bookmarked; ${hints}`.trimEnd(), "warning");
  } else if (bookmarksOf(explorer.services.memory, view.route).length > 0) explorer.openPopup({ kind: "bookmark" });
  else addBookmark(explorer, view, keyLabelsOf(explorer));
}

/** Opens the flows around the account under the cursor, else around that of the page, or the signer of a transaction. */
function followMoney({ navigation, subjects, data, toast }: Explorer): void {
  const { id: entry, route } = navigation.current();
  const subject = subjects.current();
  const [cell, request] = [routeOfCell(subject), requestForRoute(route)];
  const [signer] = request ? listOf(fieldOf(data.read(request).answer?.data, "signer")) : [];
  const group = route.kind === "entity" ? route.entity : request?.endpoint.group;
  const id = cell?.kind === "entity" && cell.entity === "account" ? cell.id : undefined;
  const account = id ?? (group === "account" ? identifierOfRoute(route, subject) : textOf(signer));
  if (account === undefined || !isAddress(account)) return void toast("no account to follow here", "warning");
  const flow = { kind: "entity", entity: "account", id: account, tab: "flow" } as const;
  const { route: here } = navigation.view();
  if (here.kind === "entity" && here.tab === flow.tab && isSameRoute(here, flow)) toast("these are its flows");
  else if (route.kind === "entity" && route.entity === flow.entity && route.id === account)
    navigation.saveState(entry, TAB_PART, flow.tab, (tab) => tab);
  else navigation.open(flow, {});
}

async function browse(explorer: Explorer): Promise<void> {
  const { route, subject } = currentView(explorer);
  const url = webPageOfView(route, subject);
  if (url === undefined) explorer.toast("no web page for this view", "warning");
  else await openPage(explorer, url);
}

/**
 * Returns the URL of a page of the public explorer: that of the cell, else of a link in the row, preferring the
 * transaction, else of the route; undefined when none has a page.
 */
export function webPageOfView(route: Route, subject: Subject | undefined): string | undefined {
  const { row, rows, request } = subject ?? {};
  // An object is what its route is about.
  const shape = request ? answerShape(request.endpoint) : UNKNOWN_SHAPE;
  const links = rows === undefined ? [] : linksIn(row, "", shape).map((link) => link.route);
  const transactions = links.filter((one) => one.kind === "entity" && one.entity === "transaction");
  const urls = [routeOfCell(subject), ...transactions, ...links, route].map((one) =>
    one?.kind === "entity" ? webPageUrl(one.entity, one.id) : undefined,
  );
  return urls.find((url) => url !== undefined) ?? webPageOfRequest(route, subject);
}

function webPageOfRequest(route: Route, subject: Subject | undefined): string | undefined {
  if (isSameRoute(route, HOME)) return `${WEB_SITE}/`;
  const entity = entityKindOfGroup(requestOfView(route, subject)?.endpoint.group);
  const id = identifierOfRoute(route, subject);
  return entity !== undefined && id !== undefined ? webPageUrl(entity, id) : undefined;
}
