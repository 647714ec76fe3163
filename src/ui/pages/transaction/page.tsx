/** The page of a transaction: its story beside its instructions, balances, logs and accounts. */
import { Box } from "ink";
import { type ReactNode, useMemo, useState } from "react";
import { countOf, DAY_SECONDS, fieldOf, type Json, listOf, textOf, toNumber } from "../../../base/index.ts";
import { NATIVE_SOL, WRAPPED_SOL, wrapSol } from "../../../catalogue/index.ts";
import { useAgeTime, useOptionalResource } from "../../data/hooks.ts";
import { useFollow } from "../../data/live.ts";
import { canPrefetch } from "../../data/quota.ts";
import { ResourceStatus, useResourceLine } from "../../data/status.tsx";
import { Lines } from "../../frame/lines.tsx";
import { type Region, useBindings, useExplorer } from "../../navigation/context.ts";
import type { QueryState } from "../../navigation/data-store.ts";
import { bindAction } from "../../navigation/keys/bindings.ts";
import { answerObject, endpointAt } from "../../widgets/cells.ts";
import { TreePanel } from "../../widgets/tree/panel.tsx";
import type { TreeRow } from "../../widgets/tree/rows.ts";
import { summaryHeight, summaryLines } from "../entity/header.ts";
import { EntityLayout, type EntityPage, useEntity } from "../entity/layout.tsx";
import { type TabRecord, tabRequest } from "../entity/record.ts";
import type { EntityRoute, PageProps, TabProps } from "../props.ts";
import { attemptedTransfers } from "./flow.ts";
import { createFormatter, isDollar, type PriceOf, type TransactionFormatter } from "./formatter.ts";
import { InstructionPanel } from "./instruction-panel.tsx";
import { TRANSACTION } from "./record.ts";

/** The commitment after which a transaction does not change. */
const FINAL = "finalized";

interface LoadedTransaction extends EntityPage<"detail", string> {
  readonly formatter: TransactionFormatter;
}

/** Shows a transaction. */
export function TransactionPage(props: PageProps<EntityRoute>) {
  const { region } = props;
  const entity = useEntity(TRANSACTION, props);
  const { clock, nameOf, unicode } = entity;
  const { detail } = entity.states;
  const { answer } = detail;
  const priceOf = useTransactionPrices(answer?.data);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time of the answer is the clock of its ages.
  const formatter = useMemo(
    () => createFormatter(answer?.data, fieldOf(answer?.envelope, "metadata"), clock, { priceOf, nameOf }),
    [answer, priceOf, nameOf],
  );
  const page = { ...entity, formatter };
  const data = page.answers.detail;
  const now = useAgeTime(answer);
  const status = useFollow(detail, textOf(fieldOf(data, "tx_status")) !== FINAL);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the page knows changes with these.
  const header = useMemo(() => {
    if (data === undefined) return [];
    const view = { ...page, clock: { ...clock, now } };
    const failure = TRANSACTION.notes?.(view) ?? [];
    const space = summaryHeight(region.height) - failure.length;
    return [...failure, ...summaryLines(TRANSACTION.facts(view), region.width, space)];
  }, [data, formatter, now, unicode, region.width, region.height]);
  useBindings("screen", [bindAction("view.refresh", "refresh", detail.refresh, { hint: 40 })]);
  const rowsTab = (name: string) => (tab: TabProps) => <RowsTab name={name} page={page} {...tab} />;
  return (
    <EntityLayout
      page={page}
      header={header}
      status={status}
      tabs={{
        overview: (tab) => <OverviewTab page={page} {...tab} />,
        instructions: (tab) => (
          <ResourceBody resource={detail} region={tab.region}>
            {(region) => (
              <InstructionPanel detail={data} formatter={formatter} {...tab} region={region} request={detail.request} />
            )}
          </ResourceBody>
        ),
        balances: rowsTab("balances"),
        logs: rowsTab("logs"),
        accounts: rowsTab("accounts"),
        cost: rowsTab("cost"),
      }}
    />
  );
}

interface ResourceBodyProps {
  readonly resource: QueryState;
  readonly region: Region;
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

interface TransactionTabProps extends TabProps {
  readonly page: LoadedTransaction;
}

/** Returns the rows of a tab, and the request for what is in them beside the details. */
function useTabRows(page: LoadedTransaction, name: string) {
  const tab = TRANSACTION.tabs.find((one) => one.name === name);
  const { detail } = page.states;
  const { endpoint, params } = tab ? tabRequest(tab as TabRecord, page.id, page.answers) : detail.request;
  // Some parameters are in the details.
  const isOwn = endpoint !== detail.request.endpoint && (!tab?.params || detail.answer !== undefined);
  const own = useOptionalResource(endpoint, params, isOwn);
  const answer = answerObject(own);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the page knows changes with these.
  const rows = useMemo(
    (): readonly TreeRow[] => tab?.rows?.(page, answer) ?? [],
    [tab, page.answers.detail, page.formatter, page.unicode, answer],
  );
  return { rows, own };
}

function RowsTab({ page, name, region, part }: TransactionTabProps & { readonly name: string }) {
  const { rows } = useTabRows(page, name);
  const { detail } = page.states;
  return (
    <ResourceBody resource={detail} region={region}>
      {(inner) => <TreePanel rows={rows} region={inner} part={part} request={detail.request} />}
    </ResourceBody>
  );
}

/** The overview, made from the actions, or from the details when the actions are unavailable. */
function OverviewTab({ page, region, part }: TransactionTabProps) {
  const { rows, own: actions } = useTabRows(page, "overview");
  const { detail } = page.states;
  const refresh = () => {
    detail.refresh();
    actions.refresh();
  };
  useBindings("panel", [bindAction("view.refresh", "refresh", refresh, { hint: 40 })]);
  // Without actions, the transfers and activities of the details are used.
  const hasNoActions = actions.problem !== undefined && actions.answer === undefined;
  const resource = detail.answer ? (hasNoActions ? { ...actions, answer: detail.answer } : actions) : detail;
  return (
    <ResourceBody resource={resource} region={region}>
      {(inner) => <TreePanel rows={rows} region={inner} part={part} request={actions.request} />}
    </ResourceBody>
  );
}

const PRICES = endpointAt("/token/price/multi");
/** Tokens of a request; the rest is of no importance for the story. */
const MAX_TOKENS = 20;

/** Returns the tokens whose prices a transaction needs: none where only dollars move. */
function pricedTokens(detail: Json | undefined): readonly string[] {
  const attempted = attemptedTransfers(detail).map((transfer) => fieldOf(transfer, "token_address"));
  const mints = [...listOf(fieldOf(detail, "tokens_involved")), ...attempted]
    .map(textOf)
    .filter((mint) => mint !== undefined && !isDollar(mint))
    .map((mint) => wrapSol(mint ?? NATIVE_SOL));
  // The fee is in SOL.
  return mints.length === 0 ? [] : [...new Set([WRAPPED_SOL, ...mints])].slice(0, MAX_TOKENS);
}

/** Returns the prices in an answer: the latest of each token up to the day. */
export function priceLookup(series: readonly Json[]): PriceOf {
  const prices = new Map(
    series.map((one) => {
      const latest = listOf(fieldOf(one, "prices")).at(-1);
      return [textOf(fieldOf(one, "token_address")), toNumber(fieldOf(latest, "price"))] as const;
    }),
  );
  return (mint) => prices.get(wrapSol(mint)) ?? (isDollar(mint) ? 1 : undefined);
}

/** Returns the day of a time in Unix seconds as the number YYYYMMDD. */
const dayNumber = (seconds: number) => Number(new Date(seconds * 1000).toISOString().slice(0, 10).replaceAll("-", ""));

const NO_SERIES: readonly Json[] = [];

/** Returns the prices of the tokens on the day of a transaction: one request for all of them, while units are ample. */
function useTransactionPrices(detail: Json | undefined): PriceOf {
  const { data } = useExplorer();
  const [isAmple] = useState(() => canPrefetch(data.quota()));
  const time = countOf(fieldOf(detail, "block_time"));
  const tokens = useMemo(() => pricedTokens(detail), [detail]);
  const params = {
    address: tokens,
    // The price of the day itself may be missing.
    ...(time !== undefined && { from_time: dayNumber(time - DAY_SECONDS), to_time: dayNumber(time) }),
  };
  const { answer } = useOptionalResource(PRICES, params, isAmple && time !== undefined && tokens.length > 0);
  const series = answer?.rows ?? NO_SERIES;
  return useMemo(() => priceLookup(series), [series]);
}
