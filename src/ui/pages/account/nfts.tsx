/** The NFTs of an account, by their names. */
import { useEffect, useMemo, useSyncExternalStore } from "react";
import type { Column } from "../../../catalogue/index.ts";
import { type Region, useExplorer } from "../../app/context.ts";
import { endpointAt } from "../../widgets/cells.ts";
import { ListPanel } from "../../widgets/list/panel.tsx";

/** The endpoint of the NFTs. */
export const NFTS = endpointAt("/account/token-accounts");
const COLUMNS: readonly Column[] = [{ path: "token_address", head: "NFT" }, "token_account"];

/** Shows the NFTs of an account. The rows of the API have only mints: names are requested for those on the screen. */
export function Nfts({ id, region, part }: { readonly id: string; readonly region: Region; readonly part: string }) {
  const { data, pointer } = useExplorer();
  const params = useMemo(() => ({ address: id, type: "nft", hide_zero: true }), [id]);
  const unnamed = useSyncExternalStore(pointer.subscribe, pointer.identifiers);
  useEffect(() => data.nameLoads.show(unnamed.filter(({ role }) => role === "token")), [data, unnamed]);
  return <ListPanel endpoint={NFTS} params={params} columns={COLUMNS} noun="NFTs" region={region} part={part} />;
}
