/** How things are shown of which two answers, or more than an answer, are told. */
import * as z from "zod";
import { AccountDetail, AccountMetadata } from "../../catalogue/entities/account.ts";
import { Block } from "../../catalogue/entities/block.ts";
import { TokenMeta } from "../../catalogue/entities/token.ts";
import { f } from "../../catalogue/kinds.ts";

/** The schema of an account and the token it is the mint of. */
export function detailWithToken(): z.ZodType {
  return z.looseObject({
    token: f.object("The token", TokenMeta),
    account: f.object("The account of the mint", AccountDetail),
  });
}

/** The schema of an account with what is known of it: names first, then the account itself, then the rest. */
export function detailWithMetadata(): z.ZodType {
  const { account, ...detail } = AccountDetail.shape;
  const { account_address: _, account_label, account_domain, account_tags, ...rest } = AccountMetadata.shape;
  return z.looseObject({ account, account_label, account_domain, account_tags, ...detail, ...rest });
}

/** The schema of a block with its slot. */
export function blockWithSlot(): z.ZodType {
  return z.looseObject({ slot: f.slot("Slot of the block"), ...Block.shape });
}
