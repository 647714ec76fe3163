/** CSV answers: loaded when there is one. */
import { parse } from "csv-parse/sync";

/** What tells CSV from other text. */
export interface CsvSigns {
  /** Names that the header is known to have. */
  readonly known: readonly string[];
  /** Whether the answer says that it is CSV. */
  readonly isDeclared: boolean;
}

/** The longest name of a column. */
const LONGEST_NAME = 40;
/** Names from which on a first line is a header though nobody says so: sentences have fewer commas. */
const LEAST_NAMES = 5;

/** Marks of sentences and of other formats. */
const NO_NAME =
  /[.!?:;]$|[{}[\]<>]|\b(please|try|again|later|too|error|invalid|denied|failed|exceeded|unavailable|must|cannot|not|is|are|was|has|have)\b/i;

/**
 * Rows by header name; undefined when the text is no CSV. Names are trimmed, and a name that is there again gets a
 * number: `a`, `a_2`. A short row lacks its last names, a long one calls what is beyond the header `column_N`; cells
 * stay text, as they came.
 */
export function parseCsv(text: string, signs: CsvSigns): readonly Readonly<Record<string, string>>[] | undefined {
  const [header = [], ...rows] = recordsOf(text) ?? [];
  if (!isHeader(header, signs)) return undefined;
  const width = rows.reduce((most, { length }) => Math.max(most, length), header.length);
  const names = columnNames(Array.from({ length: width }, (_, at) => header[at]?.trim() || `column_${at + 1}`));
  return rows.map((cells) => Object.fromEntries(cells.map((cell, at) => [names[at] ?? "", cell])));
}

function recordsOf(text: string): string[][] | undefined {
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

function isHeader(cells: readonly string[], { known, isDeclared }: CsvSigns): boolean {
  if (cells.length < 2) return false;
  const names = cells.map((cell) => cell.trim());
  const words = new Set(known.map((name) => name.toLowerCase()));
  if (names.some((name) => words.has(name.toLowerCase()))) return true;
  const isPlausible = names.every((name) => name.length <= LONGEST_NAME && !NO_NAME.test(name));
  return isPlausible && (isDeclared || names.length >= LEAST_NAMES);
}

/** The names, each once. */
function columnNames(names: readonly string[]): readonly string[] {
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
