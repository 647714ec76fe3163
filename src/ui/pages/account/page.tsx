/** The page of an account: summary, portfolio and activity. */

import { useEffect, useMemo } from "react";
import * as z from "zod";
import { groupThousands, type JsonObject, toNumber } from "../../../base/index.ts";
import { AccountDetail, AccountMetadata } from "../../../catalogue/schemas.ts";
import { type Resource, useResource } from "../../data/hooks.ts";
import { ResourceStatus } from "../../data/status.tsx";
import { availableEntities } from "../../navigation/availability.ts";
import { type Explorer, useBindings, useExplorer, useHistoryEntry, useViewState } from "../../navigation/context.ts";
import type { QueryState } from "../../navigation/data-store.ts";
import { bindAction } from "../../navigation/keys/bindings.ts";
import { keyLabelsOf } from "../../navigation/keys/key-hints.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { answerObject, endpointAt } from "../../widgets/cells.ts";
import { ValuePanel } from "../../widgets/detail/panel.tsx";
import { EntityLayout, useEntity } from "../entity/layout.tsx";
import { HeadedList } from "../entity/panels.tsx";
import type { EntityRoute, PageProps, TabProps } from "../props.ts";
import { BalanceHistory } from "./balance.tsx";
import { AccountData } from "./data.tsx";
import { Funders } from "./funders.tsx";
import { Holdings, Nfts } from "./holdings.tsx";
import { ACCOUNT, funderOf, type OtherEntity, otherEntities, TRANSFERS } from "./record.ts";

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
      above={others.length > 0 ? [otherEntitiesLine(others, explorer)] : []}
      tabs={{
        data: (tab) => <AccountData {...tab} />,
        portfolio: (tab) => <Holdings {...tab} />,
        transfers: (tab) => <Transfers {...tab} />,
        nfts: (tab) => <Nfts {...tab} />,
        balance: (tab) => <BalanceHistory {...tab} />,
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

const TOTAL = endpointAt("/account/transfer/total");
/** The API does not count further. */
const MAX_TOTAL = 10_000_000;

/** Returns the line with the number of transfers; undefined where the server does not count them. */
function totalLine({ answer, problem }: QueryState): TextLine | undefined {
  const total = answer && toNumber(answer.data);
  if (total === undefined) return answer || problem ? undefined : [span("counting transfers …", "note")];
  if (total === 0) return [span("no transfers in the last three weeks", "note")];
  const count = `${total >= MAX_TOTAL ? "at least " : ""}${groupThousands(total)}`;
  return [span(count), span(` ${total === 1 ? "transfer" : "transfers"} in the last three weeks`, "note")];
}

function Transfers({ id, region, part }: TabProps) {
  const params = { address: id };
  const { services } = useExplorer();
  // Counting a walk would read every transaction of the account.
  const isCounted = !services.source.supports(TRANSFERS).isWalk;
  const total = useResource(TOTAL, params, isCounted);
  const line = isCounted ? totalLine(total) : undefined;
  return <HeadedList lines={line ? [line] : []} endpoint={TRANSFERS} params={params} region={region} part={part} />;
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
