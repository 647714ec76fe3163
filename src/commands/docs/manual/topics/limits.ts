/** Topics about what ends a command: exit codes, plans, rates, compute units. */
import { EXIT_MEANINGS, ExitCode, type ExitName, errorObject, UsageError } from "../../../../base/errors.ts";
import { EXPORT_INTERVAL_SECONDS, MAX_EXPORT_ROWS } from "../../../../catalogue/constants.ts";
import { messages, VALIDATION_CODE } from "../../../../catalogue/errors.ts";
import { KEEPING } from "../../../../catalogue/keep.ts";
import { PLANS, type Plan } from "../../../../catalogue/plans.ts";
import { explain, recognise } from "../../../../client/request/recognise.ts";
import { SETTINGS } from "../../../../config/settings.ts";
import { code, examples, items, section, type Term, terms, text } from "../page.ts";
import { topic } from "./topic.ts";

/** The mint of USDC with a letter that looks like the digit of its place. */
const MISTYPED = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDtlv";

const SAMPLE = new UsageError(messages.address(MISTYPED), {
  code: VALIDATION_CODE,
  hint: explain("address", recognise(MISTYPED)),
});

const names = Object.keys(ExitCode) as readonly ExitName[];

/** Exit codes and messages. */
export const exitCodes = topic("exit-codes", "What a command ends with, and how failures are told", {
  aliases: ["exit-code", "exit", "errors", "error", "failures"],
  sections: [
    section(
      "Exit codes",
      terms(
        ["code", "what it means"],
        names.map((name): Term => [String(ExitCode[name]), EXIT_MEANINGS[name].filter(Boolean).join(" ")]),
      ),
      text(
        "On a screen, that of the explorer or of `solx usage --watch`, Ctrl-C is a key: it leaves as q does, with 0.",
      ),
    ),
    section(
      "Messages",
      text(
        "Standard output has the answer and nothing else. Failures and remarks go to standard error: sentences where it is a terminal, one JSON object a line where it is not, or where JSON was asked for.",
      ),
      code(`${JSON.stringify(errorObject(SAMPLE))}\n${JSON.stringify({ note: "a remark; --quiet leaves those out" })}`),
      items(
        "`code`: the API's own number where it gave one (1100 for values that it refuses), else a word such as `NO_KEY` or `TIMEOUT`.",
        "`status`: the HTTP status, null where no answer came. `retryable`: whether the same line may succeed later.",
        "`input`: the identifier that failed, where many were given; the others go on, and the exit code is 10.",
      ),
    ),
    section(
      "In scripts",
      examples([
        [
          "Try again only when that can help",
          "until solx token list --all --yes --out tokens.csv --resume; do case $? in [6-9]) sleep 60 ;; *) break ;; esac; done",
        ],
        ["Fail when there is nothing", "solx account transfer <address> --from-time 1d --fail-empty > today.json"],
        ["The sentence alone", "solx token meta <mint> 2> failure.json || jq -r .errors.message failure.json"],
      ]),
    ),
  ],
  see: ["bulk", "limits"],
});

const plans: readonly (readonly [string, Plan])[] = Object.entries(PLANS);
const count = (value: number) => String(value).replace(/\B(?=(\d{3})+$)/g, ",");

/** Seconds as the greatest unit that they are whole in. */
function span(seconds: number): string {
  const [size, unit] = UNITS.find(([length]) => seconds % length === 0) ?? [1, "seconds"];
  return `${count(seconds / size)} ${unit}`;
}

const UNITS: readonly (readonly [seconds: number, name: string])[] = [
  [86_400, "days"],
  [3_600, "hours"],
  [60, "minutes"],
];

const otherwise = ({ default: value }: { readonly default: string | number }) => String(value);

/** Plans, rates, units, what is kept. */
export const limits = topic("limits", "Plans, rates and compute units, and how solx keeps to them", {
  aliases: ["limit", "rate", "rates", "rate-limit", "429", "quota", "cost", "units", "plans", "budget", "caching"],
  sections: [
    section(
      "Plans",
      text(
        "Requests in any 60 seconds and compute units a month; --plan or the setting `plan` says which one a key has.",
      ),
      terms(
        ["plan", "what it allows"],
        plans.map(
          ([name, { requestsPerMinute, units, refuses = [], refusesMulti }]): Term => [
            name,
            [
              `${count(requestsPerMinute)} requests a minute, ${count(units)} units a month.`,
              refuses.length > 0
                ? `Not allowed: ${refuses.join(", ")}${refusesMulti ? ", and the multi endpoints" : ""}.`
                : "",
            ]
              .filter(Boolean)
              .join(" "),
          ],
        ),
      ),
    ),
    section(
      "Requests a minute",
      items(
        "All solx processes of a machine share the rate of a key and take turns: none is answered with 429, however many run at once. With `--budget redis://host` several machines share it.",
        "Another rate than the plan's, to leave room for others: `--rate 200/60`. To fail instead of waiting: --no-wait.",
        `What the server refuses all the same is tried again, as it says or after a growing pause, --retries times and within --max-wait (${otherwise(SETTINGS["max-wait"])} seconds); then the exit code is 6.`,
        `Exports: ${count(MAX_EXPORT_ROWS)} rows at most, one in ${EXPORT_INTERVAL_SECONDS} seconds; with --all solx cuts the time into windows and waits its turn.`,
      ),
    ),
    section(
      "Compute units",
      items(
        "Every endpoint's page says what a call costs: `solx docs <command>`. Answers taken from the cache cost nothing.",
        `A fetch that costs more than ${count(SETTINGS["confirm-units"].default)} units (--confirm-units) is told first and asked for; without a terminal it is refused unless --yes.`,
        "`units-per-day` ends requests for the day (UTC) once so many units are used on this machine with the same key: exit code 7.",
        "`solx usage` shows what is used, what is left and how long it lasts. Units that are spent end with exit code 7 until the plan renews.",
      ),
      examples([
        ["What is left", "solx usage"],
        ["No more than so many units a day, in this profile", "solx config set units-per-day 500000"],
        ["Take it slowly, beside other work", "solx account transfer <address> --all --rate 60/60 --out transfers.csv"],
      ]),
    ),
    section(
      "What is kept",
      text(
        "Answers are kept and used again while they are true. --fresh asks anew, --no-cache keeps nothing, --offline sends nothing and shows what was kept.",
      ),
      terms(
        ["kind", "how long"],
        Object.entries(KEEPING).map(
          ([kind, { seconds, about }]): Term => [
            kind,
            `${about}: ${seconds === 0 ? "asked for each time" : span(seconds)}.`,
          ],
        ),
      ),
    ),
  ],
  see: ["exit-codes", "bulk", "settings"],
});
