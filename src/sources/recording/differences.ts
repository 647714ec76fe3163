/** What distinguishes a request from a recorded one. */
import { endpointOfPath, type RecordedQuery, type RecordedRequest } from "./request.ts";

/** A parameter that differs; undefined is the default, or none. */
export interface Difference {
  readonly name: string;
  readonly requested: string | undefined;
  readonly recorded: string | undefined;
}

/** Returns the parameters in which two requests differ, and their methods and paths. */
export function differencesOf(request: RecordedRequest, recorded: RecordedRequest): readonly Difference[] {
  const values = (query: RecordedQuery) => new Map(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const [left, right] = [values(request.query), values(recorded.query)];
  left.set("method", request.method).set("path", request.path);
  right.set("method", recorded.method).set("path", recorded.path);
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((name) => {
    const difference = { name, requested: left.get(name), recorded: right.get(name) };
    return difference.requested === difference.recorded ? [] : [difference];
  });
}

/** Returns by how many seconds the times of two requests differ; infinity where anything else does. */
export function secondsBetween(request: RecordedRequest, recorded: RecordedRequest): number {
  if (request.path !== recorded.path) return Number.POSITIVE_INFINITY;
  const query = endpointOfPath(request.path)?.query ?? {};
  return differencesOf(request, recorded).reduce((sum, { name, requested, recorded: value }) => {
    const isTime = query[name]?.type === "time" && requested !== undefined && value !== undefined;
    return isTime ? sum + Math.abs(Number(requested) - Number(value)) : Number.POSITIVE_INFINITY;
  }, 0);
}

/** Returns how far differences are apart: first by their number, then by the distance of numbers. */
export function distanceOf(differences: readonly Difference[]): number {
  const distances = differences.map(({ requested, recorded }) => Math.abs(Number(requested) - Number(recorded)));
  const sum = distances.reduce((total, distance) => total + (Number.isNaN(distance) ? 0 : distance), 0);
  return differences.length + sum / (1 + sum);
}

/** Characters of a value in a message. */
const MAX_LENGTH = 48;

/** Returns differences as a part of a sentence: `page is 3, recorded is 2`. */
export function describeDifferences(differences: readonly Difference[]): string {
  return differences
    .map(({ name, requested, recorded }) => `${name} is ${valueText(requested)}, recorded is ${valueText(recorded)}`)
    .join("; ");
}

function valueText(value: string | undefined): string {
  if (value === undefined) return "not set";
  return value.length > MAX_LENGTH ? `${value.slice(0, MAX_LENGTH)}…` : value;
}
