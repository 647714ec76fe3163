/** The page of an account: summary, portfolio and activity. */

import { useEffect, useMemo } from "react";
import * as z from "zod";
import { isObject, type JsonObject, pluralize, toNumber } from "../../../base/index.ts";
import { AccountDetail, AccountFunding, AccountMetadata, deriveShape } from "../../../catalogue/schemas.ts";
import type { Cell } from "../../../output/index.ts";
import { type Resource, useResource } from "../../data/hooks.ts";
import { ResourceStatus } from "../../data/status.tsx";
import { availableEntities } from "../../navigation/availability.ts";
import { type Explorer, useBindings, useExplorer, useHistoryEntry, useViewState } from "../../navigation/context.ts";
import type { QueryState } from "../../navigation/data-store.ts";
import { bindAction, keyLabelsOf } from "../../navigation/keys/bindings.ts";
import { routeForValue } from "../../navigation/route.ts";
import { span, type TextLine, textLine } from "../../navigation/theme/text-line.ts";
import { answerObject, formatField, relativeClock } from "../../widgets/cells.ts";
import { ValuePanel } from "../../widgets/detail/panel.tsx";
import { TablePanel } from "../../widgets/table/panel.tsx";
import type { RowIdentity } from "../../widgets/table/use-table.ts";
import { EntityLayout, useEntity } from "../entity/layout.tsx";
import { FlowTab } from "../flow/tab.tsx";
import type { EntityRoute, PageProps, TabProps } from "../props.ts";
import { BalanceHistory } from "./balance.tsx";
import { AccountData } from "./data.tsx";
import { Holdings, Nfts, Positions } from "./holdings.tsx";
import { ACCOUNT, FUNDED_BY, funderOf, type OtherEntity, otherEntities } from "./record.ts";
import { Counterparties, Transfers } from "./transfers.tsx";

const OTHER_ENTITIES: readonly OtherEntity[] = ["token", "program", "market"];

/** The details and the metadata of an account in one object, names first. */
const { account, ...detailShape } = AccountDetail.shape;
const { account_address: _, account_label, account_domain, account_tags, ...restShape } = AccountMetadata.shape;
const AboutAccount = z.looseObject({
  account,
  account_label,
  account_domain,
  account_tags,
  ...detailShape,
  rent_epoch: detailShape.rent_epoch.optional(),
  ...restShape,
});

/** Shows an account. */
export function AccountPage(props: PageProps<EntityRoute>) {
  const { route } = props;
  const { id } = route;
  const explorer = useExplorer();
  const { services, navigation } = explorer;
  const open = (entity: OtherEntity | "account", other: string) =>
    navigation.open({ kind: "entity", entity, id: other });
  // The first tab requests the portfolio as well; beside another one it is not worth a request.
  const [openTab] = useViewState<string | undefined>("tab", route.tab);
  const unneeded = openTab === undefined || openTab === "portfolio" ? undefined : "portfolio";
  const page = useEntity(ACCOUNT, props, { unneeded });
  const { detail, metadata, mint } = page.answers;
  const others = otherEntities(detail, mint).filter((entity) => availableEntities(services.supports).includes(entity));
  useEntityRedirect(route, others);
  const funder = funderOf(metadata);
  useBindings("screen", [
    ...OTHER_ENTITIES.map((other) =>
      bindAction(`account.${other}`, `open as ${other}`, () => open(other, id), {
        hint: 5,
        active: others.includes(other),
      }),
    ),
    bindAction("account.funder", "funder", () => open("account", funder ?? id), {
      hint: 60,
      active: funder !== undefined,
    }),
  ]);
  return (
    <EntityLayout
      page={page}
      // The graph needs the space of the facts.
      header={openTab === "flow" ? [ACCOUNT.title?.(page) ?? []] : undefined}
      above={others.length > 0 ? [otherEntitiesLine(others, explorer)] : []}
      tabs={{
        data: (tab) => <AccountData {...tab} />,
        portfolio: (tab) => <Holdings {...tab} />,
        transfers: (tab) => <Transfers {...tab} />,
        flow: (tab) => <FlowTab key={tab.id} {...tab} />,
        balance: (tab) => <BalanceHistory {...tab} lamports={detail?.lamports} />,
        counterparties: (tab) => <Counterparties {...tab} />,
        positions: (tab) => <Positions {...tab} />,
        nfts: (tab) => <Nfts {...tab} />,
        about: (tab) => <AboutPanel {...page.states} {...tab} />,
        funders: (tab) => <Funders {...tab} />,
      }}
    />
  );
}

function otherEntitiesLine(others: readonly OtherEntity[], explorer: Explorer): TextLine {
  const keyOf = keyLabelsOf(explorer);
  return others.flatMap((other, at): TextLine => {
    const description = other === "token" ? "a token mint" : `a ${other === "market" ? "pool" : other}`;
    const key = keyOf(`account.${other}`);
    return [
      span(`${at === 0 ? "This is" : ", and"} ${description}`, "warning"),
      ...(key === undefined ? [] : [span(": ", "warning"), span(key, "hotkey"), span(` open as ${other}`, "warning")]),
    ];
  });
}

interface AboutProps extends TabProps {
  readonly detail: Resource;
  readonly metadata: Resource;
}

function AboutPanel({ detail, metadata, region, part }: AboutProps) {
  const [chain, names] = [answerObject(detail), answerObject(metadata)];
  const value = useMemo(() => {
    const { account_address: _address, ...rest } = names ?? {};
    return { ...withoutRentEpoch(chain ?? {}), ...rest };
  }, [chain, names]);
  if (!chain && !names) return <ResourceStatus resource={detail} region={region} />;
  return <ValuePanel value={value} entity={AboutAccount} request={detail.request} region={region} part={part} />;
}

/** The epoch of the next rent of accounts that never pay one: the maximum, which the API rounds up, or 0. */
const NO_RENT = 2 ** 64;

/** Returns the fields of an account without an epoch of the next rent that there will never be. */
function withoutRentEpoch(account: JsonObject): JsonObject {
  const { rent_epoch: epoch, ...rest } = account;
  const number = toNumber(epoch);
  return number === undefined || number === 0 || number >= NO_RENT ? rest : account;
}

/** Replaces the page of an account by that of its token or program, unless a tab of the account was requested. */
function useEntityRedirect({ id, tab }: EntityRoute, others: readonly OtherEntity[]): void {
  const { navigation } = useExplorer();
  const entry = useHistoryEntry().id;
  const [openTab] = useViewState<string | undefined>("tab", tab);
  const target = others.find((other) => other !== "market");
  useEffect(() => {
    if (target === undefined || openTab !== undefined || navigation.current().id !== entry) return;
    navigation.replace({ kind: "entity", entity: target, id });
  }, [target, openTab, navigation, entry, id]);
}

/** Fundings that are followed; each costs a request. */
const MAX_FUNDERS = 8;
const IDENTITY: RowIdentity = { shape: deriveShape(AccountFunding), idOf: ({ address }) => String(address) };

/** The field of a row with the number of fundings between the account and the funder. */
const LEVEL = "level";

/** Why a chain of funders ends, as it is said after their number. */
const ENDS = {
  loading: "loading the next one …",
  failed: "the next one could not be loaded",
  unknown: "nothing is known of the funding before",
  cycle: "the last one was funded by this chain itself",
  limit: "open the last one to go further back",
} as const;

/** The fundings that lead to an account, the latest first. */
interface FundingChain {
  readonly rows: readonly JsonObject[];
  readonly end: keyof typeof ENDS;
}

/** Returns the chain of the answers for an account, its funder, the funder's funder, and so on. */
function fundingChain(id: string, answers: readonly QueryState[]): FundingChain {
  const [rows, seen]: [JsonObject[], Set<unknown>] = [[], new Set([id])];
  for (const { answer, problem } of answers) {
    const [funding] = answer?.rows ?? [];
    if (!isObject(funding) || typeof funding.funded_by !== "string") {
      return { rows, end: answer ? "unknown" : problem ? "failed" : "loading" };
    }
    rows.push({ [LEVEL]: rows.length + 1, ...funding });
    if (seen.has(funding.funded_by)) return { rows, end: "cycle" };
    seen.add(funding.funded_by);
  }
  return { rows, end: "limit" };
}

/** Requests the funder of an account, then the funder's funder, up to a limit. */
function useFunders(id: string): { readonly chain: FundingChain; readonly resources: readonly Resource[] } {
  const resources: Resource[] = [];
  for (let level = 0; level < MAX_FUNDERS; level += 1) {
    const { rows, end } = fundingChain(id, resources);
    const funder = level === 0 ? id : rows.at(-1)?.funded_by;
    const isNext = end === "limit" && typeof funder === "string";
    // biome-ignore lint/correctness/useHookAtTopLevel: the number of levels is constant.
    const resource = useResource(FUNDED_BY, { address: [isNext ? funder : id] }, isNext);
    if (isNext) resources.push(resource);
  }
  return { chain: fundingChain(id, resources), resources };
}

function Funders({ id, region, part }: TabProps) {
  const { services, data } = useExplorer();
  const { chain, resources } = useFunders(id);
  const key = JSON.stringify(chain.rows);
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are compared by value.
  const rows = useMemo(() => chain.rows, [key]);
  const columns = useMemo(() => {
    const clock = relativeClock(services);
    const field = (name: string) => (row: JsonObject) => formatField(AccountFunding, row, name, clock);
    const name = (row: JsonObject): Cell => ({ text: data.nameOf(String(row.funded_by)) ?? "", elastic: true });
    const hasNames = rows.some((row) => name(row).text !== "");
    return [
      { head: "#", path: LEVEL, cell: (row: JsonObject): Cell => ({ text: String(row[LEVEL]), numeric: true }) },
      { head: "funder", path: "funded_by", cell: field("funded_by") },
      ...(hasNames ? [{ head: "name", path: "funded_by", cell: name, minWidth: 8 }] : []),
      { head: "funded", path: "address", cell: field("address") },
      { head: "time", path: "block_time", cell: field("block_time") },
      { head: "transaction", path: "tx_hash", cell: field("tx_hash") },
    ];
  }, [services, data, rows]);
  const [first] = resources;
  if (!first?.answer) return first ? <ResourceStatus resource={first} region={region} /> : null;
  return (
    <TablePanel
      source={{
        resource: resources.at(-1) ?? first,
        rows,
        columns,
        identity: IDENTITY,
        empty: "The first funding of this account is unknown.",
        target: (row) => routeForValue(row?.funded_by, "address", "address"),
        cell: (row) => (row ? { field: "funded_by", value: row.funded_by ?? null, kind: "address" } : undefined),
      }}
      region={region}
      part={part}
      active
      top={() => [
        textLine(
          `${pluralize(rows.length, "funder")} · ${ENDS[chain.end]}`,
          chain.end === "failed" ? "warning" : "note",
        ),
      ]}
    />
  );
}
