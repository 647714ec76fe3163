/** The page of an account: summary, portfolio and activity. */

import { useMemo } from "react";
import * as z from "zod";
import type { Endpoint, ParameterValues } from "../../../catalogue/index.ts";
import { AccountDetail, AccountMetadata } from "../../../catalogue/schemas.ts";
import { type Resource, useNameOf, useOptionalResource, useResource } from "../../data/hooks.ts";
import { ResourceStatus, useResourceLine } from "../../data/status.tsx";
import { availableEntities } from "../../navigation/availability.ts";
import { type Explorer, type Region, useBindings, useExplorer, useViewState } from "../../navigation/context.ts";
import { actionBinding } from "../../navigation/keys/actions.ts";
import { keyLabelsOf } from "../../navigation/keys/key-hints.ts";
import type { Route } from "../../navigation/route.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { answerObject, endpointAt, relativeClock, titleLine } from "../../widgets/cells.ts";
import { DetailPanel, ValuePanel } from "../../widgets/detail/panel.tsx";
import { ListPanel } from "../../widgets/list/panel.tsx";
import { EntityLayout, type Tab } from "../entity/layout.tsx";
import { summaryHeight, summaryLines } from "../entity/summary.ts";
import type { EntityRoute, PageProps } from "../props.ts";
import { BalanceHistory, CHANGES } from "./balance.tsx";
import { FUNDED_BY, Funders } from "./funders.tsx";
import { Holdings, NFTS, Nfts, PORTFOLIO } from "./holdings.tsx";
import { useEntityRedirect } from "./redirect.ts";
import { NODE_ACCOUNT, StatePanel } from "./state-panel.tsx";
import {
  accountFacts,
  accountLabel,
  funderOf,
  holdsState,
  isOwnedByTokenProgram,
  isStakeAccount,
  mayHoldData,
  type OtherEntity,
  otherEntities,
  withoutRentEpoch,
} from "./summary.ts";
import { TRANSFERS, Transfers } from "./transfers.tsx";

const DETAIL = endpointAt("/account/detail");
const METADATA = endpointAt("/account/metadata");
const MINT = endpointAt("/token/meta");

/** The lists of an account, by the name of the tab. */
const TABS: readonly (readonly [name: string, endpoint: Endpoint, more: ParameterValues])[] = [
  ["defi", endpointAt("/account/defi/activities"), {}],
  ["changes", CHANGES, {}],
  ["transactions", endpointAt("/account/transactions"), {}],
  ["stakes", endpointAt("/account/stake"), {}],
  ["token accounts", endpointAt("/account/token-accounts"), { type: "token" }],
];
const STAKE_REWARDS = endpointAt("/account/stake/reward");
const ENHANCED = endpointAt("/account/transactions/enhanced");
const DECODED_DATA = endpointAt("/account/data-decoded");

/** Other entities that an address can be, with a key each. */
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
export function AccountPage({ route, region }: PageProps<EntityRoute>) {
  const explorer = useExplorer();
  const { services, navigation } = explorer;
  const { id } = route;
  const params = useMemo(() => ({ address: id }), [id]);
  const [detail, metadata] = [useResource(DETAIL, params), useResource(METADATA, params)];
  const mint = useResource(MINT, params, isOwnedByTokenProgram(answerObject(detail)));
  const onChain = useOptionalResource(NODE_ACCOUNT, params);
  // The first tab requests it as well; beside another one it is not worth a request.
  const [openTab] = useViewState<string | undefined>("tab", route.tab);
  const portfolio = useOptionalResource(PORTFOLIO, params, openTab === undefined || openTab === "portfolio");
  const [state, metadataState] = [useResourceLine(detail), useResourceLine(metadata)];
  const others = otherEntities(answerObject(detail), answerObject(mint)).filter((entity) =>
    availableEntities(services.supports).includes(entity),
  );
  useEntityRedirect(route, others);
  const funder = funderOf(answerObject(metadata));
  const open = (entity: OtherEntity | "account", other: string): Route => ({ kind: "entity", entity, id: other });
  useBindings("screen", [
    ...OTHER_ENTITIES.map((other) => ({
      ...actionBinding(`account.${other}`),
      label: `open as ${other}`,
      group: "go" as const,
      hint: 5,
      active: others.includes(other),
      run: () => navigation.open(open(other, id)),
    })),
    {
      ...actionBinding("account.funder"),
      label: "funder",
      group: "go",
      hint: 60,
      active: funder !== undefined,
      run: () => funder !== undefined && navigation.open(open("account", funder)),
    },
  ]);
  const account = {
    id,
    detail: answerObject(detail),
    metadata: answerObject(metadata),
    metadataError: metadata.problem,
    mint: answerObject(mint),
    onChain: answerObject(onChain),
    portfolio: answerObject(portfolio),
    nameOf: useNameOf(),
  };
  const clock = relativeClock(services);
  const problem = state ?? (metadata.problem?.exit === "permission" ? undefined : metadataState);
  const notes: readonly TextLine[] = [
    titleLine(accountLabel(account.metadata, clock), id, region.width),
    ...(others.length > 0 ? [otherEntitiesLine(others, explorer)] : []),
    ...(problem ? [problem] : []),
  ];
  const space = summaryHeight(region.height) - notes.length;
  const summary = [...notes, ...summaryLines(accountFacts(account, clock), region.width, space)];
  const tabs = useMemo(() => listTabs(id), [id]);
  const data: Tab = {
    name: "data",
    endpoint: NODE_ACCOUNT,
    active: holdsState(account.onChain),
    render: (inner, part) => <StatePanel id={id} region={inner} part={part} />,
  };
  const rewards: Tab = {
    name: "rewards",
    active: isStakeAccount(answerObject(detail)),
    endpoint: STAKE_REWARDS,
    render: (inner, part) => <ListPanel endpoint={STAKE_REWARDS} params={params} region={inner} part={part} />,
  };
  const balance: Tab = {
    name: "balance",
    endpoint: CHANGES,
    render: (inner, part) => <BalanceHistory id={id} region={inner} part={part} />,
  };
  const about: Tab = {
    name: "about",
    render: (inner, part) => <AboutPanel detail={detail} metadata={metadata} region={inner} part={part} />,
  };
  const decoded: Tab = {
    name: "decoded",
    active: mayHoldData(answerObject(detail)) && !holdsState(account.onChain),
    endpoint: DECODED_DATA,
    render: (inner, part) => <DetailPanel endpoint={DECODED_DATA} params={params} region={inner} part={part} />,
  };
  const more: readonly Tab[] = [
    { name: "funders", endpoint: FUNDED_BY, render: (inner, part) => <Funders id={id} region={inner} part={part} /> },
    {
      name: "enhanced",
      endpoint: ENHANCED,
      render: (inner, part) => <ListPanel endpoint={ENHANCED} params={params} region={inner} part={part} />,
    },
  ];
  return (
    <EntityLayout
      route={route}
      region={region}
      summary={summary}
      tabs={[data, rewards, ...tabs, balance, about, ...more, decoded]}
    />
  );
}

/** Returns the line with the other entities of the address and their keys. */
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

function listTabs(id: string): readonly Tab[] {
  return [
    {
      name: "portfolio",
      endpoint: PORTFOLIO,
      render: (region, part) => <Holdings id={id} region={region} part={part} />,
    },
    {
      name: "transfers",
      endpoint: TRANSFERS,
      render: (region, part) => <Transfers id={id} region={region} part={part} />,
    },
    ...TABS.map(
      ([name, endpoint, more]): Tab => ({
        name,
        endpoint,
        render: (region, part) => (
          <ListPanel endpoint={endpoint} params={{ address: id, ...more }} region={region} part={part} />
        ),
      }),
    ),
    { name: "nfts", endpoint: NFTS, render: (region, part) => <Nfts id={id} region={region} part={part} /> },
  ];
}

interface AboutProps {
  readonly detail: Resource;
  readonly metadata: Resource;
  readonly region: Region;
  readonly part: string;
}

/** All data about the account itself, from both endpoints. */
function AboutPanel({ detail, metadata, region, part }: AboutProps) {
  const [chain, names] = [answerObject(detail), answerObject(metadata)];
  const value = useMemo(() => {
    const { account_address: _address, ...rest } = names ?? {};
    return { ...withoutRentEpoch(chain ?? {}), ...rest };
  }, [chain, names]);
  if (!chain && !names) return <ResourceStatus resource={detail} region={region} />;
  return <ValuePanel value={value} entity={AboutAccount} request={detail.request} region={region} part={part} />;
}
