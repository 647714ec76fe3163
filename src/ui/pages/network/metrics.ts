/** The metrics of the network as data: their endpoints, their parts and how they are drawn. */
import type { Endpoint } from "../../../catalogue/index.ts";
import {
  NetworkComputeUnits,
  NetworkDexActivity,
  NetworkFees,
  NetworkSlots,
  NetworkStake,
  NetworkTransactions,
} from "../../../catalogue/schemas.ts";
import type { Role } from "../../navigation/theme/text-line.ts";
import { type EntitySchema, endpointAt } from "../../widgets/cells.ts";

/** The ranges of the page in days. */
export const NETWORK_RANGES = [30, 90, 180, 365] as const;

/** A metric of the network. */
export interface Metric {
  readonly title: string;
  readonly endpoint: Endpoint;
  readonly entity: EntitySchema;
  /** The field of the headline, and the word after its value. */
  readonly field: string;
  readonly noun?: string;
  /** Further fields beside the headline, the most important first. */
  readonly more?: readonly { readonly field: string; readonly noun?: string }[];
  /** Stacked parts; a metric without parts is one series. */
  readonly parts?: readonly { readonly field: string; readonly name: string; readonly role: Role }[];
  /** Bars begin at zero; a line shows small changes of a large value. */
  readonly chart: "bars" | "line";
  /** The unit before the numbers of the axis. */
  readonly unit?: string;
}

/** The metrics in the order of the page. */
export const METRICS: readonly Metric[] = [
  {
    title: "transactions",
    endpoint: endpointAt("/analytics/transactions", "public"),
    entity: NetworkTransactions,
    field: "total",
    parts: [
      { field: "vote", name: "votes", role: "track" },
      { field: "nonvote_success", name: "successful", role: "good" },
      { field: "nonvote_fail", name: "failed", role: "bad" },
    ],
    chart: "bars",
  },
  {
    title: "fees",
    endpoint: endpointAt("/analytics/fees", "public"),
    entity: NetworkFees,
    field: "total_fee",
    more: [{ field: "total_fee_usd" }],
    parts: [
      { field: "base_fee", name: "base", role: "link" },
      { field: "priority_fee", name: "priority", role: "warning" },
    ],
    chart: "bars",
  },
  {
    title: "DEX",
    endpoint: endpointAt("/analytics/dex/activity", "public"),
    entity: NetworkDexActivity,
    field: "volume_usd",
    more: [
      { field: "trade_count", noun: "trades" },
      { field: "trader_count", noun: "traders" },
      { field: "active_dex_count", noun: "exchanges" },
    ],
    chart: "bars",
    unit: "$",
  },
  {
    title: "compute units",
    endpoint: endpointAt("/analytics/compute-units", "public"),
    entity: NetworkComputeUnits,
    field: "value",
    chart: "bars",
  },
  {
    title: "stake",
    endpoint: endpointAt("/analytics/stake", "public"),
    entity: NetworkStake,
    field: "total_stake_sol",
    more: [{ field: "total_stake_usd" }],
    chart: "line",
  },
  {
    title: "blocks",
    endpoint: endpointAt("/analytics/slots", "public"),
    entity: NetworkSlots,
    field: "value",
    chart: "line",
  },
];
