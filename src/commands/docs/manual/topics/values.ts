/** Topics about what is typed and what is printed. */
import { DEFI_ACTIVITIES, TRANSFER_ACTIVITIES } from "../../../../catalogue/constants.ts";
import { KINDS } from "../../../../catalogue/kinds.ts";
import type { SETTINGS } from "../../../../config/settings.ts";
import { shortWord } from "../../../run/help.ts";
import { examples, items, section, type Term, terms, text } from "../page.ts";
import { topic } from "./topic.ts";

const FORMATS: Readonly<Record<(typeof SETTINGS)["output"]["values"][number], string>> = {
  json: "The API's `data` with its own names and every digit; indented on a terminal. In a pipe this is the default.",
  ndjson: "A row a line, as they come.",
  csv: "A header, then a row a line: raw values, nested ones as JSON, no cell that a spreadsheet takes for a formula.",
  tsv: "The same with tabs; line breaks and tabs of values are escaped.",
  yaml: "As JSON, easier to read.",
  table: "For people, and the default on a terminal: human units, short addresses, as many columns as fit.",
};

const STYLES: Readonly<Record<(typeof SETTINGS)["time"]["values"][number], string>> = {
  relative: "3h ago; older than 30 days as a date. The default of tables on a terminal.",
  iso: "2026-07-01T12:30:00Z.",
  unix: "Seconds since 1970.",
  local: "The clock on the wall, with its zone.",
};

/** What is printed. */
export const formatting = topic("formatting", "Formats, fields, columns and jq: what the output looks like", {
  aliases: ["format", "formats", "output", "fields", "columns", "jq", "json", "csv"],
  sections: [
    section("Formats (-o)", terms(["format", "what it is"], Object.entries(FORMATS))),
    section(
      "Which fields",
      items(
        "`--fields address,metadata.name,list[0].owner`: these alone, in every format. `solx docs <command>` lists them with their units.",
        "`--columns WHEN:block_time,TO:to_address`: the same with headings of your own; in JSON they are the names.",
        "`--jq '[.[] | {owner, amount}]'`: real jq on what `-o json` would print; numbers keep their digits unless the program calculates with them.",
        "`--envelope`: the whole answer of the API, with `success` and `metadata`.",
      ),
      examples([
        ["Two fields as CSV", "solx token holders <mint> --limit 100 --fields owner,amount -o csv"],
        ["Headings of your own", "solx account transfer <address> --columns WHEN:block_time,TO:to_address,WHAT:amount"],
        ["One value for a script", "solx token meta <mint> --jq .decimals"],
        ["Export CSV for a spreadsheet", "solx account transfer <address> --all --out transfers.csv"],
      ]),
    ),
    section(
      "Numbers",
      text(
        "JSON, CSV and YAML have every number with the digits that the API sent, also beyond what a double can hold. Tables scale amounts by their decimals and mark what they round with ~.",
      ),
    ),
    section("What fields hold", terms(["kind", "what it is"], Object.entries(KINDS))),
  ],
  see: ["times", "security", "options"],
});

/** What is typed for parameters. */
export const filters = topic("filters", "Identifiers, lists, ranges and words: how values are typed", {
  aliases: ["filter", "values", "whales", "ranges", "lists", "identifiers", "activity-types"],
  sections: [
    section(
      "Identifiers",
      items(
        "Addresses, signatures and slots as they are, in quotes, or as a link of an explorer.",
        "Several at once as arguments, `@file` for those in a file, `-` for those on standard input; see [[bulk]].",
      ),
    ),
    section(
      "Lists, ranges, switches",
      items(
        "Lists: repeat the option, or put commas between values: `--token <mint>,<mint>`.",
        "Ranges: `1..100`, `1,100`, `..100`. A range of times may be open: `7d..` ends now.",
        "Amounts in answers are base units (1000000 is 1 USDC), values are US dollars; what a filter takes, its page says.",
        "Switches: `--exclude-amount-zero`, or `--no-exclude-amount-zero`.",
        "Pages, `page` and `page_size`, are seen to: say how many rows with --limit, or --all.",
      ),
      examples([
        [
          "Transfers of more than 100,000 dollars (whales)",
          "solx account transfer <address> --value 100000..1000000000",
        ],
        ["Between two addresses, one token", "solx account transfer <address> --from <address> --token <mint>"],
        ["Swaps alone", "solx account defi-activities <address> --activity-type token-swap"],
      ]),
    ),
    section(
      "Words",
      text("The words of an option are in its help. Kinds of activities are typed in full or short, in any case:"),
      terms(
        ["of", "short words"],
        [
          ["transfers", `${TRANSFER_ACTIVITIES.map(shortWord).join(", ")}.`],
          ["DeFi activities", `${DEFI_ACTIVITIES.map(shortWord).join(", ")}.`],
        ],
      ),
    ),
  ],
  see: ["times", "bulk", "formatting"],
});

/** What may be typed for a moment. */
const MOMENTS: readonly Term[] = [
  ["7d, 12h, 30m, 45s, 2w, 5y", "So long ago; a year is 365 days."],
  ["now, today, yesterday", "This moment; the first second of the day (UTC)."],
  ["2024-07-05", "The first second of the day (UTC). For calendar dates also 20240705."],
  ["2024-07-05T14:30:00Z", "ISO 8601; without a zone it is UTC."],
  ["1720189800", "Unix seconds; milliseconds are recognised."],
];

/** Times, typed and shown. */
export const times = topic("times", "How times are typed, and how they are shown", {
  aliases: ["time", "dates", "date", "timezone"],
  sections: [
    section(
      "Typed",
      terms(["typed", "meaning"], MOMENTS),
      text("What was understood is told with -v. A window is --from-time and --to-time, both inside it."),
      examples([
        ["The last week", "solx account transfer <address> --from-time 7d"],
        ["A month", "solx account transfer <address> --from-time 2026-06-01 --to-time 2026-06-30T23:59:59Z"],
        ["What it means, without sending it", "solx account transfer <address> --from-time yesterday --dry-run"],
      ]),
    ),
    section(
      "Shown (--time)",
      terms(["style", "what it looks like"], Object.entries(STYLES)),
      text("--time is for tables, csv and tsv; JSON keeps what the API sends: Unix seconds, mostly."),
    ),
  ],
  see: ["formatting", "filters"],
});
