/** Errors as text: message, cause and hint for people, one JSON object per line for programs. */
import { errorObject, type Json, type SolxError } from "../base/index.ts";
import { formatJson } from "./formats/json.ts";
import { safeText } from "./text/safe.ts";
import { createPainter, type Theme } from "./text/theme.ts";

/** The options of {@link formatError}. */
export interface ErrorOptions {
  readonly theme?: Theme | undefined;
  readonly machine: boolean;
  readonly input?: string;
}

/** Returns an error as text that ends with a line break. */
export async function formatError(error: SolxError, { theme, machine, input }: ErrorOptions): Promise<string> {
  if (machine) {
    const { success, ...rest } = errorObject(error);
    return `${formatJson({ success, ...(input === undefined ? {} : { input }), ...rest } as Json)}\n`;
  }
  const paint = createPainter(theme);
  const hint = (error.hint ?? "").split("\n").filter((line) => line.trim() !== "");
  const candidates = error.candidates?.length ? (await import("./candidates.ts")).candidateLines(error.candidates) : [];
  const lines = [
    `${paint("bad", "error:")} ${safeText(error.message)}`,
    ...describeCause(error).map((cause) => paint("note", `  because: ${safeText(cause)}`)),
    ...candidates.map((line) => `  ${line}`),
    ...hint.map((line) => `  ${safeText(line)}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** Returns the message of the cause, unless it repeats that of the error. */
function describeCause({ cause, message }: SolxError): string[] {
  if (!(cause instanceof Error)) return [];
  const [sentence, detail] = [normalize(message), normalize(cause.message)];
  return sentence.includes(detail) || (sentence !== "" && detail.includes(sentence)) ? [] : [cause.message];
}

/** Returns a text for comparison: in lower case, without full stop and double spaces. */
function normalize(text: string): string {
  return text
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/[\s.]+$/, "");
}
