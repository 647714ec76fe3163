/** The page of the API key's usage: used and remaining units and a forecast. */
import { useMemo } from "react";
import { groupThousands, type JsonObject, percentToFraction, toNumber } from "../../base/index.ts";
import { Usage } from "../../catalogue/schemas.ts";
import { forecastText, forecastUsage, hasLowSuccess, STATE_ROLES } from "../../client/index.ts";
import { formatPercent } from "../../output/index.ts";
import { useQuota, useResource, useSessionUsage } from "../data/hooks.ts";
import { useResourceLine } from "../data/status.tsx";
import { Lines } from "../frame/lines.tsx";
import { shareBar } from "../frame/share-bar.ts";
import { useBindings, useExplorer, useSubject, useViewState } from "../navigation/context.ts";
import type { QuotaView, SessionUsage } from "../navigation/data-store.ts";
import { bindAction } from "../navigation/keys/bindings.ts";
import type { Services } from "../navigation/services.ts";
import { span, type TextLine, textLine } from "../navigation/theme/text-line.ts";
import { answerObject, endpointAt, formatField, relativeClock } from "../widgets/cells.ts";
import { burnDownLines } from "../widgets/chart/burn-down.ts";
import { useChartStyle } from "../widgets/chart/panel.tsx";
import { clampIndex, itemAfter, moveBindings } from "../widgets/viewport.ts";
import type { PageProps } from "./props.ts";

const USAGE = endpointAt("/monitor/usage");
const NO_PARAMS = {};
const LABEL_WIDTH = 22;
const MAX_BAR = 60;
const LAST_DAY = "Last 24 hours";
/** Lines of the burn-down with its heading, and the minimum height of a page with one. */
const MIN_CHART_HEIGHT = 8;
const MAX_CHART_HEIGHT = 22;
const MIN_CHARTED_HEIGHT = 20;

/** Shows the usage of the API key. */
export function UsagePage({ region }: PageProps) {
  const { services } = useExplorer();
  const [spent, gauge] = [useSessionUsage(), useQuota()];
  const resource = useResource(USAGE, NO_PARAMS);
  const usage = answerObject(resource);
  useSubject({ request: resource.request, row: usage });
  const state = useResourceLine(resource);
  const [storedLine, setLine] = useViewState("usage", 0);
  const style = useChartStyle();
  const facts = [
    textLine("Compute units and requests of the API key", "title"),
    ...(state ? [state, textLine("")] : []),
    ...(usage ? usageLines(usage, region.width, services) : []),
    ...sessionLines(spent, gauge, services),
    ...planLine(usage, services),
  ];
  const { width, height } = region;
  const { unicode } = services;
  const chartHeight = Math.min(MAX_CHART_HEIGHT, Math.max(MIN_CHART_HEIGHT, height - facts.length - 1));
  const answeredAt = resource.at ?? services.now();
  const chart = useMemo(
    () =>
      usage && height >= MIN_CHARTED_HEIGHT
        ? burnDownLines(
            { usage, forecast: forecastUsage(usage, answeredAt), samples: [], now: answeredAt },
            { ...style, width, height: chartHeight },
          )
        : [],
    [usage, answeredAt, style, width, height, chartHeight],
  );
  const lines = chart.length === 0 ? facts : insertChart(facts, chart);
  // Scrolling stops when the last line is visible.
  const positions = Math.max(1, lines.length - height + 1);
  const top = clampIndex(storedLine, positions);
  useBindings("panel", [
    ...moveBindings(
      (movement) => setLine((now) => itemAfter({ count: positions }, height, now, movement)),
      positions > 1,
    ),
    bindAction("view.refresh", "refresh", resource.refresh, { hint: 10 }),
  ]);
  return <Lines lines={visibleLines(lines, top, height, unicode)} width={width} height={height} />;
}

function insertChart(facts: readonly TextLine[], chart: readonly TextLine[]): readonly TextLine[] {
  const at = facts.findIndex(([first]) => first?.text === LAST_DAY);
  return at < 0 ? [...facts, ...chart] : [...facts.slice(0, at), ...chart, textLine(""), ...facts.slice(at)];
}

/** Returns the visible lines; the last one counts the hidden ones. */
function visibleLines(lines: readonly TextLine[], top: number, height: number, unicode: boolean): readonly TextLine[] {
  const hiddenCount = lines.length - top - height;
  if (hiddenCount <= 0) return lines.slice(top);
  const mark = textLine(`${unicode ? "↓" : "v"} ${hiddenCount + 1} more lines: j`, "note");
  return [...lines.slice(top, top + height - 1), mark];
}

const fact = (label: string, ...value: TextLine): TextLine => [span(label.padEnd(LABEL_WIDTH), "key"), ...value];

function usageLines(usage: JsonObject, width: number, services: Services): readonly TextLine[] {
  const forecast = forecastUsage(usage, services.now());
  const clock = { ...relativeClock(services), style: "iso" as const };
  const text = (field: string) => formatField(Usage, usage, field, clock).text;
  const day = (field: string) =>
    text(field)
      .replace(/T00:00:00Z$/, "")
      .replace("T", " ");
  const perDay = (units: number | undefined) =>
    span(units === undefined ? "-" : `${groupThousands(Math.round(units))} a day`);
  const bar = Math.max(10, Math.min(MAX_BAR, width - LABEL_WIDTH - 12));
  const percent = forecast.percent && formatPercent(forecast.percent);
  return [
    fact(
      "units used",
      ...shareBar(percentToFraction(forecast.percent), bar, services.unicode),
      span(` ${percent ?? "-"}`, forecast.state === "none" ? "bad" : undefined),
    ),
    fact("", span(`${text("usage_cus")} used, ${text("remaining_cus")} left`)),
    fact("period", span(`${day("renew_date")} to ${day("end_date")}`)),
    // The reset usually is the start of the period.
    ...(usage.last_cu_reset_date === usage.renew_date ? [] : [fact("last reset", span(day("last_cu_reset_date")))]),
    textLine(""),
    textLine("Burn rate", "title"),
    fact("since the reset", perDay(forecast.average)),
    fact("last 24 hours", perDay(forecast.today)),
    [span(forecastText(forecast), STATE_ROLES[forecast.state])],
    textLine(""),
    textLine(LAST_DAY, "title"),
    fact("requests", span(text("total_requests_24h"))),
    fact("succeeded", span(text("success_rate_24h"), hasLowSuccess(usage) ? "warning" : undefined)),
    fact("units", span(text("total_cu_24h"))),
    textLine(""),
  ];
}

function sessionLines(spent: SessionUsage, { requests }: QuotaView, { unicode }: Services): readonly TextLine[] {
  const lines = [
    textLine("This session", "title"),
    fact("requests", span(groupThousands(spent.requests))),
    fact("units", span(groupThousands(spent.units))),
  ];
  if (!requests) return lines;
  const { limit, remaining } = requests;
  const bar = shareBar(limit > 0 ? remaining / limit : 0, 20, unicode);
  const text = ` ${groupThousands(remaining)} of ${groupThousands(limit)}`;
  return [...lines, fact("available requests", ...bar, span(text))];
}

/** Returns the configured plan; omitted in the sandbox, which has none, and when the API reports another allowance. */
function planLine(usage: JsonObject | undefined, { identity }: Services): readonly TextLine[] {
  const { plan, units, rate, sandbox } = identity;
  const [used, left] = [toNumber(usage?.usage_cus), toNumber(usage?.remaining_cus)];
  const hasOtherAllowance = used !== undefined && left !== undefined && used + left !== units;
  if (sandbox || hasOtherAllowance) return [];
  const requests = rate ? `, ${groupThousands(rate.requests)} requests in ${rate.seconds} s` : "";
  return [fact("plan", span(`${plan}: ${groupThousands(units)} units a month${requests}`))];
}
