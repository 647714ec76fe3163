import { safeText } from "../../output/index.ts";
import { availableEndpoints, availablePages } from "../navigation/availability.ts";
import { namedPage } from "../navigation/entity-pages.ts";
import type { Route } from "../navigation/route.ts";
import type { Services } from "../navigation/services.ts";
import { bookmarkRows } from "../pages/bookmarks/rows.ts";
import { sectionsFor } from "../pages/home/sections.ts";
import type { PlainLink } from "./page.ts";

/** Returns links to the statistics of the network, apart from the one that the page shows. */
function networkLinks(main: string | undefined, supports: Services["supports"]): readonly PlainLink[] {
  return availableEndpoints(supports)
    .filter(({ group, path }) => group === "analytics" && path !== main)
    .map(({ summary, route }) => ({ label: summary, route: { kind: "endpoint", endpointRoute: route, params: {} } }));
}

/** Returns the links of a page. */
export function linksFrom(route: Route, services: Services): readonly PlainLink[] {
  const { memory, supports } = services;
  if (route.kind !== "page") return [];
  if (route.page === "bookmarks")
    return bookmarkRows(memory.bookmarks(), memory.recent()).map((row) => ({
      label: `${row.kind === "bookmark" ? "bookmark" : "recent"}: ${safeText(row.name)}`,
      route: row.route,
    }));
  if (route.page === "network") return networkLinks(namedPage(route.page).path, supports);
  if (route.page !== "home") return [];
  const pages = availablePages(supports).filter((page) => page !== "home");
  return [
    ...sectionsFor(services).map(
      ({ title, endpoint, listParams: whole }): PlainLink => ({
        label: title,
        route: { kind: "endpoint", endpointRoute: endpoint.route, params: whole },
      }),
    ),
    ...pages.map((page): PlainLink => ({ label: page, route: { kind: "page", page } })),
  ];
}
