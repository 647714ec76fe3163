/** `solx diff <a> <b>`: prints in which fields two things differ. */
import { CheckError, decimalText, type Json, type JsonObject, toNumeric, UsageError } from "../../base/index.ts";
import { deriveShape } from "../../catalogue/schemas.ts";
import { formatPath, formatValue, isTable, safeText } from "../../output/index.ts";
import { rowSchema } from "../row-schema.ts";
import type { Invocation } from "../run/command-definition.ts";
import type { DisplayOptions, RunContext } from "../run/context.ts";
import { fetchSubject, type Subject } from "../show/lookup.ts";
import { createFetch, createIdentifier, subjectSchema } from "../show/show.ts";
import { type ComparedField, compareFields, type Side } from "./differences.ts";

/** Prints the fields that differ. @throws CheckError, after that, when there are some */
export async function printDiff(context: RunContext, { args, options }: Invocation): Promise<void> {
  if (context.globals.interactive)
    return (await import("../explore/explore.ts")).exploreCompared(context, await identifyAll(context, args));
  if (args.length > 2)
    throw new UsageError(`solx diff prints the differences of two, not of ${args.length}`, {
      hint: "To see several side by side, add -i.",
    });
  const [a, b] = await readSubjects(context, args);
  const fields = compareFields(a.data, b.data, deriveShape(await subjectSchema(a.kind)));
  const differing = fields.filter(({ isEqual }) => !isEqual);
  const shown = "equal" in options ? fields : differing;
  const asTable = isTable(await context.printer.format());
  const write = asTable ? await tableText(context) : ({ value }: Side) => value ?? null;
  await context.printer.print({ kind: "object", value: shown.map((field) => toRow(field, write)) }, display(args));
  const count = `${differing.length} of ${fields.length} fields differ.`;
  if (differing.length > 0) throw new CheckError(count, { code: "DIFFERENT" });
  await context.reporter.note(`All ${fields.length} fields are equal.`);
}

/** Looks up both. */
async function readSubjects(context: RunContext, words: readonly string[]): Promise<readonly [Subject, Subject]> {
  const found = await identifyAll(context, words);
  const fetchEntity = createFetch(context);
  const [a, b] = await Promise.all(found.map(({ kind, id }) => fetchSubject(fetchEntity, kind, id)));
  requireOneKind(words, [a?.kind, b?.kind]);
  return [a as Subject, b as Subject];
}

/** Finds out what words stand for, one after the other, since it may ask. */
async function identifyAll(context: RunContext, words: readonly string[]) {
  const identify = await createIdentifier(context);
  const found: Awaited<ReturnType<typeof identify>>[] = [];
  for (const word of words) found.push(await identify(word));
  // An address is known to be a token only when it was read.
  requireOneKind(
    words,
    found.map(({ kind }) => (kind === "token" || kind === "account" ? "address" : kind)),
  );
  return found;
}

function requireOneKind(words: readonly string[], kinds: readonly (string | undefined)[]): void {
  const other = kinds.findIndex((kind) => kind !== kinds[0]);
  if (other < 0) return;
  const [a, b] = [0, other].map(
    (at) => `${safeText(words[at] ?? "")} is ${kinds[at]?.startsWith("a") ? "an" : "a"} ${kinds[at]}`,
  );
  throw new UsageError(`${a}, and ${b}: only two of one kind can be compared.`);
}

/** Returns how tables show a value: in its units, with the names of its kind. */
async function tableText(context: RunContext): Promise<(side: Side, field: ComparedField) => Json> {
  const { now, timeZone } = await context.printer.options();
  const clock = { style: "local", now, timeZone } as const;
  return ({ value, holder }, { shape }) => formatValue(value, shape.meta, holder, clock).text;
}

function toRow(field: ComparedField, write: (side: Side, field: ComparedField) => Json): JsonObject {
  const { path, sides, difference, change } = field;
  const [a, b] = sides.map((side) => write(side, field));
  return {
    field: formatPath(path),
    a: a ?? null,
    b: b ?? null,
    difference: difference ? toNumeric(decimalText(difference)) : null,
    change_pct: change ? toNumeric(decimalText(change)) : null,
  };
}

/** The length up to which a word is the heading of its column: headings are in capitals, in which no address is right. */
const MAX_HEADING = 20;

const display = (words: readonly string[]): DisplayOptions => ({
  columns: [
    "field",
    ...["a", "b"].map((path, at) => {
      const word = words[at] ?? path;
      return { path, head: word.length <= MAX_HEADING ? safeText(word) : path };
    }),
    { path: "change_pct", head: "change" },
  ],
  identifier: "field",
  entity: rowSchema((f) => ({
    field: f.text("Path of the field"),
    a: f.json("Value of the first"),
    b: f.json("Value of the second"),
    difference: f.number("Second minus first").nullable(),
    change_pct: f.change("Difference in per cent of the first").nullable(),
  })),
});
