/** The writer of each format. What it needs is loaded when it writes. */
import type { FormatWriter } from "./context.ts";
import type { Format } from "./formats.ts";

const loadTable = async (): Promise<FormatWriter> => ({
  openRows: async (context, first) => (await import("../table/list.ts")).openTable(context, first),
  writeObject: async (context, value) => (await import("../table/record.ts")).writeRecord(context, value),
});
const loadDelimited = async (): Promise<FormatWriter> => ({
  openRows: (await import("./delimited.ts")).openDelimited,
});

const WRITERS: Readonly<Record<Format, () => Promise<FormatWriter>>> = {
  json: async () => {
    const { openJson, writeJson } = await import("./json.ts");
    return { openRows: openJson, writeObject: writeJson };
  },
  ndjson: async () => {
    const { openNdjson, writeJson } = await import("./json.ts");
    return { openRows: openNdjson, writeObject: writeJson };
  },
  csv: loadDelimited,
  tsv: loadDelimited,
  parquet: async () => ({ openRows: (await import("./parquet.ts")).openParquet }),
  yaml: async () => {
    const { openYaml, writeYaml } = await import("./yaml.ts");
    return { openRows: openYaml, writeObject: writeYaml };
  },
  table: loadTable,
  wide: loadTable,
  markdown: loadTable,
  name: async () => ({ openRows: (await import("./identifiers.ts")).openIdentifiers }),
};

/** Loads the writer of a format. */
export function loadWriter(format: Format): Promise<FormatWriter> {
  return WRITERS[format]();
}
