/** Parsing of CSV answers; loaded on demand. */
import { parse } from "csv-parse/sync";

/** What distinguishes CSV from other text. */
export interface CsvHints {
  /** Columns that the header may have. */
  readonly knownColumns: readonly string[];
  /** Whether the response declares that it is CSV. */
  readonly isDeclared: boolean;
}

const MAX_NAME_LENGTH = 40;
/**
 * Names in a first line that make it a header even if the response does not declare CSV: sentences have fewer commas.
 */
const MIN_HEADER_NAMES = 5;

/** Matches what occurs in sentences and in other formats. */
const NOT_A_NAME =
  /[.!?:;]$|[{}[\]<>]|\b(please|try|again|later|too|error|invalid|denied|failed|exceeded|unavailable|must|cannot|not|is|are|was|has|have)\b/i;

/** The rows of a CSV text, or that it is cut. */
export type CsvResult = { readonly rows: readonly CsvRow[] } | { readonly isCut: true };
type CsvRow = Readonly<Record<string, string>>;

/**
 * Parses rows by column name; returns undefined when the text is not CSV. Names are trimmed, and repeated names are
 * numbered: `a`, `a_2`. A short row lacks its last columns; cells beyond the header are named `column_N`. Cells stay
 * text. A header in the middle names the rows that follow it.
 *
 * A text without a final line break is cut if only its last row is short, or has an open quote.
 */
export function parseCsv(text: string, hints: CsvHints): CsvResult | undefined {
  const records = parseRecords(text);
  if (records === undefined)
    return isHeader(parseRecords(/^.*/.exec(text)?.[0] ?? "")?.[0] ?? [], hints) ? CUT : undefined;
  const [header = [], ...rows] = records;
  if (!isHeader(header, hints)) return undefined;
  if (isLastRowShort(header, rows) && !endsWithLineBreak(text)) return CUT;
  return { rows: nameCells(header, rows, new Set([...header, ...hints.knownColumns].map((name) => name.trim()))) };
}

/** Whether the last line of a text is complete. */
export const endsWithLineBreak = (text: string): boolean => /[\r\n]\s*$/.test(text);

/** Whether the last row lacks columns. Servers omit empty columns at the end: then other rows are as short. */
function isLastRowShort(header: readonly string[], rows: readonly string[][]): boolean {
  const [last, ...others] = rows.toReversed();
  if (!last || last.length >= header.length || others.length === 0) return false;
  return !others.some(({ length }) => length === last.length);
}

const CUT = { isCut: true } as const;

function nameCells(header: readonly string[], rows: readonly string[][], columns: ReadonlySet<string>): CsvRow[] {
  const width = rows.reduce((max, { length }) => Math.max(max, length), header.length);
  let names = columnNames(header, width);
  return rows.flatMap((cells) => {
    if (cells.length < 2 || !cells.every((cell) => columns.has(cell.trim()))) {
      return [Object.fromEntries(cells.map((cell, at) => [names[at] ?? "", cell]))];
    }
    names = columnNames(cells, width);
    return [];
  });
}

function columnNames(header: readonly string[], width: number): readonly string[] {
  return uniqueNames(Array.from({ length: width }, (_, at) => header[at]?.trim() || `column_${at + 1}`));
}

/** Returns the records of a text; undefined when its quotes do not match. */
function parseRecords(text: string): string[][] | undefined {
  try {
    return parse(text, {
      bom: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    }) as string[][];
  } catch {
    // The parser's message is omitted, because it quotes the text.
    return undefined;
  }
}

function isHeader(cells: readonly string[], { knownColumns, isDeclared }: CsvHints): boolean {
  if (cells.length < 2) return false;
  const names = cells.map((cell) => cell.trim());
  const words = new Set(knownColumns.map((name) => name.toLowerCase()));
  if (names.some((name) => words.has(name.toLowerCase()))) return true;
  const isPlausible = names.every((name) => name.length <= MAX_NAME_LENGTH && !NOT_A_NAME.test(name));
  return isPlausible && (isDeclared || names.length >= MIN_HEADER_NAMES);
}

function uniqueNames(names: readonly string[]): readonly string[] {
  const taken = new Set(names);
  const used = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let number = 2; used.has(unique) || (unique !== name && taken.has(unique)); number += 1) {
      unique = `${name}_${number}`;
    }
    used.add(unique);
    return unique;
  });
}
