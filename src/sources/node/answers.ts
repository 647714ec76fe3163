/** The answers of a node by the catalogue's route. They are loaded on demand. */
import { type Endpoint, nodeSupportOf } from "../../catalogue/index.ts";
import type { NodeAnswer, NodeAnswersByRoute } from "./answer.ts";

/** Files of answers by the routes that they answer; the first one that matches has the answer. */
const FILES: readonly (readonly [routes: RegExp, load: () => Promise<NodeAnswersByRoute>])[] = [
  [/^chaininfo$|^(v2-)?block-|-fees$/, async () => (await import("./history/blocks.ts")).blockAnswers],
  [/transaction|funded-by$/, async () => (await import("./history/transactions.ts")).transactionAnswers],
  [/^node-(account|program|instructions|block)/, async () => (await import("./cluster/contents.ts")).contentAnswers],
  [/^node-/, async () => (await import("./cluster/cluster.ts")).clusterAnswers],
  [/leaderboard$/, async () => (await import("./cluster/cluster.ts")).clusterAnswers],
  [/stake|reward/, async () => (await import("./state/stakes.ts")).stakeAnswers],
  [/^(v2-)?(token|nft)-/, async () => (await import("./state/tokens.ts")).tokenAnswers],
  [/^(v2-)?account-/, async () => (await import("./state/accounts.ts")).accountAnswers],
];

/** Returns the answer of an endpoint; undefined for endpoints that a node cannot answer. */
export async function findNodeAnswer(endpoint: Endpoint): Promise<NodeAnswer | undefined> {
  const { level } = nodeSupportOf(endpoint);
  if (level === "per-transaction") return (await import("./walk/pages.ts")).walkAnswer;
  const [, load] = (level !== "none" && FILES.find(([routes]) => routes.test(endpoint.route))) || [];
  return (await load?.())?.[endpoint.route];
}
