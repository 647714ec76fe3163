/** Pages of the public explorer: addresses that are built here alone, of identifiers that were checked. */
import type { Endpoint } from "../../catalogue/endpoint.ts";
import { positionalOf } from "../../catalogue/index.ts";
import { isAddress, isSignature } from "../../catalogue/validate.ts";
import { type Shape, UNKNOWN_SHAPE } from "../../output/fields/shape.ts";
import type { Subject } from "../app/context.ts";
import { type Place, type Thing, thingOfGroup } from "../app/route.ts";
import { targetOf } from "../app/route-for.ts";
import { linksIn } from "../widgets/list/links.ts";
import { requestOf } from "./view-command.ts";

/** Where the public explorer is. */
const WEB = "https://solscan.io";

/** A page of the public explorer. */
export interface Page {
  readonly url: string;
  readonly thing: Thing | undefined;
}

interface Way {
  /** The word of the page's address. */
  readonly word: string;
  readonly isId: (id: string) => boolean;
}

const WAYS: Readonly<Record<Thing, Way>> = {
  account: { word: "account", isId: isAddress },
  token: { word: "token", isId: isAddress },
  transaction: { word: "tx", isId: isSignature },
  block: { word: "block", isId: (id) => /^\d{1,15}$/.test(id) },
  market: { word: "account", isId: isAddress },
  program: { word: "account", isId: isAddress },
  collection: { word: "collection", isId: (id) => /^[0-9A-Za-z]{8,88}$/.test(id) },
};

/** The page of a thing; undefined for what is no identifier of one. */
export function pageOf(thing: Thing, id: string): Page | undefined {
  const { word, isId } = WAYS[thing];
  return isId(id) ? { url: `${WEB}/${word}/${encodeURIComponent(id)}`, thing } : undefined;
}

/**
 * The page of what is looked at: of the cell, else of the row, else of the place; undefined where none has one.
 * @param shape the form of a row, where it is known
 */
export function pageOfView(place: Place, subject: Subject | undefined, shape: Shape = UNKNOWN_SHAPE): Page | undefined {
  return pageOfCell(subject) ?? pageOfRow(subject, shape) ?? pageOfPlace(place, subject);
}

function pageOfTarget(target: Place | undefined): Page | undefined {
  return target?.kind === "thing" ? pageOf(target.thing, target.id) : undefined;
}

function pageOfCell(subject: Subject | undefined): Page | undefined {
  const { cell } = subject ?? {};
  return cell && pageOfTarget(targetOf(cell.value, cell.kind, cell.field, ownOf(subject?.request?.endpoint)));
}

/** The page of what a row of a list leads to, the transaction first; an object is what its place is about. */
function pageOfRow(subject: Subject | undefined, shape: Shape): Page | undefined {
  const { row, rows, request } = subject ?? {};
  if (rows === undefined || row === undefined) return undefined;
  const pages = linksIn(row, "", shape, ownOf(request?.endpoint)).map(({ place }) => pageOfTarget(place));
  return pages.find((page) => page?.thing === "transaction") ?? pages.find((page) => page !== undefined);
}

function idOf(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

/** What an address of a field called `address` is, by the endpoint's group. */
function ownOf(endpoint: Endpoint | undefined): Thing {
  const thing = thingOfGroup(endpoint?.group);
  return thing === "token" || thing === "market" || thing === "program" ? thing : "account";
}

function pageOfPlace(place: Place, subject: Subject | undefined): Page | undefined {
  if (place.kind === "thing") return pageOf(place.thing, place.id);
  const request = requestOf(place, subject);
  const name = request && positionalOf(request.endpoint)?.[0];
  const id = name === undefined ? undefined : idOf(request?.params[name]);
  const thing = thingOfGroup(request?.endpoint.group);
  if (id !== undefined && thing !== undefined) return pageOf(thing, id);
  return place.kind === "hall" && place.hall === "home" ? { url: `${WEB}/`, thing: undefined } : undefined;
}
