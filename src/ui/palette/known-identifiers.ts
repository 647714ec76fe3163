/** Identifiers that are at hand where one is: under the cursor first, then the place's own. */
import { positionalOf } from "../../catalogue/index.ts";
import type { Subject } from "../app/context.ts";
import { endpointOf, type Place, type Thing } from "../app/route.ts";
import { targetOf } from "../app/route-for.ts";
import { type AtHand, answered, identified, isOf, type Question, wantedThing } from "./prompt.ts";

/** What may stand in a line that asks for an identifier. */
export function atHandOf(place: Place, subject: Subject | undefined): readonly AtHand[] {
  return [...ofCell(subject), ...ofPlace(place)];
}

function ofCell(subject: Subject | undefined): readonly AtHand[] {
  const { cell } = subject ?? {};
  const target = cell && targetOf(cell.value, cell.kind, cell.field, ownOf(subject));
  return target?.kind === "thing" ? [{ thing: target.thing, id: target.id }] : [];
}

/** What the plain addresses in an endpoint's rows are of. */
function ownOf(subject: Subject | undefined): Thing {
  return subject?.request?.endpoint.group === "token" ? "token" : "account";
}

function ofPlace(place: Place): readonly AtHand[] {
  if (place.kind === "thing") return [{ thing: place.thing, id: place.id }];
  const endpoint = endpointOf(place);
  const [name, param] = (endpoint && positionalOf(endpoint)) ?? [];
  if (!endpoint || !param || place.kind !== "endpoint" || name === undefined) return [];
  const id = [place.params[name]].flat()[0];
  if (typeof id !== "string" && typeof id !== "number") return [];
  return [{ thing: identified(endpoint, name, param), id: String(id) }];
}

/** Identifiers of what is asked for: at hand, then of the places where one was; each once. */
export function suggestionsFor(
  question: Question,
  atHand: readonly AtHand[],
  places: readonly Place[],
  now: number,
): readonly AtHand[] {
  const all = [...atHand, ...places.flatMap(ofPlace)];
  const wanted = wantedThing(question);
  const near = all.filter(({ thing }) => thing !== wanted && isOf(thing, wanted));
  const ordered = [...all.filter(({ thing }) => thing === wanted), ...near];
  const ids = ordered.map(({ id }) => id);
  return ordered.filter(({ id }, index) => ids.indexOf(id) === index && !answered(question, id, now).problem);
}
