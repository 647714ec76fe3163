/** CSV answers: loaded when there is one. */
import { parse } from "csv-parse/sync";

/** What tells CSV from other text. */
export interface CsvHints {
  /** Names that the header is known to have. */
  readonly knownColumns: readonly string[];
  /** Whether the answer says that it is CSV. */
  readonly isDeclared: boolean;
}

/** The longest name of a column. */
const MAX_NAME_LENGTH = 40;
/** Names from which on a first line is a header though nobody says so: sentences have fewer commas. */
const MIN_HEADER_NAMES = 5;

/** Marks of sentences and of other formats. */
const NOT_A_NAME =
  /[.!?:;]$|[{}[\]<>]|\b(please|try|again|later|too|error|invalid|denied|failed|exceeded|unavailable|must|cannot|not|is|are|was|has|have)\b/i;

/**
 * Rows by header name; undefined when the text is no CSV. Names are trimmed, and a name that is there again gets a
 * number: `a`, `a_2`. A short row lacks its last names, a long one calls what is beyond the header `column_N`; cells
 * stay text, as they came.
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
    // Text that the parser refuses is no CSV; its words would quote the text.
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

/** The names, each once. */
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
