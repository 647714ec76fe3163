/** The page of a token. */
import { textLine } from "../../navigation/theme/text-line.ts";
import { endpointAt, titleLine } from "../../widgets/cells.ts";
import { NODE_ACCOUNT } from "../account/record.ts";
import { entityRecord } from "../entity/record.ts";
import { nameWarning, tokenFacts, tokenName } from "./summary.ts";

/** The prices per day. */
export const PRICE = endpointAt("/token/price");
/** The candles. */
export const CANDLES = endpointAt("/token/price-ohlcv");
/** The statistics by time window. */
export const STATISTICS = endpointAt("/token/statistic");
/** The holders, the largest first. */
export const HOLDERS = endpointAt("/token/holders");
const META = endpointAt("/token/meta");

/** Days of the history: as many as the API has. */
const HISTORY_DAYS = 30;

/** The page of a token. */
export const TOKEN = entityRecord({
  requests: { meta: { endpoint: META } },
  title: ({ answers: { meta }, id, clock, width }) => titleLine(meta ? tokenName(meta, clock) : [], id, width),
  notes: ({ answers: { meta }, clock }) => {
    const warning = meta && nameWarning(meta, clock);
    return warning === undefined ? [] : [textLine(`${warning}: verify the mint address.`, "warning")];
  },
  facts: ({ answers: { meta }, clock, unicode, nameOf, omitsUnknown }) =>
    (meta ? tokenFacts(meta, clock, unicode, nameOf) : []).filter(({ label }) => label !== "price" || !omitsUnknown),
  tabs: [
    { name: "mint", endpoint: NODE_ACCOUNT },
    { name: "price", endpoint: PRICE },
    { name: "candles", endpoint: CANDLES },
    { name: "statistics", endpoint: STATISTICS },
    { name: "holders", endpoint: HOLDERS },
    { name: "markets", endpoint: endpointAt("/token/markets"), params: (id) => ({ token: [id] }) },
    { name: "transfers", endpoint: endpointAt("/token/transfer") },
    { name: "defi", endpoint: endpointAt("/token/defi/activities") },
    {
      name: "history",
      endpoint: endpointAt("/token/historical-data"),
      params: (address) => ({ address, range: HISTORY_DAYS }),
    },
    { name: "about", endpoint: META, addressEntity: "token" },
  ],
});
