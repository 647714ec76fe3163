/** A look as one line: for logs, and for programs. */
import { stringifyJson, toNumber } from "../../base/json.ts";
import { forecastText } from "../../client/index.ts";
import { escapeJson } from "../../output/text/safe.ts";
import { formatUsedShare, groupDigits } from "../../output/values/number.ts";
import { countText } from "./checks.ts";
import { derivedView } from "./derived.ts";
import type { Look } from "./look.ts";

/** The line for people, without its line break: when, how much, how fast, and what that comes to. */
export function lookLine(look: Look): string {
  const { at, forecast, usage } = look;
  const { percent, remaining: left, perDay } = forecast;
  const requests = toNumber(usage.total_requests_24h);
  return [
    new Date(at).toISOString().replace(/\.\d+Z$/, "Z"),
    ...(percent ? [`${formatUsedShare(percent)} used`] : []),
    ...(left ? [`${groupDigits(left)} units left`] : []),
    ...(perDay === undefined ? [] : [`${countText(perDay)} a day`]),
    ...(requests === undefined ? [] : [`${countText(requests)} requests in 24 h`]),
    forecastText(forecast),
  ].join("  ");
}

/** The same as JSON on one line: the object that `solx usage -o json` gives. */
export function lookJson(look: Look): string {
  return escapeJson(stringifyJson(derivedView(look)));
}
