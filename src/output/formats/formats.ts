/**
 * The output formats, one record each. Options, settings, help, completion, documentation, `--out` and the explorer's
 * export read what a format is called and what it can do here. Plain data: it is loaded at every start.
 */

/** What is known of an output format. */
export interface FormatInfo {
  /** The name inside a sentence. */
  readonly title: string;
  /** One line for help, completion and documentation; no full stop. */
  readonly description: string;
  /** Other file extensions for which `--out` chooses the format; its own name is always one. */
  readonly aliases: readonly string[];
  /** What the format is based on: `--jq` and JSON errors need JSON; delimited formats hold flat rows. */
  readonly family: "json" | "delimited" | "parquet" | "yaml" | "table" | "name";
  /** Whether one object is printed whole, where other formats print the rows inside it. */
  readonly isDocument: boolean;
  /** Whether the output has no closing part, so that rows can follow without end. */
  readonly isEndless: boolean;
  /** Whether rows become lines of cells: nested values do not fit, and the entity's schema must be loaded. */
  readonly isTabular: boolean;
  /** Whether `--out` can continue an interrupted file; not where rows depend on all others. */
  readonly isResumable: boolean;
  /** Whether it can be written in parts only through a file of NDJSON, from which it is written when that is complete. */
  readonly isSpooled?: true;
  /** Whether the output starts with headings, and whether `--no-headers` leaves them out. */
  readonly headings: "none" | "optional" | "always";
  /** Whether text and numbers look different, as the setting `numbers text` needs. */
  readonly hasTypes: boolean;
  /** Whether a file name can choose the format, and whether the explorer offers it for export. */
  readonly file: "exported" | "named" | "none";
}

const LINES = { aliases: [], isDocument: false, isEndless: true, isResumable: true, hasTypes: true } as const;
const DELIMITED = { ...LINES, family: "delimited", isTabular: true, headings: "optional", file: "exported" } as const;
const TABLE = {
  ...LINES,
  family: "table",
  isTabular: true,
  isResumable: false,
  hasTypes: false,
  file: "none",
} as const;

/** Every output format, in the order of help. */
export const FORMATS = {
  json: {
    title: "JSON",
    description: "the API's data with its own names and exact digits, as one JSON document",
    aliases: [],
    family: "json",
    isDocument: true,
    isEndless: false,
    isTabular: false,
    isResumable: true,
    headings: "none",
    hasTypes: true,
    file: "exported",
  },
  ndjson: {
    ...LINES,
    title: "NDJSON",
    description: "one JSON object per line, printed as rows arrive",
    aliases: ["jsonl"],
    family: "json",
    isTabular: false,
    headings: "none",
    file: "exported",
  },
  csv: {
    ...DELIMITED,
    title: "CSV",
    description: "comma-separated raw values with a header; safe to open in a spreadsheet",
  },
  tsv: {
    ...DELIMITED,
    title: "TSV",
    description: "tab-separated raw values with a header; tabs and line breaks are escaped",
    hasTypes: false,
  },
  parquet: {
    title: "Parquet",
    description: "compressed columns with types, for data tools; written to a file or a pipe",
    aliases: [],
    family: "parquet",
    isDocument: false,
    isEndless: false,
    isTabular: true,
    isResumable: true,
    isSpooled: true,
    headings: "none",
    hasTypes: true,
    file: "named",
  },
  yaml: {
    title: "YAML",
    description: "the same data as json, easier to read",
    aliases: ["yml"],
    family: "yaml",
    isDocument: true,
    isEndless: true,
    isTabular: false,
    isResumable: false,
    headings: "none",
    hasTypes: true,
    file: "named",
  },
  table: {
    ...TABLE,
    title: "a table",
    headings: "optional",
    description: "aligned columns with human units and names or short addresses, as many as fit",
  },
  wide: {
    ...TABLE,
    title: "a wide table",
    headings: "optional",
    description: "a table with whole addresses and every column, in lines as long as they need",
  },
  markdown: {
    ...TABLE,
    title: "a Markdown table",
    description: "a table for documents and issues, with as many columns as table",
    headings: "always",
  },
  name: {
    ...LINES,
    title: "identifiers",
    description: "the identifier of each row, one per line, for xargs and @-",
    family: "name",
    isTabular: true,
    headings: "optional",
    file: "none",
  },
} as const satisfies Record<string, FormatInfo>;

/** An output format. */
export type Format = keyof typeof FORMATS;

/** The names of all output formats, in the order of help. */
export const FORMAT_NAMES = Object.keys(FORMATS) as readonly Format[];

/** The formats that the explorer exports, in its order. */
export const EXPORT_FORMATS = formatsWith(({ file }) => file === "exported").sort();

/** The formats in which `--out` can continue an interrupted file. */
export const RESUMABLE_FORMATS = formatsWith(({ isResumable }) => isResumable);

/** Returns what is known of a format. */
export function formatInfo(format: Format): FormatInfo {
  return FORMATS[format];
}

/** Whether a format is a table, of whatever style. */
export function isTable(format: Format): boolean {
  return formatInfo(format).family === "table";
}

/** Returns what is known of a format by its name as typed; undefined when there is no such format. */
export function findFormat(name: string | undefined): FormatInfo | undefined {
  return FORMAT_NAMES.some((format) => format === name) ? FORMATS[name as Format] : undefined;
}

/** Returns the formats with a capability, in the order of help. */
export function formatsWith(has: (info: FormatInfo) => boolean): Format[] {
  return FORMAT_NAMES.filter((name) => has(formatInfo(name)));
}

/** Whether a file name stands for a compressed file. */
export const isCompressedFile = (name: string): boolean => /\.gz$/i.test(name);

/** Returns the format that a file name stands for by its extension, before `.gz`; undefined where there is none. */
export function formatOfFile(name: string): Format | undefined {
  const extension = /\.([a-z]+)(?:\.gz)?$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  return FORMAT_NAMES.find((format) => {
    const { file, aliases } = formatInfo(format);
    return file !== "none" && (format === extension || aliases.includes(extension));
  });
}
