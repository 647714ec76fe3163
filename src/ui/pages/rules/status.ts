/** What the dashboard says about the file of rules as a whole. */
import { groupThousands, pluralize } from "../../../base/index.ts";
import { safeText, wrap } from "../../../output/index.ts";
import { formatKeyHints, type KeyHint, type KeyLabels } from "../../navigation/keys/bindings.ts";
import type { RulesState } from "../../navigation/rule-watch.ts";
import { joinEnds, type Role, span, type TextLine, textLine } from "../../navigation/theme/text-line.ts";

/** What is said where rules cannot be kept. */
export const NO_RULES_FOLDER = "There is no folder for rules: set HOME or SOLX_HOME.";

/** Returns the lines above the tables: the file and its state, then what is wrong or what to do. */
export function rulesStatus(state: RulesState, file: string, keyOf: KeyLabels, width: number): readonly TextLine[] {
  const { totals, parked, problem, isFailing, mode } = state;
  const counts: readonly (readonly [count: number, word: string, role: Role])[] = [
    [totals.delivered, "delivered", "good"],
    [totals.pending, "pending", "warning"],
    [parked.length, "parked", "bad"],
  ];
  const deliveries = counts
    .filter(([count]) => count > 0)
    .flatMap(([count, word, role], at): TextLine => {
      return [span(at === 0 ? "" : "  "), span(`${groupThousands(count)} ${word}`, role)];
    });
  const notes: readonly TextLine[] = [
    ...(problem ? wrap(safeText(problem.message), width).map((text) => textLine(text, "bad")) : []),
    ...(isFailing ? [textLine("Polls fail at present and are repeated.", "warning")] : []),
    ...adviceOf(state, keyOf).flatMap((text) => wrap(text, width).map((line) => textLine(line, "note"))),
  ];
  const title = [span(safeText(file), "title"), span(`  ${modeText(state)}`, mode === "stopped" ? "bad" : "note")];
  return [joinEnds(title, deliveries, width), ...notes];
}

function modeText({ mode, subjects }: RulesState): string {
  if (mode === "missing") return "no rules yet";
  if (mode === "opening") return "reading the rules";
  if (mode === "stopped") return "not watched";
  if (mode === "elsewhere") return "watched by another solx process, read-only here";
  const sum = (name: "requests" | "units") =>
    Math.ceil(subjects.reduce((total, { cost }) => total + cost[name], 0) - 1e-6);
  const cost = `${pluralize(sum("requests"), "request")}, ${pluralize(sum("units"), "unit")} per hour`;
  return `watching ${pluralize(subjects.length, "subject")}: ${cost}`;
}

/** Returns what to do next, as far as there are keys for it. */
function adviceOf({ mode, problem }: RulesState, keyOf: KeyLabels): readonly string[] {
  const key = (name: KeyHint[0], does: string) => formatKeyHints(keyOf, [[name, `${does}.`]]);
  const advice = {
    missing: [
      "Rules watch accounts and tokens, and tell you of news: by programs, webhooks, chats and files.",
      [key("watch.add", "writes the first rule"), "Their form: solx help rules"].filter(Boolean).join(" "),
    ],
    stopped: [problem?.hint ?? "", key("view.refresh", "reads the file again")],
    elsewhere: [key("view.refresh", "watches here when the other process has ended")],
    ...{ opening: [], watching: [] },
  };
  return advice[mode].filter((text) => text !== "");
}
