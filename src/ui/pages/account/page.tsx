/** The page of an account: summary, portfolio and activity. */

import { useMemo } from "react";
import * as z from "zod";
import { AccountDetail, AccountMetadata } from "../../../catalogue/schemas.ts";
import type { Resource } from "../../data/hooks.ts";
import { ResourceStatus } from "../../data/status.tsx";
import { availableEntities } from "../../navigation/availability.ts";
import { type Explorer, type Region, useBindings, useExplorer, useViewState } from "../../navigation/context.ts";
import { bindAction } from "../../navigation/keys/bindings.ts";
import { keyLabelsOf } from "../../navigation/keys/key-hints.ts";
import type { Route } from "../../navigation/route.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { answerObject } from "../../widgets/cells.ts";
import { ValuePanel } from "../../widgets/detail/panel.tsx";
import { EntityLayout } from "../entity/layout.tsx";
import { useEntity } from "../entity/use-entity.ts";
import type { EntityRoute, PageProps } from "../props.ts";
import { BalanceHistory } from "./balance.tsx";
import { Funders } from "./funders.tsx";
import { Holdings, Nfts } from "./holdings.tsx";
import { ACCOUNT } from "./record.ts";
import { useEntityRedirect } from "./redirect.ts";
import { StatePanel } from "./state-panel.tsx";
import { funderOf, type OtherEntity, otherEntities, withoutRentEpoch } from "./summary.ts";
import { Transfers } from "./transfers.tsx";

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
  // The first tab requests the portfolio as well; beside another one it is not worth a request.
  const [openTab] = useViewState<string | undefined>("tab", route.tab);
  const unneeded = openTab === undefined || openTab === "portfolio" ? undefined : "portfolio";
  const page = useEntity(ACCOUNT, props, { unneeded });
  const { detail, metadata, mint } = page.answers;
  const others = otherEntities(detail, mint).filter((entity) => availableEntities(services.supports).includes(entity));
  useEntityRedirect(route, others);
  const funder = funderOf(metadata);
  const open = (entity: OtherEntity | "account", other: string): Route => ({ kind: "entity", entity, id: other });
  useBindings("screen", [
    ...OTHER_ENTITIES.map((other) =>
      bindAction(`account.${other}`, `open as ${other}`, () => navigation.open(open(other, id)), {
        hint: 5,
        active: others.includes(other),
      }),
    ),
    bindAction("account.funder", "funder", () => funder !== undefined && navigation.open(open("account", funder)), {
      hint: 60,
      active: funder !== undefined,
    }),
  ]);
  return (
    <EntityLayout
      page={page}
      above={others.length > 0 ? [otherEntitiesLine(others, explorer)] : []}
      tabs={{
        data: (tab) => <StatePanel {...tab} />,
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
