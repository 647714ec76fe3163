/** What `?` says. */
import { wrap } from "../../output/text/width.ts";
import { type Line, line, span } from "../app/theme/text-line.ts";

const KEYS: readonly (readonly [key: string, text: string])[] = [
  ["r", "look now"],
  ["+ -", "a longer interval, a shorter one (10 s at least)"],
  ["t", "the time of the chart: an hour to 30 days"],
  ["Ctrl-Z", "back to the shell; fg goes on"],
  ["q Ctrl-C", "quit"],
];

/** The lines of the help; each look costs so many compute units. */
export function helpLines(cost: number, width: number): readonly Line[] {
  const told = [
    `Each look costs ${cost} compute units. While looks fail, they are further apart.`,
    "The chart is of what this machine saw: before the first look it is blank.",
    "The busiest endpoints are those of this machine, not of all who use the key.",
    "The forecast goes by the faster of the last 24 hours and what is usual.",
  ];
  return [
    line("Keys", "heading"),
    ...KEYS.map(([key, text]): Line => [span(`  ${key.padEnd(10)}`, "hotkey"), span(text)]),
    line("What is shown", "heading"),
    ...told.flatMap((text) => wrap(text, Math.max(1, width - 2)).map((one) => line(`  ${one}`))),
    line("Any key closes this.", "note"),
  ];
}
