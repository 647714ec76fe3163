/** The page of an account. */
import { endpointAt, titleLine } from "../../widgets/cells.ts";
import { entityRecord } from "../entity/record.ts";
import {
  accountFacts,
  accountLabel,
  holdsState,
  isOwnedByTokenProgram,
  isStakeAccount,
  mayHoldData,
} from "./summary.ts";

/** The portfolio, which the header shows where the open tab requests it anyway. */
export const PORTFOLIO = endpointAt("/account/portfolio");
/** The data of an account, as its owner program understands it; only a node answers. */
export const NODE_ACCOUNT = endpointAt("/node/account", "node");
/** The changes of balances. */
export const CHANGES = endpointAt("/account/balance_change");
/** The transfers. */
export const TRANSFERS = endpointAt("/account/transfer");
/** The token accounts, those of NFTs included. */
export const TOKEN_ACCOUNTS = endpointAt("/account/token-accounts");
/** Who funded an account. */
export const FUNDED_BY = endpointAt("/account/funded-by");
const DETAIL = endpointAt("/account/detail");

/** The page of an account. */
export const ACCOUNT = entityRecord({
  requests: {
    detail: { endpoint: DETAIL },
    metadata: { endpoint: endpointAt("/account/metadata"), isReported: true },
    mint: {
      endpoint: endpointAt("/token/meta"),
      isNeeded: ({ detail }) => isOwnedByTokenProgram(detail),
    },
    onChain: { endpoint: NODE_ACCOUNT },
    portfolio: { endpoint: PORTFOLIO },
  },
  title: ({ answers, id, clock, width }) => titleLine(accountLabel(answers.metadata, clock), id, width),
  facts: ({ id, answers, states, nameOf, clock }) =>
    accountFacts({ id, ...answers, metadataError: states.metadata.problem, nameOf }, clock),
  tabs: [
    { name: "data", endpoint: NODE_ACCOUNT, isActive: ({ onChain }) => holdsState(onChain) },
    {
      name: "rewards",
      endpoint: endpointAt("/account/stake/reward"),
      isActive: ({ detail }) => isStakeAccount(detail),
    },
    { name: "portfolio", endpoint: PORTFOLIO },
    { name: "transfers", endpoint: TRANSFERS },
    { name: "defi", endpoint: endpointAt("/account/defi/activities") },
    { name: "changes", endpoint: CHANGES },
    { name: "transactions", endpoint: endpointAt("/account/transactions") },
    { name: "stakes", endpoint: endpointAt("/account/stake") },
    {
      name: "token accounts",
      endpoint: TOKEN_ACCOUNTS,
      params: (address) => ({ address, type: "token" }),
    },
    { name: "nfts", endpoint: TOKEN_ACCOUNTS, params: (address) => ({ address, type: "nft", hide_zero: true }) },
    { name: "balance", endpoint: CHANGES },
    { name: "about", endpoint: DETAIL },
    { name: "funders", endpoint: FUNDED_BY },
    { name: "enhanced", endpoint: endpointAt("/account/transactions/enhanced") },
    {
      name: "decoded",
      endpoint: endpointAt("/account/data-decoded"),
      isActive: ({ detail, onChain }) => mayHoldData(detail) && !holdsState(onChain),
    },
  ],
});
