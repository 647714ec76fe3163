/** What is looked at as a text for a program of the user's own. */
import type { Json } from "../../base/json.ts";
import { formatJson } from "../../output/formats/json.ts";
import type { Subject } from "../app/context.ts";
import type { Place } from "../app/route.ts";
import { fileStem } from "./copy-choices.ts";

/** A text with the name of its file. */
export interface ViewText {
  readonly name: string;
  readonly text: string;
}

/**
 * What is on view as a text: lines where it is lines, else JSON as it came, of a list the marked rows or all on view.
 * Undefined where there is nothing.
 */
export function textOfView(place: Place, subject: Subject | undefined): ViewText | undefined {
  const stem = fileStem(place, subject) || "solx";
  const lines = subject?.lines?.();
  if (lines && lines.length > 0) return { name: `${stem}.txt`, text: `${lines.join("\n")}\n` };
  const { rows, marked = [], row } = subject ?? {};
  const value = rows === undefined ? row : marked.length > 0 ? marked : rows;
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return undefined;
  return { name: `${stem}.json`, text: `${formatJson(value as Json, 2)}\n` };
}
