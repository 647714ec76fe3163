/** Who funded an account, who funded that one, and so on. */
import { useMemo } from "react";
import { isObject, type JsonObject, pluralize } from "../../../base/index.ts";
import { AccountFunding } from "../../../catalogue/schemas.ts";
import { type Cell, shapeOf } from "../../../output/index.ts";
import { type Resource, useResource } from "../../data/hooks.ts";
import { ResourceStatus } from "../../data/status.tsx";
import { useExplorer } from "../../navigation/context.ts";
import type { QueryState } from "../../navigation/data-store.ts";
import { routeForValue } from "../../navigation/route-for.ts";
import { textLine } from "../../navigation/theme/text-line.ts";
import { formatField, relativeClock } from "../../widgets/cells.ts";
import { TablePanel } from "../../widgets/table/panel.tsx";
import type { RowIdentity } from "../../widgets/table/use-table.ts";
import type { TabProps } from "../props.ts";
import { FUNDED_BY } from "./record.ts";

/** Fundings that are followed; each costs a request. */
const MAX_FUNDERS = 8;
const IDENTITY: RowIdentity = { shape: shapeOf(AccountFunding), idOf: ({ address }) => String(address) };

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

/** Shows the funders of an account. */
export function Funders({ id, region, part }: TabProps) {
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
