/** The page of a transaction: its story beside its instructions, balances, logs and accounts. */

import { Box } from "ink";
import { type ReactNode, useMemo } from "react";
import type { Json } from "../../../base/index.ts";
import { useFollow } from "../../data/follow.ts";
import { type Resource, useAgeTime, useNameOf, useResource } from "../../data/hooks.ts";
import { ResourceStatus, useResourceLine } from "../../data/status.tsx";
import type { QueryState } from "../../data/store.ts";
import { Lines } from "../../frame/lines.tsx";
import { type Region, useBindings, useExplorer } from "../../navigation/context.ts";
import { actionBinding } from "../../navigation/keys/actions.ts";
import type { Services } from "../../navigation/services.ts";
import { answerObject, endpointAt, relativeClock } from "../../widgets/cells.ts";
import { DetailPanel } from "../../widgets/detail/panel.tsx";
import { TreePanel } from "../../widgets/tree/panel.tsx";
import type { TreeRow } from "../../widgets/tree/rows.ts";
import { fieldOf, textOf } from "../entity/json-fields.ts";
import { EntityLayout, type Tab } from "../entity/layout.tsx";
import { summaryHeight, summaryLines } from "../entity/summary.ts";
import type { EntityRoute, PageProps } from "../props.ts";
import { accountRows } from "./accounts.ts";
import { balanceRows } from "./balances.ts";
import { costRows } from "./cost.ts";
import { failureOf } from "./failure.ts";
import { createFormatter, type TransactionFormatter } from "./formatter.ts";
import { logRows } from "./logs.ts";
import { MIN_PANES_WIDTH } from "./pane-layout.ts";
import { TransactionPanes } from "./panes.tsx";
import { useTransactionPrices } from "./prices.ts";
import { storyRows } from "./story.ts";
import { failureLines, transactionFacts } from "./summary.ts";

interface ResourceBodyProps {
  readonly resource: QueryState;
  readonly region: Region;
  /** Renders the answer into a region. */
  readonly children: (region: Region) => ReactNode;
}

/** Shows an answer below the state of its request, or only the state. */
function ResourceBody({ resource, region, children }: ResourceBodyProps) {
  const state = useResourceLine(resource);
  if (!resource.answer) return <ResourceStatus resource={resource} region={region} />;
  if (!state) return children(region);
  const { width, height, top } = region;
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Lines lines={[state]} width={width} height={1} />
      {children({ width, height: height - 1, top: top + 1 })}
    </Box>
  );
}

const DETAIL = endpointAt("/transaction/detail");
const ACTIONS = endpointAt("/transaction/actions");
const FEES = endpointAt("/transaction/fees");
const NO_PARAMS = {};

/** The commitment after which a transaction does not change. */
const FINAL = "finalized";

/** From this width on the summary has space for notes in parentheses. */
const MIN_NOTES_WIDTH = 72;

/** Tabs that need the details only. */
const DETAIL_TABS: readonly (readonly [
  name: string,
  rows: (detail: Json | undefined, formatter: TransactionFormatter, unicode: boolean) => readonly TreeRow[],
])[] = [
  ["balances", balanceRows],
  ["logs", logRows],
  ["accounts", accountRows],
];

/** Returns the formatter of the transaction, memoized per answer. */
function useFormatter(detail: Resource, services: Services): TransactionFormatter {
  const { answer } = detail;
  const priceOf = useTransactionPrices(answer?.data);
  const nameOf = useNameOf();
  return useMemo(
    () =>
      createFormatter(answer?.data, fieldOf(answer?.envelope, "metadata"), relativeClock(services), {
        priceOf,
        nameOf,
      }),
    [answer, services, priceOf, nameOf],
  );
}

/** Shows a transaction. */
export function TransactionPage({ route, region }: PageProps<EntityRoute>) {
  const { services } = useExplorer();
  const params = useMemo(() => ({ tx: route.id }), [route.id]);
  const detail = useResource(DETAIL, params);
  const formatter = useFormatter(detail, services);
  const data = answerObject(detail);
  const failure = useMemo(() => failureOf(data, formatter), [data, formatter]);
  const now = useAgeTime(detail.answer);
  const status = useFollow(detail, textOf(fieldOf(data, "tx_status")) !== FINAL);
  const summary = useMemo(() => {
    if (data === undefined) return [];
    const isBrief = region.width < MIN_NOTES_WIDTH;
    const facts = transactionFacts(data, { failure, formatter, now, unicode: services.unicode, isBrief });
    const above = failureLines(failure, region.width, services.unicode);
    return [...above, ...summaryLines(facts, region.width, summaryHeight(region.height) - above.length)];
  }, [data, failure, formatter, now, services.unicode, region.width, region.height]);
  useBindings("screen", [
    { ...actionBinding("view.refresh"), label: "refresh", group: "data", hint: 40, run: detail.refresh },
  ]);
  const tabs: readonly Tab[] = [
    {
      name: "overview",
      render: (inner, part) => (
        <OverviewTab
          detail={detail}
          params={params}
          formatter={formatter}
          failure={failure}
          region={inner}
          part={part}
        />
      ),
    },
    {
      name: "instructions",
      render: (inner, part) => (
        <ResourceBody resource={detail} region={inner}>
          {(body) => (
            <TransactionPanes detail={data} formatter={formatter} region={body} part={part} request={detail.request} />
          )}
        </ResourceBody>
      ),
    },
    ...DETAIL_TABS.map(([name, rowsOf]) => ({
      name,
      render: (inner: Region, part: string): ReactNode => (
        <DetailTab detail={detail} formatter={formatter} rowsOf={rowsOf} region={inner} part={part} />
      ),
    })),
    {
      name: "cost",
      render: (inner, part) => <CostTab detail={detail} formatter={formatter} region={inner} part={part} />,
    },
    {
      name: "raw",
      render: (inner, part) => <DetailPanel endpoint={DETAIL} params={params} region={inner} part={part} />,
    },
  ];
  return <EntityLayout route={route} region={region} summary={summary} tabs={tabs} status={status} />;
}

interface DetailTabProps {
  readonly detail: Resource;
  readonly formatter: TransactionFormatter;
  readonly region: Region;
  readonly part: string;
  readonly rowsOf: (detail: Json | undefined, formatter: TransactionFormatter, unicode: boolean) => readonly TreeRow[];
}

/** A tab of rows made from the details. */
function DetailTab({ detail, formatter, region, part, rowsOf }: DetailTabProps) {
  const { services } = useExplorer();
  const { unicode } = services;
  const data = answerObject(detail);
  const rows = useMemo(() => rowsOf(data, formatter, unicode), [rowsOf, data, formatter, unicode]);
  return (
    <ResourceBody resource={detail} region={region}>
      {(inner) => <TreePanel rows={rows} region={inner} part={part} request={detail.request} />}
    </ResourceBody>
  );
}

/** The fee and the compute units, compared with current fees, which are requested when the tab is opened. */
function CostTab({ detail, formatter, region, part }: Omit<DetailTabProps, "rowsOf">) {
  const { services } = useExplorer();
  const fees = useResource(FEES, NO_PARAMS);
  const [data, current] = [answerObject(detail), answerObject(fees)];
  const { unicode } = services;
  const rows = useMemo(
    () => costRows({ detail: data, fees: current, unicode }, formatter),
    [data, current, unicode, formatter],
  );
  return (
    <ResourceBody resource={detail} region={region}>
      {(inner) => <TreePanel rows={rows} region={inner} part={part} request={detail.request} />}
    </ResourceBody>
  );
}

interface OverviewProps {
  readonly detail: Resource;
  readonly params: { readonly tx: string };
  readonly formatter: TransactionFormatter;
  readonly failure: string | undefined;
  readonly region: Region;
  readonly part: string;
}

/** The overview, made from the actions, or from the details when the actions are unavailable. */
function OverviewTab({ detail, params, formatter, failure, region, part }: OverviewProps) {
  const actions = useResource(ACTIONS, params);
  const [data, steps] = [answerObject(detail), answerObject(actions)];
  const refresh = () => {
    detail.refresh();
    actions.refresh();
  };
  useBindings("panel", [{ ...actionBinding("view.refresh"), label: "refresh", group: "data", hint: 40, run: refresh }]);
  const rows = useMemo(
    () => storyRows({ detail: data, actions: steps, failure }, formatter),
    [data, steps, failure, formatter],
  );
  // Without actions, the transfers and activities of the details are used.
  const hasNoActions = actions.problem !== undefined && actions.answer === undefined;
  const resource = detail.answer ? (hasNoActions ? { ...actions, answer: detail.answer } : actions) : detail;
  return (
    <ResourceBody resource={resource} region={region}>
      {(inner) =>
        inner.width < MIN_PANES_WIDTH ? (
          <TreePanel rows={rows} region={inner} part={part} request={actions.request} />
        ) : (
          <TransactionPanes
            detail={data}
            formatter={formatter}
            story={rows}
            region={inner}
            part={part}
            request={actions.request}
          />
        )
      }
    </ResourceBody>
  );
}
