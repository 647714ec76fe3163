import fc from "fast-check";
import { type Json, toNumeric } from "../../src/base/json.ts";
import { type Content, type ContentSchema, type FieldSpec, type OutputOptions, write } from "../../src/output/index.ts";

export const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";
export const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
export const WSOL = "So11111111111111111111111111111111111111112";
export const SIGNATURE = "4AU5ShM99Db1yXr72jukaUNSJTnJtp76zt6CdL9ghatA3N4HYU9jaHre2HsHqWcKipKCD3MenvdShPsRrAU6CC4f";

/** Numbers that a double, or careless printing, would change. */
export const HARD_NUMBERS = [
  "18446744073709551615",
  "9007199254740993",
  "0.00000001164",
  "1e-19",
  "-0",
  "0.30000000000000004",
  "1234567890.123456789012345678901234567890",
  "1.0",
  "1E5",
];

/** Options of a pipe. */
export const PIPE: OutputOptions = { format: "json", width: 80, isTerminal: false, now: 1_720_171_835_000 };

/** Pages as an async source. */
export async function* pages(...list: (readonly Json[])[]): AsyncGenerator<readonly Json[]> {
  for (const page of list) yield page;
}

/** Rows in pages of a given size. */
export function rows(list: readonly Json[], size = 2): Content {
  const chunks = Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));
  return { kind: "rows", pages: pages(...chunks) };
}

/** The options of writing, with paths for fields without headings. */
type TestOptions = Partial<Omit<OutputOptions, "fields">> & { fields?: readonly (string | FieldSpec)[] | undefined };

/** Returns what `write` writes. */
export async function written(content: Content, { fields, ...options }: TestOptions = {}, view: ContentSchema = {}) {
  const chunks: string[] = [];
  const sink = { write: async (chunk: string) => void chunks.push(chunk) };
  const specs = fields?.map((field) => (typeof field === "string" ? { path: field } : field));
  const result = await write(content, view, { ...PIPE, ...options, fields: specs }, sink);
  return { text: chunks.join(""), chunks, ...result };
}

/** Text with everything that is hard for terminals, spreadsheets and line readers. */
export const hostileText = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc
    .array(
      fc.constantFrom(
        "\u001b[2J",
        "\u001b]52;c;AAAA\u0007",
        "\u009b31m",
        "\u202e",
        "\u2066",
        "\u200b",
        "\u200d",
        "\u{e0041}",
        "\ufe0f",
        "\u0301",
        "\0",
        "\r\n",
        "\t",
        "\u2028",
        "\ud800",
        "👩‍🚀",
        "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
        "नमस्ते",
        "می‌خواهم",
        "日本",
        "ＵＳＤＣ",
        "=1+2",
        "@SUM",
        "-30",
        '"',
        "'",
        ",",
        "\\",
        "a",
        " ",
      ),
    )
    .map((parts) => parts.join("")),
);

/** JSON texts of numbers, as a server may send them. */
export const numberText = fc.oneof(
  fc.constantFrom(...HARD_NUMBERS),
  fc.bigInt().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
  fc
    .tuple(fc.nat(), fc.stringMatching(/^[0-9]{0,40}$/), fc.constantFrom("", "e-9", "E+4", "e12"))
    .map(([whole, fraction, power]) => `${whole}${fraction && "."}${fraction}${power}`),
);

/** JSON values with hostile strings and exact numbers. */
export const anyJson: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof(hostileText, numberText.map(toNumeric), fc.boolean(), fc.constant(null)),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.stringMatching(/^[a-z_]{1,8}$/), hostileText), tie("value"), { maxKeys: 4 }),
  ),
})).value;

/** Rows: objects with a few common keys. */
export const anyRow: fc.Arbitrary<Json> = fc.record(
  { a: anyJson, b: anyJson, "odd key": anyJson, yes: anyJson },
  { requiredKeys: ["a"] },
);
