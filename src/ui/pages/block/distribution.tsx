/** The distribution of fees and of compute units over the transactions of a block. */
import { useMemo } from "react";
import { fieldOf, groupThousands, pluralize, textOf, toNumber } from "../../../base/index.ts";
import { MAX_MULTI_ITEMS } from "../../../catalogue/index.ts";
import { totalRows } from "../../../client/index.ts";
import { useResource } from "../../data/hooks.ts";
import { useViewState } from "../../navigation/context.ts";
import { bindAction } from "../../navigation/keys/bindings.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { endpointAt } from "../../widgets/cells.ts";
import { type HistogramClass, histogram, histogramPlot, quantile } from "../../widgets/chart/bars.ts";
import type { ChartHeading } from "../../widgets/chart/heading.ts";
import { shareText } from "../../widgets/chart/one-line.ts";
import { ChartPanel, useChartCursor } from "../../widgets/chart/panel.tsx";
import { ListPanel } from "../../widgets/list/panel.tsx";
import type { TabProps } from "../props.ts";
import { TRANSACTIONS } from "./record.ts";

const DETAILS = endpointAt("/transaction/detail/multi");
/** The largest page: one request. */
const PAGE_SIZE = 100;

const MEASURES = [
  { name: "fees", field: "fee", unit: "lamports" },
  { name: "compute units", field: "compute_units_consumed", unit: "units" },
] as const;

/** Shows the fees of a block's transactions, and on request their compute units, each as a histogram. */
export function Distribution({ id: slot, region, part }: TabProps) {
  const [current, setCurrent] = useViewState(`${part} measure`, 0);
  const measure = MEASURES[current] ?? MEASURES[0];
  const isDetailed = measure !== MEASURES[0];
  const transactions = useResource(TRANSACTIONS, { block: slot, page_size: PAGE_SIZE });
  const { answer } = transactions;
  const signatures = useMemo(
    () => (answer?.rows ?? []).flatMap((row) => textOf(fieldOf(row, "tx_hash")) ?? []).slice(0, MAX_MULTI_ITEMS),
    [answer],
  );
  const details = useResource(DETAILS, { tx: signatures }, isDetailed && signatures.length > 0);
  const resource = isDetailed ? details : transactions;
  const rows = resource.answer?.rows;
  const values = useMemo(
    () => (rows ?? []).flatMap((row) => toNumber(fieldOf(row, measure.field)) ?? []),
    [rows, measure],
  );
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
      heading={(index) => distributionHeading(measure, values, index === undefined ? undefined : classes[index], total)}
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

function distributionHeading(
  { name, unit }: (typeof MEASURES)[number],
  values: readonly number[],
  known: HistogramClass | undefined,
  total: number,
): ChartHeading {
  const count = (number: number | undefined) => (number === undefined ? "-" : groupThousands(Math.round(number)));
  const part = (label: string, number: number | undefined): TextLine => [span(`${label} `, "key"), span(count(number))];
  const isPart = total > values.length;
  const about = `${count(values.length)}${isPart ? ` of ${count(total)}` : ""} transactions`;
  const sum = values.reduce((before, value) => before + value, 0);
  return {
    title: [span(`${name} of transactions`, "title")],
    values: known
      ? [
          [span(`${count(known.from)} to ${count(known.to)} ${unit}`, "marked")],
          [span(pluralize(known.count, "transaction"), "title")],
          [span(shareText(known.count / Math.max(1, values.length)), "note")],
        ]
      : [[span(`${count(quantile(values, 0.5))} ${unit}`, "title"), span(" median", "note")]],
    details: [
      part("lowest", quantile(values, 0)),
      part("90% below", quantile(values, 0.9)),
      part("highest", quantile(values, 1)),
      part("sum", sum),
    ],
    notes: [[span(about, isPart ? "warning" : "note")]],
  };
}
