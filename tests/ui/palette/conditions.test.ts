import { expect, test } from "vitest";
import { readConditions } from "../../../src/ui/palette/conditions.ts";

test.each([
  ["transfers > 1000 last 7d", { subject: "transfers", value: "1000..", from: "7d" }],
  ["swaps over $2.5k in the past two weeks", { subject: "swaps in the past two weeks", value: "2500.." }],
  ["transfers between more than 10 and less than 1m usd", { subject: "transfers between and", value: "10..1000000" }],
  [
    "transfers at least 1,000 dollars since yesterday",
    { subject: "transfers since", value: "1000..", from: "yesterday" },
  ],
  ["holders in the last 2 weeks", { subject: "holders", from: "14d" }],
  ["failed transactions today", { subject: "failed transactions", from: "today", hasFailed: true }],
  ["fail", { subject: "fail", hasFailed: true }],
  ["top tokens", { subject: "top tokens" }],
])("conditions of %s", (text, expected) => {
  expect(readConditions(text)).toEqual({ value: undefined, from: undefined, hasFailed: false, ...expected });
});
