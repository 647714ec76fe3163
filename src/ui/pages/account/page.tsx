/** Account: who it is, what it holds, what happened to it. */

import { useMemo } from "react";
import * as z from "zod";
import type { Endpoint } from "../../../catalogue/endpoint.ts";
import { AccountDetail, AccountMetadata } from "../../../catalogue/entities/account.ts";
import type { ParameterValues } from "../../../catalogue/index.ts";
import { type Explorer, type Region, useBindings, useExplorer } from "../../app/context.ts";
import { actionBinding } from "../../app/keys/actions.ts";
import { keyLabelsOf } from "../../app/keys/key-hints.ts";
import type { Route } from "../../app/route.ts";
import { span, type TextLine } from "../../app/theme/text-line.ts";
import { type Resource, useResource } from "../../data/hooks.ts";
import { ResourceStatus, useResourceLine } from "../../data/status.tsx";
import { answerObject, endpointAt, relativeClock, titleLine } from "../../widgets/cells.ts";
import { DetailPanel, ValuePanel } from "../../widgets/detail/panel.tsx";
import { ListPanel } from "../../widgets/list/panel.tsx";
import { type Tab, ThingFrame } from "../entity/layout.tsx";
import { summaryHeight, summaryLines } from "../entity/summary.ts";
import type { ScreenProps, ThingPlace } from "../props.ts";
import { Holdings } from "./holdings.tsx";
import { useRather } from "./redirect.ts";
import { accountFacts, funderOf, hasData, isOfTokens, labelOf, type Other, othersOf } from "./summary.ts";

const DETAIL = endpointAt("/account/detail");
const METADATA = endpointAt("/account/metadata");
const MINT = endpointAt("/token/meta");

/** The lists of an account, by the name of the tab. */
const LISTS: readonly (readonly [name: string, endpoint: Endpoint, more: ParameterValues, noun?: string])[] = [
  ["transfers", endpointAt("/account/transfer"), {}],
  ["defi", endpointAt("/account/defi/activities"), {}],
  ["changes", endpointAt("/account/balance_change"), {}],
  ["transactions", endpointAt("/account/transactions"), {}],
  ["stakes", endpointAt("/account/stake"), {}],
  ["token accounts", endpointAt("/account/token-accounts"), { type: "token" }],
  ["nfts", endpointAt("/account/token-accounts"), { type: "nft" }, "NFTs"],
];
const DECODED = endpointAt("/account/data-decoded");

/** The keys that open an address as what else it is. */
const OTHERS: readonly Other[] = ["token", "program", "market"];

/** The account with what is known of it: names first. */
const { account, ...detailShape } = AccountDetail.shape;
const { account_address: _, account_label, account_domain, account_tags, ...restShape } = AccountMetadata.shape;
const About = z.looseObject({ account, account_label, account_domain, account_tags, ...detailShape, ...restShape });

export function AccountScreen({ place, region }: ScreenProps<ThingPlace>) {
  const explorer = useExplorer();
  const { services, navigation } = explorer;
  const { id } = place;
  const params = useMemo(() => ({ address: id }), [id]);
  const [detail, metadata] = [useResource(DETAIL, params), useResource(METADATA, params)];
  const mint = useResource(MINT, params, isOfTokens(answerObject(detail)));
  const [state, metadataState] = [useResourceLine(detail), useResourceLine(metadata)];
  const others = othersOf(answerObject(detail), answerObject(mint));
  useRather(place, others);
  const funder = funderOf(answerObject(metadata));
  const open = (thing: Other | "account", other: string): Route => ({ kind: "entity", entity: thing, id: other });
  useBindings("screen", [
    ...OTHERS.map((other) => ({
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
  const known = {
    id,
    detail: answerObject(detail),
    metadata: answerObject(metadata),
    noMetadata: metadata.problem,
    mint: answerObject(mint),
  };
  const clock = relativeClock(services);
  const problem = state ?? (metadata.problem?.exit === "permission" ? undefined : metadataState);
  const notes: readonly TextLine[] = [
    titleLine(labelOf(known.metadata, clock), id, region.width),
    ...(others.length > 0 ? [offer(others, explorer)] : []),
    ...(problem ? [problem] : []),
  ];
  const room = summaryHeight(region.height) - notes.length;
  const summary = [...notes, ...summaryLines(accountFacts(known, clock), region.width, room)];
  const tabs = useMemo(() => tabsOf(id), [id]);
  const about: Tab = {
    name: "about",
    render: (own, part) => <AboutPanel detail={detail} metadata={metadata} region={own} part={part} />,
  };
  const decoded: Tab = {
    name: "decoded",
    active: hasData(answerObject(detail)),
    render: (own, part) => <DetailPanel endpoint={DECODED} params={params} region={own} part={part} />,
  };
  return <ThingFrame place={place} region={region} summary={summary} tabs={[...tabs, about, decoded]} />;
}

/** What else the address is, and the key that opens it so. */
function offer(others: readonly Other[], explorer: Explorer): TextLine {
  const keyOf = keyLabelsOf(explorer);
  return others.flatMap((other, at): TextLine => {
    const what = other === "token" ? "the mint of a token" : `a ${other === "market" ? "pool" : other}`;
    const key = keyOf(`account.${other}`);
    return [
      span(`${at === 0 ? "This is" : ", and"} ${what}`, "warning"),
      ...(key === undefined
        ? []
        : [span(": ", "warning"), span(key, "hotkey"), span(` opens it as a ${other}`, "warning")]),
    ];
  });
}

function tabsOf(id: string): readonly Tab[] {
  return [
    { name: "portfolio", render: (region, part) => <Holdings id={id} region={region} part={part} /> },
    ...LISTS.map(
      ([name, endpoint, more, noun]): Tab => ({
        name,
        render: (region, part) => (
          <ListPanel endpoint={endpoint} params={{ address: id, ...more }} noun={noun} region={region} part={part} />
        ),
      }),
    ),
  ];
}

interface AboutProps {
  readonly detail: Resource;
  readonly metadata: Resource;
  readonly region: Region;
  readonly part: string;
}

/** All that is told of the account itself, from both endpoints. */
function AboutPanel({ detail, metadata, region, part }: AboutProps) {
  const [chain, names] = [answerObject(detail), answerObject(metadata)];
  const value = useMemo(() => {
    const { account_address: _address, ...rest } = names ?? {};
    return { ...chain, ...rest };
  }, [chain, names]);
  if (!chain && !names) return <ResourceStatus resource={detail} region={region} />;
  return <ValuePanel value={value} entity={About} request={detail.request} region={region} part={part} />;
}
