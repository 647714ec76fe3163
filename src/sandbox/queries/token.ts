/** Queries about tokens. */
import { defiRecords, defiRows } from "./defi.ts";
import { price, priceMulti } from "./prices.ts";
import type { Queries } from "./query.ts";
import { holders } from "./token-holders.ts";
import { latest, list, top, trending } from "./token-lists.ts";
import { markets } from "./token-markets.ts";
import { meta, metaMulti } from "./token-meta.ts";
import { needToken } from "./token-rows.ts";
import { transferRows } from "./transfers.ts";

/** The token that a request is about. */
const subjectOf = ({ db, params }: Parameters<typeof meta>[0]) => ({ token: needToken(db, params.need("address")) });

/** Queries of `/token/…`. */
export const tokenQueries: Queries = {
  "v2-token-transfer": (context) => ({ data: transferRows(context, subjectOf(context)) }),
  "v2-token-defi-activities": (context) => ({ data: defiRows(context, subjectOf(context)) }),
  "v2-token-markets": markets,
  "v2-token-meta": meta,
  "v2-token-meta-multi": metaMulti,
  "v2-token-price": price,
  "v2-token-price-multi": priceMulti,
  "v2-token-holders": holders,
  "v2-token-list": list,
  "v2-token-top": top,
  "v2-token-trending": trending,
  "v2-token-latest": latest,
  "v2-token-defi-activities-export": (context) => ({ csv: defiRecords(context, subjectOf(context)) }),
};
