/** The state of a cluster in a few values, as a node reports it. */
import { type Decimal, decimalOf, groupThousands, type JsonObject, percentOf, toNumber } from "../../../base/index.ts";
import { ClusterStatus } from "../../../catalogue/schemas.ts";
import { type Clock, compactNumber, formatPercent, SOL_DECIMALS } from "../../../output/index.ts";
import { span } from "../../navigation/theme/text-line.ts";
import { formatField } from "../../widgets/cells.ts";
import { epochGauge, heightNote, seriesDrawing } from "./chain.ts";
import type { ChainGauge } from "./gauges.ts";

/** Minutes of the sparkline. */
const SPARKLINE_WIDTH = 30;

/** What the gauges are made from. */
export interface ClusterData {
  /** The answer of the cluster's status. */
  readonly status: JsonObject;
  /** Performance samples, newest first. */
  readonly samples: readonly JsonObject[];
}

/** Returns the gauges of a cluster, the most important first. What the node does not know is left out. */
export function clusterGauges({ status, samples }: ClusterData, clock: Clock, unicode: boolean): readonly ChainGauge[] {
  const text = (field: string): string => {
    const { text: value, role } = formatField(ClusterStatus, status, field, clock);
    return role === "missing" ? "" : value;
  };
  const whole = (field: string): string => {
    const number = toNumber(status[field]);
    return number === undefined ? "" : groupThousands(number);
  };
  const transactions = text("transaction_count");
  const progress = toNumber(status.epoch_progress);
  return [
    clusterGauge(status, text("version")),
    epochGauge(
      text("epoch"),
      {
        ...(progress !== undefined && { share: progress / 100 }),
        ...(toNumber(status.epoch_remaining_seconds) !== undefined && {
          secondsLeft: toNumber(status.epoch_remaining_seconds) ?? 0,
        }),
      },
      unicode,
    ),
    speedGauge(status, samples, unicode),
    { title: "slot", value: [span(whole("slot"))], note: heightNote(whole("block_height")) },
    slotTimeGauge(status),
    stakeGauge(status),
    validatorGauge(status),
    supplyGauge(status),
    { title: "transactions", value: [span(compactNumber(transactions) ?? transactions)] },
  ];
}

/** Names the cluster; the node of a local validator is known by its genesis hash only. */
function clusterGauge({ cluster }: JsonObject, version: string): ChainGauge {
  const name = typeof cluster === "string" && cluster !== "unknown" ? cluster : "local or private";
  return { title: "cluster", value: [span(name, "title")], note: version === "" ? [] : [span(version, "note")] };
}

/** Returns the transactions per second, votes apart, with a line of the last minutes, the newest at the end. */
function speedGauge(status: JsonObject, samples: readonly JsonObject[], unicode: boolean): ChainGauge {
  const [all, others] = [toNumber(status.tps), toNumber(status.non_vote_tps)];
  if (all === undefined) return { title: "TPS", value: [] };
  const minutes = samples
    .slice(0, SPARKLINE_WIDTH)
    .map((sample) => toNumber(sample.non_vote_tps) ?? toNumber(sample.tps))
    .toReversed();
  const rate = (value: number) => (value < 10 ? `${Math.round(value * 10) / 10}` : groupThousands(Math.round(value)));
  return {
    title: "TPS",
    value: [span(rate(others ?? all))],
    note: others === undefined ? [] : [span(`and ${rate(Math.max(0, all - others))} votes/s`, "note")],
    drawing: seriesDrawing(minutes, unicode),
  };
}

function slotTimeGauge(status: JsonObject): ChainGauge {
  const [minute, hour] = [toNumber(status.slot_milliseconds), toNumber(status.slot_milliseconds_hour)];
  return {
    title: "slot time",
    value: minute === undefined ? [] : [span(`${Math.round(minute)} ms`)],
    note: hour === undefined ? [] : [span(`${groupThousands(Math.round(hour))} ms in the last hour`, "note")],
  };
}

/** Returns an amount of SOL in three digits. */
function shortSol(lamports: Decimal): string {
  const sol = String(Math.round(Number(lamports.digits) / 10 ** SOL_DECIMALS));
  return `${compactNumber(sol) ?? sol} SOL`;
}

const shareText = (part: Decimal, all: Decimal): string => {
  const share = percentOf(part, all);
  return share ? formatPercent(share) : "";
};

function stakeGauge(status: JsonObject): ChainGauge {
  const [active, delinquent] = [decimalOf(status.active_stake), decimalOf(status.delinquent_stake)];
  const isSilent = active !== undefined && delinquent !== undefined && delinquent.digits !== 0n;
  return {
    title: "stake",
    value: active ? [span(shortSol(active))] : [],
    note: isSilent ? [span(`${shareText(delinquent, active)} delinquent`, "warning")] : [],
  };
}

function validatorGauge(status: JsonObject): ChainGauge {
  const [current, delinquent] = [toNumber(status.validators), toNumber(status.delinquent_validators)];
  return {
    title: "validators",
    value: current === undefined ? [] : [span(groupThousands(current))],
    note: delinquent ? [span(`${groupThousands(delinquent)} delinquent`, "warning")] : [],
  };
}

function supplyGauge(status: JsonObject): ChainGauge {
  const [total, circulating] = [decimalOf(status.total_supply), decimalOf(status.circulating_supply)];
  return {
    title: "supply",
    value: total ? [span(shortSol(total))] : [],
    note: total && circulating ? [span(`${shareText(circulating, total)} in circulation`, "note")] : [],
  };
}
