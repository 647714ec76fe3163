/** Parsing of CSV answers; loaded on demand. */
import { parse } from "csv-parse/sync";

/** What distinguishes CSV from other text. */
export interface CsvHints {
  /** Columns that the header may have. */
  readonly knownColumns: readonly string[];
  /** Whether the response declares that it is CSV. */
  readonly isDeclared: boolean;
}

/** The maximum length of a column name. */
const MAX_NAME_LENGTH = 40;
/**
 * Names in a first line that make it a header even if the response does not declare CSV: sentences have fewer commas.
 */
const MIN_HEADER_NAMES = 5;

/** Matches what occurs in sentences and in other formats. */
const NOT_A_NAME =
  /[.!?:;]$|[{}[\]<>]|\b(please|try|again|later|too|error|invalid|denied|failed|exceeded|unavailable|must|cannot|not|is|are|was|has|have)\b/i;

/**
 * Parses rows by column name; returns undefined when the text is not CSV. Names are trimmed, and repeated names are
 * numbered: `a`, `a_2`. A short row lacks its last columns; cells beyond the header are named `column_N`. Cells stay
 * text.
 */
export function parseCsv(text: string, hints: CsvHints): readonly Readonly<Record<string, string>>[] | undefined {
  const [header = [], ...rows] = parseRecords(text) ?? [];
  if (!isHeader(header, hints)) return undefined;
  const width = rows.reduce((max, { length }) => Math.max(max, length), header.length);
  const names = uniqueNames(Array.from({ length: width }, (_, at) => header[at]?.trim() || `column_${at + 1}`));
  return rows.map((cells) => Object.fromEntries(cells.map((cell, at) => [names[at] ?? "", cell])));
}

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

/** Makes the names unique. */
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
