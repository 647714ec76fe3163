/**
 * The order of the screen as a jq program. Lists compare values as `sortOrder` does: amounts in whole units, times by the
 * instant, text without case, empty values last in both directions, equal values in the order of the answer.
 */
import { isNumeric, type Json, numericText, toDecimal } from "../../base/index.ts";
import type { FieldMeta } from "../../catalogue/index.ts";
import { findDecimals, isNumberKind, type Path, type TableColumn, UTC_TIME, valueAt } from "../../output/index.ts";
import type { Subject } from "../navigation/context.ts";

/** Numbers in text that jq reads as JavaScript does. */
const NUMBER_TEXT = /^-?(0|[1-9]\d*)(\.\d+)?$/;

function jqPath(path: Path): string {
  const steps = path.map((step) => {
    if (typeof step === "string" && /^[A-Za-z_]\w*$/.test(step)) return `.${step}`;
    return `[${JSON.stringify(step)}]`;
  });
  const text = steps.join("");
  return text.startsWith(".") ? text : `.${text}`;
}

/**
 * Returns the jq program that orders the rows of a list like the screen; undefined where jq cannot: for nested values,
 * and for values of several types in one column.
 */
export function sortProgram(
  rows: readonly Json[],
  { sources, isDescending }: NonNullable<Subject["sort"]>,
): string | undefined {
  const [source, ...others] = sources.filter(({ path }) => rows.some((row) => valueAt(row, path) !== undefined));
  if (source === undefined || source.path.length === 0 || others.length > 0) return undefined;
  const key = keyOf(rows, source);
  if (key === undefined) return undefined;
  const [empty, present] = isDescending ? [0, 1] : [1, 0];
  const { variables = "", parts } = key;
  const keys = `${variables}${jqPath(source.path)} | if IN(null, "") then [${empty}] else [${present}, ${parts}] end`;
  // jq sorts stably: rows that are reversed twice keep their order where they are equal.
  return isDescending ? `reverse | sort_by(${keys}) | reverse` : `sort_by(${keys})`;
}

/** The parts of a key, with the value as `.`, and the variables that these read from the row. */
interface KeyProgram {
  readonly variables?: string;
  readonly parts: string;
}

function keyOf(rows: readonly Json[], source: TableColumn["sources"][number]): KeyProgram | undefined {
  const { path, meta } = source;
  const values = rows.map((row) => valueAt(row, path) ?? "").filter((value) => value !== "");
  if (meta?.kind === "tokenAmount") return amountKey(rows, source);
  if (values.every((value) => typeof value === "boolean")) return { parts: "." };
  if (values.every((value) => isNumeric(value) && toDecimal(value) !== undefined)) return { parts: "." };
  const isText = values.every((value) => typeof value === "string");
  if (isNumberKind(meta?.kind)) {
    const isNumber = (value: Json) =>
      typeof value === "string" ? NUMBER_TEXT.test(value) : isNumeric(value) && toDecimal(value) !== undefined;
    return values.every(isNumber) ? { parts: "tonumber" } : undefined;
  }
  if (meta?.kind === "isoTime") {
    const isTime = (value: Json) => typeof value === "string" && UTC_TIME.test(value);
    return values.every(isTime) ? { parts: '.[:19], ("0" + .[19:-1] | tonumber)' } : undefined;
  }
  return isText ? { parts: "ascii_downcase, ." } : undefined;
}

/** Amounts are compared in whole units; those without known decimals come after them, in base units. */
function amountKey(rows: readonly Json[], source: TableColumn["sources"][number]): KeyProgram | undefined {
  const { path, meta } = source;
  const areAlike = typeof meta?.decimals === "number" || (meta?.decimals === undefined && meta?.token === undefined);
  const parentPath = path.slice(0, -1);
  const amounts = rows.filter((row) => (valueAt(row, path) ?? "") !== "");
  if (!amounts.every((row) => isWholeNumber(valueAt(row, path)))) return undefined;
  if (areAlike) return { parts: "tonumber" };
  const decimals = decimalsProgram(
    amounts.map((row) => valueAt(row, parentPath)),
    parentPath,
    meta,
  );
  if (decimals === undefined) return undefined;
  return {
    variables: `${decimals} as $decimals | `,
    parts: '$decimals == null, ("\\(.)e-\\($decimals // 0)" | tonumber)',
  };
}

function isWholeNumber(value: Json | undefined): boolean {
  const text = isNumeric(value) ? numericText(value) : value;
  return typeof text === "string" && /^-?\d+$/.test(text);
}

/** Returns jq for the decimals of an amount: those of well-known tokens by their mint, or a field. */
function decimalsProgram(
  parents: readonly (Json | undefined)[],
  parentPath: Path,
  meta: FieldMeta | undefined,
): string | undefined {
  if (meta?.token !== undefined && meta.decimals === undefined) {
    const { token } = meta;
    const known = parents.flatMap((parent) => {
      const decimals = findDecimals(meta, parent);
      return decimals === undefined ? [] : [[String(valueAt(parent, [token])), decimals] as const];
    });
    return `${JSON.stringify(Object.fromEntries(known))}[${jqPath([...parentPath, token])} // ""]`;
  }
  const field = String(meta?.decimals);
  const areRead = parents.every(
    (parent) => findDecimals(meta, parent) !== undefined || (valueAt(parent, [field]) ?? null) === null,
  );
  return areRead ? jqPath([...parentPath, field]) : undefined;
}
