/** Topics about large work and about trying things out. */
import { SETTINGS } from "../../../../config/settings.ts";
import { examples, items, section, text } from "../page.ts";
import { topic } from "./topic.ts";

/** Large work. */
export const bulk = topic("bulk", "Everything: whole lists, files that are resumed, many identifiers, following", {
  aliases: ["all", "paging", "pagination", "resume", "follow", "many", "export", "exports", "batch"],
  sections: [
    section(
      "How many rows",
      items(
        "Without anything: one page. `--limit 500`: so many rows, over as many pages as that takes. --all: every row.",
        "Pages are asked for ahead as far as the rate allows; rows come in order, and memory stays flat.",
        "Lists of events end where the reading began: what arrives meanwhile is left out.",
      ),
      examples([
        ["The newest 500", "solx account transfer <address> --limit 500 -o ndjson"],
        ["Everything, into a file", "solx account transfer <address> --all --out transfers.csv"],
      ]),
    ),
    section(
      "Files",
      items(
        "--out writes beside the file and renames when the last row is there: who sees it sees all of it. The format follows its name.",
        "Stopped, by whatever: the same line with --resume goes on, and the file is in the end what one run would have written.",
        "A file that is there is kept, unless --force.",
      ),
      examples([["Begin or go on, for cron", "solx token holders <mint> --all --out holders.csv --resume --yes"]]),
    ),
    section(
      "Exports",
      text(
        "The export endpoints give 5000 rows and one answer a minute. With --all the time is cut into windows; `--via pages` takes the same rows from the paged endpoint. Without --via the cheaper way is taken, and told.",
      ),
      examples([["A year as CSV", "solx account transfer-export <address> --from-time 1y --all --out year.csv"]]),
    ),
    section(
      "Many identifiers",
      items(
        "As arguments, from `@file`, or with `-` from standard input: one or more a line, `#` begins a remark.",
        "Where the API takes many at once they are packed: ten thousand addresses are 500 requests.",
        "Rows come in the order of the input (--unordered: as they come). One that fails does not stop the others (--fail-fast: it does) and is told on standard error (`--errors inline`: as a row); then the exit code is 10.",
      ),
      examples([
        ["Labels of a list of wallets", "solx account metadata @wallets.txt -o ndjson"],
        ["From a pipe", "cut -d, -f1 wallets.csv | solx account detail - -o csv"],
      ]),
    ),
    section(
      "Following",
      text(
        "--follow prints the newest rows, then what is new, each once and in order of time, and says what an hour costs. It ends with --until: a span, a moment, or a jq condition on a row.",
      ),
      examples([
        [
          "New incoming transfers, until one is large",
          "solx account transfer <address> --flow in --follow 30s --until '.value > 100000'",
        ],
      ]),
    ),
    section(
      "What it costs",
      text(
        `More than ${SETTINGS["confirm-units"].default} compute units are told and asked for first. See [[limits]].`,
      ),
    ),
  ],
  see: ["limits", "exit-codes", "formatting"],
});

/** The sandbox. */
export const testing = topic(
  "testing",
  "Without a key: the sandbox at the prompt, for other clients, in tests and CI",
  {
    aliases: ["tests", "ci", "made-up-data", "no-key", "mock"],
    sections: [
      section(
        "At the prompt",
        text(
          "--sandbox goes anywhere on the line of any command; SOLX_SANDBOX=1 is for a whole shell. The API is answered on this machine over a made-up chain that adds up: no key, no network, no cost.",
        ),
        examples([
          ["Look around", "solx overview --sandbox"],
          ["A script, unchanged", "SOLX_SANDBOX=1 ./my-script.sh"],
        ]),
      ),
      section(
        "The same data every time",
        items(
          "The same SOLX_SANDBOX_SEED gives the same world on every machine.",
          "SOLX_SANDBOX_NOW makes its time stand still: then the same line gives the same bytes, today and next year.",
          "SOLX_SANDBOX_SIZE=0.1 makes less of it, sooner.",
        ),
      ),
      section(
        "For any client, in any language",
        text(
          "`solx sandbox` serves the API over HTTP, with keys, plans, rates and compute units that are really counted.",
        ),
        examples([
          ["A free port; the first line of the log says which, and the key", "solx sandbox --port 0 > sandbox.log &"],
          ["Limits as with a plan", "solx sandbox --plan lite"],
          ["Then", "solx token trending --base-url http://127.0.0.1:8787 --api-key sandbox-key-solx"],
        ]),
      ),
      section(
        "Bad days",
        examples([
          ["A tenth of the calls fail, all are slow", "solx sandbox --fault 503:10% --fault latency=300ms"],
          [
            "In one command: what does my script do with 429?",
            "SOLX_SANDBOX_FAULTS=429 solx token trending --sandbox --no-wait",
          ],
          ["Names and memos that attack", "SOLX_SANDBOX_HOSTILE=on solx token list --sandbox"],
        ]),
      ),
    ],
    see: ["sandbox", "exit-codes", "environment"],
  },
);
