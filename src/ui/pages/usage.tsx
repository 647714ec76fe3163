/** The page of the API key's usage: used and remaining units and a forecast. */
import { useEffect, useMemo, useState } from "react";
import { groupThousands, type JsonObject, toNumber } from "../../base/index.ts";
import { forecastText, forecastUsage, STATE_ROLES } from "../../client/index.ts";
import { useQuota, useResource, useSessionUsage } from "../data/hooks.ts";
import { useResourceLine } from "../data/status.tsx";
import { shareBar } from "../frame/share-bar.ts";
import { useBindings, useExplorer, useSubject } from "../navigation/context.ts";
import type { QuotaView, SessionUsage } from "../navigation/data-store.ts";
import { bindAction } from "../navigation/keys/bindings.ts";
import type { Services, StoredUsage } from "../navigation/services.ts";
import { span, type TextLine, textLine } from "../navigation/theme/text-line.ts";
import { answerObject, endpointAt } from "../widgets/cells.ts";
import { useChartStyle } from "../widgets/chart/panel.tsx";
import { TreePanel } from "../widgets/tree/panel.tsx";
import type { TreeRow } from "../widgets/tree/rows.ts";
import { defaultRange, usageCharts, usageTables } from "../widgets/usage-charts.ts";
import { usageFact, usageFacts } from "../widgets/usage-facts.ts";
import type { PageProps } from "./props.ts";

const USAGE = endpointAt("/monitor/usage");
const NO_PARAMS = {};
/** Lines of the charts with their headings, and the minimum height of a page with them. */
const MIN_CHART_HEIGHT = 8;
const MIN_CHARTED_HEIGHT = 20;
/** Lines of the tables at least. */
const MIN_TABLES = 8;

/** Shows the usage of the API key. */
export function UsagePage({ region }: PageProps) {
  const { services } = useExplorer();
  const [spent, gauge] = [useSessionUsage(), useQuota()];
  const resource = useResource(USAGE, NO_PARAMS);
  const usage = answerObject(resource);
  useSubject({ request: resource.request, row: usage });
  const state = useResourceLine(resource);
  const style = useChartStyle();
  const known = useKnownUsage(resource.at);
  const { width, height } = region;
  const above = [
    textLine("Compute units and requests of the API key", "title"),
    ...(state ? [state, textLine("")] : []),
    ...(usage ? usageLines(usage, width, services) : []),
  ];
  const tables = usageTables(known, width, Math.max(MIN_TABLES, Math.floor(height / 4)));
  const session = [...sessionLines(spent, gauge, services), ...planLine(usage, services)];
  const below = [...(tables.length === 0 ? [] : [...tables, []]), ...session];
  const chartHeight = Math.max(MIN_CHART_HEIGHT, height - above.length - below.length - 1);
  const now = resource.at ?? services.now();
  const { history } = known;
  const chart = useMemo(() => {
    if (!usage || height < MIN_CHARTED_HEIGHT) return [];
    const report = { usage, forecast: forecastUsage(usage, now, history) };
    const view = { ...style, width, now, history, range: defaultRange(history, now) };
    return [...usageCharts(view, report, chartHeight), []];
  }, [usage, now, style, width, height, chartHeight, history]);
  const lines = [...above, ...chart, ...below];
  useBindings("screen", [bindAction("view.refresh", "refresh", resource.refresh, { hint: 10 })]);
  const rows = lines.map((line, at): TreeRow => ({ key: `${at}`, line }));
  return <TreePanel rows={rows} region={region} part="usage" request={resource.request} />;
}

const NOTHING_KNOWN: StoredUsage = { busiest: [], users: [], history: [] };

/** Returns what is stored of the usage of the key, read again with each answer. */
function useKnownUsage(answeredAt: number | undefined): StoredUsage {
  const { storedUsage, log } = useExplorer().services;
  const [known, setKnown] = useState(NOTHING_KNOWN);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the counts of requests have changed with it.
  useEffect(() => {
    let isCurrent = true;
    storedUsage?.().then(
      (usage) => isCurrent && setKnown(usage),
      (error: unknown) => log(`Usage of this machine: ${String(error)}`),
    );
    return () => {
      isCurrent = false;
    };
  }, [storedUsage, log, answeredAt]);
  return known;
}

function usageLines(usage: JsonObject, width: number, { unicode, now }: Services): readonly TextLine[] {
  const forecast = forecastUsage(usage, now());
  const { resetAt, periodStart } = forecast;
  return [
    ...usageFacts({ usage, forecast }, { width, unicode, now: now() }),
    // The reset usually is the start of the period.
    ...(resetAt === undefined || resetAt === periodStart
      ? []
      : [usageFact("last reset", span(new Date(resetAt).toISOString().slice(0, 10)))]),
    [span(forecastText(forecast), STATE_ROLES[forecast.state])],
    textLine(""),
  ];
}

function sessionLines(spent: SessionUsage, { requests }: QuotaView, { unicode }: Services): readonly TextLine[] {
  const lines = [
    textLine("This session", "title"),
    usageFact("requests", span(groupThousands(spent.requests))),
    usageFact("units", span(groupThousands(spent.units))),
  ];
  if (!requests) return lines;
  const { limit, remaining } = requests;
  const bar = shareBar(limit > 0 ? remaining / limit : 0, 20, unicode);
  const text = ` ${groupThousands(remaining)} of ${groupThousands(limit)} requests available now`;
  return [...lines, usageFact("rate", ...bar, span(text))];
}

/** Returns the configured plan; omitted in the sandbox, which has none, and when the API reports another allowance. */
function planLine(usage: JsonObject | undefined, { identity }: Services): readonly TextLine[] {
  const { plan, units, rate, isSandbox } = identity;
  const [used, left] = [toNumber(usage?.usage_cus), toNumber(usage?.remaining_cus)];
  const hasOtherAllowance = used !== undefined && left !== undefined && used + left !== units;
  if (isSandbox || hasOtherAllowance) return [];
  const requests = rate ? `, ${groupThousands(rate.requests)} requests in ${rate.seconds} s` : "";
  return [usageFact("plan", span(`${plan}: ${groupThousands(units)} units a month${requests}`))];
}
