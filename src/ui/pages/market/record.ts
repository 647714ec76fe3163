/** The page of a market. */
import { WELL_KNOWN_TOKENS } from "../../../catalogue/index.ts";
import { endpointAt, titleLine } from "../../widgets/cells.ts";
import { entityRecord } from "../entity/record.ts";
import { marketFacts, mintsOf, pairLine } from "./summary.ts";

/** The metadata of tokens. */
export const META = endpointAt("/token/meta");
/** The candles. */
export const CANDLES = endpointAt("/market/price-ohlcv");
const INFO = endpointAt("/market/info");
const VOLUME = endpointAt("/market/volume");

/** Returns whether the symbol of a token has to be requested. */
const hasNoSymbol = (mint = "") => mint !== "" && !WELL_KNOWN_TOKENS.has(mint);

/** The page of a market. */
export const MARKET = entityRecord({
  requests: {
    info: { endpoint: INFO },
    volume: { endpoint: VOLUME, params: (address, days) => ({ address, time: [`${days}d`, "today"] }) },
    first: {
      endpoint: META,
      params: (_id, _days, { info }) => ({ address: mintsOf(info)[0] }),
      isNeeded: ({ info }) => hasNoSymbol(mintsOf(info)[0]),
    },
    second: {
      endpoint: META,
      params: (_id, _days, { info }) => ({ address: mintsOf(info)[1] }),
      isNeeded: ({ info }) => hasNoSymbol(mintsOf(info)[1]),
    },
  },
  title: ({ answers, nameOf, id, width }) => titleLine(pairLine({ ...answers, nameOf }), id, width),
  facts: ({ answers, nameOf, clock, unicode }) => marketFacts({ ...answers, nameOf }, clock, unicode),
  tabs: [
    { name: "candles", endpoint: CANDLES },
    { name: "volume", endpoint: VOLUME },
    { name: "liquidity", endpoint: VOLUME },
    { name: "statistics", endpoint: VOLUME },
    { name: "positions", endpoint: endpointAt("/market/positions") },
    {
      name: "defi",
      endpoint: endpointAt("/token/defi/activities"),
      params: (id, { info }) => ({ address: mintsOf(info)[0], source: [id] }),
      isActive: ({ info }) => mintsOf(info).length > 0,
    },
    { name: "about", endpoint: INFO, addressEntity: "market" },
  ],
  days: 30,
});
