/** Failures as text: for people what, why and what to type next; for machines one JSON object on one line. */
import { errorObject, type SolxError } from "../base/errors.ts";
import type { Json } from "../base/json.ts";
import { formatJson } from "./formats/json.ts";
import { safeText } from "./text/safe.ts";
import { createPainter } from "./text/theme.ts";

/** How a failure is shown. */
export interface ErrorOptions {
  readonly color: boolean;
  readonly machine: boolean;
  /** The identifier that failed, where it is one of many. */
  readonly input?: string;
}

/** A failure as text, ending with a line break. */
export function formatError(error: SolxError, { color, machine, input }: ErrorOptions): string {
  if (machine) {
    const { success, ...rest } = errorObject(error);
    return `${formatJson({ success, ...(input === undefined ? {} : { input }), ...rest } as Json)}\n`;
  }
  const paint = createPainter(color);
  const hint = (error.hint ?? "").split("\n").filter((line) => line.trim() !== "");
  const lines = [
    `${paint("bad", "error:")} ${safeText(error.message)}`,
    ...causeOf(error).map((cause) => paint("note", `  because: ${safeText(cause)}`)),
    ...hint.map((line) => `  ${safeText(line)}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** What lies underneath, where it is not the sentence over again. */
function causeOf({ cause, message }: SolxError): string[] {
  if (!(cause instanceof Error)) return [];
  const [sentence, detail] = [normalize(message), normalize(cause.message)];
  return sentence.includes(detail) || (sentence !== "" && detail.includes(sentence)) ? [] : [cause.message];
}

/** A text by its words alone. */
function normalize(text: string): string {
  return text
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/[\s.]+$/, "");
}
