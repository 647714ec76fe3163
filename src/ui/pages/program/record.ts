/** The page of a program. */
import { fieldOf, textOf } from "../../../base/index.ts";
import { withRole } from "../../../output/index.ts";
import { rowsOf } from "../../navigation/data-store.ts";
import { cellSpan, endpointAt, formatAs, titleLine } from "../../widgets/cells.ts";
import { entityRecord } from "../entity/record.ts";
import { activityOf, platformOf, programFacts } from "./summary.ts";

/** What a program is; only a node answers. */
export const NODE_PROGRAM = endpointAt("/node/program", "node");
/** The activity of a program per day. */
export const ANALYTICS = endpointAt("/program/analytics");
const DETAIL = endpointAt("/account/detail");
const METADATA = endpointAt("/account/metadata");
const PROGRAMS = endpointAt("/program/list");

/** The page of a program. */
export const PROGRAM_PAGE = entityRecord({
  requests: {
    account: { endpoint: DETAIL },
    metadata: { endpoint: METADATA },
    // The busiest programs, as many as one page holds.
    programs: { endpoint: PROGRAMS, params: () => ({ sort_by: "num_txs", sort_order: "desc", page_size: 40 }) },
    platforms: { endpoint: endpointAt("/program/popular/platforms"), params: () => ({}) },
  },
  title: ({ answers, id, clock, width }) => {
    const label = fieldOf(answers.metadata, "account_label");
    const name = textOf(label) === undefined ? [] : [cellSpan(withRole(formatAs("text", label, clock), "program"))];
    return titleLine(name, id, width);
  },
  facts: ({ id, answers: { account, metadata }, states, clock }) => {
    const busiest = rowsOf(states.programs);
    const [platform, activity] = [platformOf(rowsOf(states.platforms), id), activityOf(busiest, id)];
    return programFacts({ account, metadata, platform, activity }, busiest?.length ?? 0, clock);
  },
  tabs: [
    { name: "code", endpoint: NODE_PROGRAM },
    { name: "activity", endpoint: ANALYTICS, params: (address) => ({ address, range: 30 }) },
    { name: "transactions", endpoint: endpointAt("/account/transactions") },
    { name: "transfers", endpoint: endpointAt("/account/transfer") },
    { name: "busiest programs", endpoint: PROGRAMS, params: () => ({}) },
    { name: "labels", endpoint: METADATA },
    { name: "raw", endpoint: DETAIL },
  ],
});
