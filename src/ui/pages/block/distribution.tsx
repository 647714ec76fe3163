/** The distribution of fees and of compute units over the transactions of a block. */

import { useMemo } from "react";
import { groupThousands, isObject, type Json, pluralize, toNumber } from "../../../base/index.ts";
import { MAX_MULTI_ITEMS } from "../../../catalogue/index.ts";
import { totalRows } from "../../../client/index.ts";
import { useResource } from "../../data/hooks.ts";
import { type Region, useViewState } from "../../navigation/context.ts";
import { bindAction } from "../../navigation/keys/bindings.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { endpointAt } from "../../widgets/cells.ts";
import { type HistogramClass, histogram, histogramPlot, quantile } from "../../widgets/chart/bars.ts";
import type { ChartHeading } from "../../widgets/chart/heading.ts";
import { ChartPanel, useChartCursor } from "../../widgets/chart/panel.tsx";
import { shareText } from "../../widgets/chart/stacked-bar.ts";
import { ListPanel } from "../../widgets/list/panel.tsx";
import { TRANSACTIONS } from "./record.ts";

const DETAILS = endpointAt("/transaction/detail/multi");
/** The largest page: one request. */
const PAGE_SIZE = 100;

const MEASURES = [
  { name: "fees", field: "fee", unit: "lamports" },
  { name: "compute units", field: "compute_units_consumed", unit: "units" },
] as const;

const numbersOf = (rows: readonly Json[] | undefined, field: string): readonly number[] =>
  (rows ?? []).filter(isObject).flatMap((row) => toNumber(row[field]) ?? []);

/** Shows the fees of a block's transactions, and on request their compute units, each as a histogram. */
export function Distribution({ slot, region, part }: { slot: string; region: Region; part: string }) {
  const [current, setCurrent] = useViewState(`${part} measure`, 0);
  const measure = MEASURES[current] ?? MEASURES[0];
  const isDetailed = measure !== MEASURES[0];
  const params = useMemo(() => ({ block: slot, page_size: PAGE_SIZE }), [slot]);
  const transactions = useResource(TRANSACTIONS, params);
  const { answer } = transactions;
  const signatures = useMemo(() => signaturesOf(answer?.rows), [answer]);
  const tx = useMemo(() => ({ tx: signatures }), [signatures]);
  const details = useResource(DETAILS, tx, isDetailed && signatures.length > 0);
  const resource = isDetailed ? details : transactions;
  const rows = resource.answer?.rows;
  const values = useMemo(() => numbersOf(rows, measure.field), [rows, measure]);
  const classes = useMemo(() => histogram(values), [values]);
  const times = useMemo(() => classes.map((_, at) => at), [classes]);
  const cursor = useChartCursor(`${part} ${measure.name}`, times);
  const plot = useMemo(() => rows && histogramPlot(classes), [rows, classes]);
  const total = Math.max((answer && totalRows(answer)) ?? 0, answer?.rows?.length ?? 0);
  const cost = DETAILS.cost.units * (DETAILS.cost.per === "item" ? signatures.length : 1);
  const next = (current + 1) % MEASURES.length;
  return (
    <ChartPanel
      resource={resource}
      plot={plot}
      empty="No transactions."
      cursor={cursor}
      heading={(index) => distributionHeading(measure, values, classes, index, total)}
      choice={{ labels: MEASURES.map(({ name }) => name), current, choose: setCurrent }}
      rows={rows}
      table={(inner, tablePart) => (
        <ListPanel endpoint={TRANSACTIONS} params={{ block: slot }} region={inner} part={tablePart} />
      )}
      bindings={[
        bindAction(
          "chart.invert",
          isDetailed ? "fees" : `compute units (${groupThousands(cost)} units)`,
          () => setCurrent(next),
          { hint: 12, active: signatures.length > 0 },
        ),
      ]}
      region={region}
      part={part}
    />
  );
}

function signaturesOf(rows: readonly Json[] | undefined): readonly string[] {
  const all = (rows ?? []).flatMap((row) => (isObject(row) && typeof row.tx_hash === "string" ? [row.tx_hash] : []));
  return all.slice(0, MAX_MULTI_ITEMS);
}

/** Returns what is said about a class, or about all transactions. */
function distributionHeading(
  { name, unit }: { readonly name: string; readonly unit: string },
  values: readonly number[],
  classes: readonly HistogramClass[],
  index: number | undefined,
  total: number,
): ChartHeading {
  const title = [span(`${name} of transactions`, "title")];
  const count = (number: number | undefined) => (number === undefined ? "-" : groupThousands(Math.round(number)));
  const part = (label: string, number: number | undefined): TextLine => [span(`${label} `, "key"), span(count(number))];
  const about = `${count(values.length)}${total > values.length ? ` of ${count(total)}` : ""} transactions`;
  const known = index === undefined ? undefined : classes[index];
  const current: readonly TextLine[] = known
    ? [
        [span(`${count(known.from)} to ${count(known.to)} ${unit}`, "marked")],
        [span(pluralize(known.count, "transaction"), "title")],
        [span(shareText(known.count / Math.max(1, values.length)), "note")],
      ]
    : [[span(`${count(quantile(values, 0.5))} ${unit}`, "title"), span(" median", "note")]];
  return {
    title,
    values: current,
    details: [
      part("lowest", quantile(values, 0)),
      part("90% below", quantile(values, 0.9)),
      part("highest", quantile(values, 1)),
      part(
        "sum",
        values.reduce((sum, value) => sum + value, 0),
      ),
    ],
    notes: [[span(about, total > values.length ? "warning" : "note")]],
  };
}
