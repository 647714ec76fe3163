/** The v2 token endpoints. */

import { priceOhlcv } from "../candles.ts";
import { defiRecords, defiRows } from "../defi.ts";
import { markets } from "../market/market.ts";
import type { QueriesByRoute, QueryContext } from "../query.ts";
import { idOrUnknown } from "../sql.ts";
import { transferRows } from "../transfers.ts";
import { historicalData, holders } from "./holders.ts";
import { legacyTokenQueries } from "./legacy.ts";
import { latest, list, meta, metaMulti, search, top, trending } from "./lists.ts";
import { price, priceLatest, priceMulti, requireToken } from "./prices.ts";
import { listV2, statistic } from "./statistics.ts";

const subjectOf = ({ db, params }: QueryContext) => ({
  token: requireToken(db, params.required("address")),
});

/** Queries of `/token/…`. */
export const tokenQueries: QueriesByRoute = {
  ...legacyTokenQueries,
  "v2-token-transfer": (context) => ({ data: transferRows(context, subjectOf(context)) }),
  "v2-token-defi-activities": (context) => ({ data: defiRows(context, subjectOf(context)) }),
  "v2-token-markets": markets,
  "v2-token-meta": meta,
  "v2-token-meta-multi": metaMulti,
  "v2-token-price": price,
  "v2-token-price-multi": priceMulti,
  "v2-token-price-latest": priceLatest,
  "v2-token-price-history": priceMulti,
  "v2-token-price-ohlcv": priceOhlcv,
  "v2-token-holders": holders,
  "v2-token-list": list,
  "v2-token-top": top,
  "v2-token-trending": trending,
  "v2-token-latest": latest,
  "v2-token-search": search,
  "v2-token-statistic": statistic,
  "v2-token-list-v2": listV2,
  "v2-token-historical-data": historicalData,
  // The export of an address that is not a mint has no rows.
  "v2-token-defi-activities-export": (context) => ({
    csv: defiRecords(context, { token: idOrUnknown(context.db, context.params.required("address")) }),
  }),
};
