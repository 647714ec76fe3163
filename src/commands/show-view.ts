/** How an address that is a mint is shown: the account and the token in one object. */
import * as z from "zod";
import { AccountDetail } from "../catalogue/entities/account.ts";
import { TokenMeta } from "../catalogue/entities/token.ts";
import { f } from "../catalogue/kinds.ts";

/** The schema of an account and the token it is the mint of. */
export function detailWithToken(): z.ZodType {
  return z.looseObject({
    token: f.object("The token", TokenMeta),
    account: f.object("The account of the mint", AccountDetail),
  });
}
