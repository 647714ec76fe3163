/** Answers about the current state of accounts, tokens and stakes, by the catalogue's route. */
import type { NodeAnswersByRoute } from "../answer.ts";
import { detail, legacyDetail, legacyTokens, metadata, metadataMulti, portfolio, tokenAccounts } from "./account.ts";
import { collectionItems } from "./collection.ts";
import { dataDecoded } from "./data.ts";
import { legacyRewardExport, rewardExport, stakeReward } from "./rewards.ts";
import { legacyStakes, stake } from "./stakes.ts";
import { holders, legacyHolders, legacyMeta, meta, metaMulti } from "./tokens.ts";

/** Answers of these endpoints. */
export const stateAnswers: NodeAnswersByRoute = {
  "v2-account-detail": detail,
  "v2-account-data-decoded": dataDecoded,
  "v2-account-metadata": metadata,
  "v2-account-metadata-multi": metadataMulti,
  "v2-account-portfolio": portfolio,
  "v2-account-token-accounts": tokenAccounts,
  "v2-account-stake": stake,
  "v2-account-stake-reward": stakeReward,
  "v2-account-reward-export": rewardExport,
  "v2-token-meta": meta,
  "v2-token-meta-multi": metaMulti,
  "v2-token-holders": holders,
  "v2-nft-collection-items": collectionItems,
  "account-detail": legacyDetail,
  "account-tokens": legacyTokens,
  "account-stake-accounts": legacyStakes,
  "account-export-rewards": legacyRewardExport,
  "token-meta": legacyMeta,
  "token-holders": legacyHolders,
};
