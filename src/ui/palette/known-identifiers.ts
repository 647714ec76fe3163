/** Identifiers known from the current view: the one under the cursor, then that of the route. */
import { positionalOf } from "../../catalogue/index.ts";
import type { Subject } from "../navigation/context.ts";
import type { EntityKind } from "../navigation/entity-pages.ts";
import { endpointOfRoute, type Route } from "../navigation/route.ts";
import { routeForValue } from "../navigation/route-for.ts";
import { answerPrompt, type EntityRef, entityOfParam, expectedEntity, isAcceptable, type Prompt } from "./prompt.ts";

/** Returns the entities of a view that can answer a prompt. */
export function entitiesInView(route: Route, subject: Subject | undefined): readonly EntityRef[] {
  return [...entityOfCell(subject), ...entityOfRoute(route)];
}

function entityOfCell(subject: Subject | undefined): readonly EntityRef[] {
  const { cell } = subject ?? {};
  const route = cell && routeForValue(cell.value, cell.kind, cell.field, plainAddressEntity(subject));
  return route?.kind === "entity" ? [{ entity: route.entity, id: route.id }] : [];
}

/** Returns what plain addresses in the rows of an endpoint identify. */
function plainAddressEntity(subject: Subject | undefined): EntityKind {
  return subject?.request?.endpoint.group === "token" ? "token" : "account";
}

function entityOfRoute(route: Route): readonly EntityRef[] {
  if (route.kind === "entity") return [{ entity: route.entity, id: route.id }];
  const endpoint = endpointOfRoute(route);
  const [name, param] = (endpoint && positionalOf(endpoint)) ?? [];
  if (!endpoint || !param || route.kind !== "endpoint" || name === undefined) return [];
  const id = [route.params[name]].flat()[0];
  if (typeof id !== "string" && typeof id !== "number") return [];
  return [{ entity: entityOfParam(endpoint, name, param), id: String(id) }];
}

/** Returns suggestions for a prompt: known identifiers, then those of recent routes, each once. */
export function suggestIdentifiers(
  prompt: Prompt,
  known: readonly EntityRef[],
  routes: readonly Route[],
  now: number,
): readonly EntityRef[] {
  const all = [...known, ...routes.flatMap(entityOfRoute)];
  const expected = expectedEntity(prompt);
  const near = all.filter(({ entity }) => entity !== expected && isAcceptable(entity, expected));
  const ordered = [...all.filter(({ entity }) => entity === expected), ...near];
  const ids = ordered.map(({ id }) => id);
  return ordered.filter(({ id }, index) => ids.indexOf(id) === index && !answerPrompt(prompt, id, now).problem);
}
