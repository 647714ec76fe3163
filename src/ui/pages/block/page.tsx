/** The page of a block: summary, transactions and neighbours. */
import { useEffect, useMemo } from "react";
import { countOf, fieldOf, groupThousands, type Json, pluralize, textOf, toNumber } from "../../../base/index.ts";
import { MAX_MULTI_ITEMS } from "../../../catalogue/index.ts";
import { maxPageSize, totalRows } from "../../../client/index.ts";
import { type Resource, useAgeTime, useResource } from "../../data/hooks.ts";
import { type LiveState, paceText, useLiveAnswer } from "../../data/live.ts";
import { useBindings, useExplorer, usePaneFit, useViewState } from "../../navigation/context.ts";
import { bindAction, formatKeyHints, keyLabelsOf, refreshBinding } from "../../navigation/keys/bindings.ts";
import type { Services } from "../../navigation/services.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { answerObject, endpointAt } from "../../widgets/cells.ts";
import { type HistogramClass, histogram, histogramPlot, quantile } from "../../widgets/chart/bars.ts";
import type { ChartHeading } from "../../widgets/chart/heading.ts";
import { shareText } from "../../widgets/chart/one-line.ts";
import { ChartPanel, useChartCursor } from "../../widgets/chart/panel.tsx";
import { ListPanel } from "../../widgets/list/panel.tsx";
import { EntityLayout, useEntity } from "../entity/layout.tsx";
import type { EntityRoute, PageProps, TabProps } from "../props.ts";
import { BLOCK, BLOCK_DETAIL, nextListedSlot, previousSlot, TRANSACTIONS } from "./record.ts";

/** The largest page: the list and the distribution are of one request. */
const PAGE_SIZE = maxPageSize(TRANSACTIONS);

/** Shows a block. */
export function BlockPage(props: PageProps<EntityRoute>) {
  const page = useEntity(BLOCK, props);
  const { id, states, clock } = page;
  const step = useBlockSteps(id, states.detail);
  const now = useAgeTime(states.detail.answer);
  const params = useMemo(() => ({ block: id, page_size: PAGE_SIZE }), [id]);
  return (
    <EntityLayout
      page={{ ...page, clock: { ...clock, now } }}
      above={step ? [step] : []}
      tabs={{
        transactions: ({ region, part }) => (
          <ListPanel key={id} endpoint={TRANSACTIONS} params={params} region={region} part={part} />
        ),
        distribution: (tab) => <Distribution key={id} {...tab} />,
      }}
    />
  );
}

const LATEST = endpointAt("/block/last");
const LATEST_BLOCKS = { request: { endpoint: LATEST, params: { limit: 10 } } };
/** How often the latest blocks are requested while the next one is awaited, if the quota allows it. */
const POLL_MS = 5000;

/** Maximum number of empty slots to try: each costs a request. */
const MAX_EMPTY_SLOTS = 8;
/** Seconds within which a block may be the newest one, which one request answers in place of a search. */
const RECENT_SECONDS = 3600;

/** A step in progress: a search along slots, or the wait for a block that does not exist yet. */
type BlockStep =
  | { readonly kind: "search"; readonly by: 1 | -1; readonly slot: number; readonly empty: number }
  | { readonly kind: "wait" };

/** Registers the keys for the neighbours of a block. Returns a line about a step in progress. */
function useBlockSteps(slot: string, detail: Resource): TextLine | undefined {
  const explorer = useExplorer();
  const { navigation, services, data } = explorer;
  const [step, setStep] = useViewState<BlockStep | undefined>("step", undefined);
  // The next block by slot, as visited.
  const [nextSlots, setNextSlots] = useViewState<Readonly<Record<string, string>>>("next slots", {});
  const block = answerObject(detail);
  const canWait = services.supports(LATEST);
  const show = (from: string, to: string) => {
    setStep(undefined);
    const [first, second] = Number(from) < Number(to) ? [from, to] : [to, from];
    setNextSlots((known) => ({ ...known, [first]: second }));
    navigation.replace({ kind: "entity", entity: "block", id: to });
  };
  const isPolling = step?.kind === "wait" && !isStillSandbox(services);
  const live = useLiveAnswer(LATEST_BLOCKS, isPolling, POLL_MS);
  useSearch(slot, step, setStep, show);
  useWait(slot, step, setStep, show);

  const goToPrevious = () => {
    const known = previousSlot(slot, block);
    if (known === undefined) return;
    // Without the block, its parent is unknown.
    if (block) show(slot, known);
    else setStep({ kind: "search", by: -1, slot: Number(known), empty: 0 });
  };
  const goToNext = () => {
    const latest = data.read(LATEST_BLOCKS.request).answer?.rows;
    const listed = nextListedSlot(Number(slot), latest);
    const known = nextSlots[slot] ?? listed?.toString();
    if (known !== undefined) return show(slot, known);
    const time = countOf(block?.block_time);
    const isRecent = time !== undefined && services.now() / 1000 - time < RECENT_SECONDS;
    const mayBeNewest = isRecent && canWait && !hasNewer(Number(slot), latest);
    setStep(mayBeNewest ? { kind: "wait" } : { kind: "search", by: 1, slot: Number(slot) + 1, empty: 0 });
  };
  const isIdle = step === undefined;
  useBindings("screen", [
    bindAction("block.before", "previous block", () => isIdle && goToPrevious(), {
      hint: 20,
      active: Number(slot) > 0,
    }),
    // Pressed again during a step, the keys send no further request.
    bindAction("block.after", "next block", () => isIdle && goToNext(), { hint: 21 }),
    bindAction("view.cancel", "stop waiting", () => setStep(undefined), { hint: 5, active: !isIdle }),
    refreshBinding(detail.refresh),
  ]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a step ends with the page.
  useEffect(() => () => setStep(undefined), []);
  const hint = formatKeyHints(keyLabelsOf(explorer), [["view.cancel", "stop"]]);
  return step && stepLine(slot, step, live, hint);
}

/** Whether no block will follow the newest one. */
const isStillSandbox = ({ identity: { isSandbox, isGrowing = false } }: Services): boolean => isSandbox && !isGrowing;

type SetStep = (step: BlockStep | undefined) => void;
type ShowBlock = (from: string, to: string) => void;

/** Requests the blocks of a search one after the other, and opens the first one that exists. */
function useSearch(slot: string, step: BlockStep | undefined, setStep: SetStep, show: ShowBlock): void {
  const { toast } = useExplorer();
  const search = step?.kind === "search" ? step : undefined;
  const candidate = search ? `${search.slot}` : slot;
  const { answer, problem, isLoading } = useResource(BLOCK_DETAIL, { block: candidate }, search !== undefined);
  useEffect(() => {
    if (!search) return;
    if (answer) return show(slot, candidate);
    if (!problem || isLoading) return;
    const empty = search.empty + 1;
    const next = search.slot + search.by;
    if (problem.exit === "notFound" && empty < MAX_EMPTY_SLOTS && next >= 0) {
      return setStep({ ...search, slot: next, empty });
    }
    setStep(undefined);
    const slots = `${pluralize(empty, "slot")} ${search.by > 0 ? "after" : "before"} ${slot}`;
    const noBlock = `The ${slots} ${empty === 1 ? "has" : "have"} no block.`;
    toast(problem.exit === "notFound" ? noBlock : problem.message, "warning");
  });
}

/** Opens the block after this one as soon as it is among the latest ones. No block follows the newest one of the sandbox. */
function useWait(slot: string, step: BlockStep | undefined, setStep: SetStep, show: ShowBlock): void {
  const { services, toast } = useExplorer();
  const isWaiting = step?.kind === "wait";
  const { answer } = useResource(LATEST, LATEST_BLOCKS.request.params, isWaiting);
  useEffect(() => {
    if (!isWaiting || !answer) return;
    const next = nextListedSlot(Number(slot), answer.rows);
    if (next !== undefined) return show(slot, `${next}`);
    // The latest blocks may all be newer than the next one.
    if (hasNewer(Number(slot), answer.rows)) {
      return setStep({ kind: "search", by: 1, slot: Number(slot) + 1, empty: 0 });
    }
    if (!isStillSandbox(services)) return;
    setStep(undefined);
    toast(`Block ${slot} is the newest one of the sandbox, which adds no blocks.`);
  });
}

const hasNewer = (slot: number, rows: readonly Json[] | undefined) =>
  rows?.some((row) => (toNumber(fieldOf(row, "current_slot")) ?? 0) > slot) ?? false;

function stepLine(slot: string, step: BlockStep, live: LiveState, hint: string): TextLine {
  const tail = hint === "" ? [] : [span(` · ${hint}`, "note")];
  if (step.kind === "search") return [span(`Trying slot ${step.slot}…`, "warning"), ...tail];
  return [span(`Waiting for block ${Number(slot) + 1}…`, "warning"), span(` ${paceText(live)}`, "note"), ...tail];
}

const DETAILS = endpointAt("/transaction/detail/multi");

const MEASURES = [
  { name: "fees", field: "fee", unit: "lamports" },
  { name: "compute units", field: "compute_units_consumed", unit: "units" },
] as const;

/** Shows the fees of a block's transactions, and on request their compute units, each as a histogram. */
function Distribution({ id: slot, region, part }: TabProps) {
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
  const isLow = rows !== undefined && classes.length < FEW_CLASSES;
  usePaneFit(isLow ? LOW_HEIGHT : undefined);
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
      region={{ ...region, height: isLow ? Math.min(region.height, LOW_HEIGHT) : region.height }}
      part={part}
    />
  );
}

/** Distributions with fewer classes are drawn in so many lines. */
const FEW_CLASSES = 3;
const LOW_HEIGHT = 12;

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
