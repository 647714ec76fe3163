/** The page of a transaction: its story beside its instructions, balances, logs and accounts. */

import { Box } from "ink";
import { type ReactNode, useMemo } from "react";
import { fieldOf, type JsonObject, textOf } from "../../../base/index.ts";
import { useFollow } from "../../data/follow.ts";
import { type Resource, useAgeTime, useNameOf, useResource } from "../../data/hooks.ts";
import { ResourceStatus, useResourceLine } from "../../data/status.tsx";
import { Lines } from "../../frame/lines.tsx";
import { type Region, useBindings, useExplorer } from "../../navigation/context.ts";
import type { QueryState } from "../../navigation/data-store.ts";
import { bindAction } from "../../navigation/keys/bindings.ts";
import type { Services } from "../../navigation/services.ts";
import { answerObject, relativeClock } from "../../widgets/cells.ts";
import { TreePanel } from "../../widgets/tree/panel.tsx";
import { EntityLayout, type TabProps } from "../entity/layout.tsx";
import { summaryHeight, summaryLines } from "../entity/summary.ts";
import { useEntity } from "../entity/use-entity.ts";
import type { EntityRoute, PageProps } from "../props.ts";
import { failureOf } from "./failure.ts";
import { createFormatter, type TransactionFormatter } from "./formatter.ts";
import { MIN_PANES_WIDTH } from "./pane-layout.ts";
import { TransactionPanes } from "./panes.tsx";
import { useTransactionPrices } from "./prices.ts";
import { ACTIONS, FEES, TRANSACTION, TRANSACTION_ROWS, type TransactionRows } from "./record.ts";
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

const NO_PARAMS = {};

/** The commitment after which a transaction does not change. */
const FINAL = "finalized";

/** From this width on the summary has space for notes in parentheses. */
const MIN_NOTES_WIDTH = 72;

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
export function TransactionPage(props: PageProps<EntityRoute>) {
  const { services } = useExplorer();
  const page = useEntity(TRANSACTION, props);
  const { region } = props;
  const { detail } = page.states;
  const data = page.answers.detail;
  const formatter = useFormatter(detail, services);
  const failure = useMemo(() => failureOf(data, formatter), [data, formatter]);
  const now = useAgeTime(detail.answer);
  const status = useFollow(detail, textOf(fieldOf(data, "tx_status")) !== FINAL);
  const header = useMemo(() => {
    if (data === undefined) return [];
    const isBrief = region.width < MIN_NOTES_WIDTH;
    const facts = transactionFacts(data, { failure, formatter, now, unicode: services.unicode, isBrief });
    const above = failureLines(failure, region.width, services.unicode);
    return [...above, ...summaryLines(facts, region.width, summaryHeight(region.height) - above.length)];
  }, [data, failure, formatter, now, services.unicode, region.width, region.height]);
  useBindings("screen", [bindAction("view.refresh", "refresh", detail.refresh, { hint: 40 })]);
  const about = { detail, formatter };
  return (
    <EntityLayout
      page={page}
      header={header}
      status={status}
      tabs={{
        overview: (tab) => <OverviewTab {...about} {...tab} />,
        instructions: ({ region: inner, part }) => (
          <ResourceBody resource={detail} region={inner}>
            {(body) => (
              <TransactionPanes
                detail={data}
                formatter={formatter}
                region={body}
                part={part}
                request={detail.request}
              />
            )}
          </ResourceBody>
        ),
        balances: (tab) => <RowsTab {...about} rowsOf={TRANSACTION_ROWS.balances} {...tab} />,
        logs: (tab) => <RowsTab {...about} rowsOf={TRANSACTION_ROWS.logs} {...tab} />,
        accounts: (tab) => <RowsTab {...about} rowsOf={TRANSACTION_ROWS.accounts} {...tab} />,
        cost: (tab) => <CostTab {...about} {...tab} />,
      }}
    />
  );
}

interface TransactionTabProps extends TabProps {
  readonly detail: Resource;
  readonly formatter: TransactionFormatter;
}

interface RowsTabProps extends TransactionTabProps {
  readonly rowsOf: TransactionRows;
  /** What the endpoint of the tab answered. */
  readonly own?: JsonObject | undefined;
}

/** A tab of rows. */
function RowsTab({ detail, formatter, region, part, rowsOf, own }: RowsTabProps) {
  const { unicode } = useExplorer().services;
  const data = answerObject(detail);
  const rows = useMemo(() => rowsOf(data, formatter, { own, unicode }), [rowsOf, data, formatter, own, unicode]);
  return (
    <ResourceBody resource={detail} region={region}>
      {(inner) => <TreePanel rows={rows} region={inner} part={part} request={detail.request} />}
    </ResourceBody>
  );
}

/** The fee and the compute units, compared with current fees, which are requested when the tab is opened. */
function CostTab(props: TransactionTabProps) {
  const fees = useResource(FEES, NO_PARAMS);
  return <RowsTab {...props} rowsOf={TRANSACTION_ROWS.cost} own={answerObject(fees)} />;
}

/** The overview, made from the actions, or from the details when the actions are unavailable. */
function OverviewTab({ id, detail, formatter, region, part }: TransactionTabProps) {
  const { unicode } = useExplorer().services;
  const actions = useResource(ACTIONS, { tx: id });
  const [data, own] = [answerObject(detail), answerObject(actions)];
  const refresh = () => {
    detail.refresh();
    actions.refresh();
  };
  useBindings("panel", [bindAction("view.refresh", "refresh", refresh, { hint: 40 })]);
  const rows = useMemo(
    () => TRANSACTION_ROWS.overview(data, formatter, { own, unicode }),
    [data, own, formatter, unicode],
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
