/** The answers of a node by the catalogue's route. Groups are loaded on demand. */
import type { NodeAnswer, NodeAnswersByRoute } from "./answer.ts";

const loadChain = async () => (await import("./history/answers.ts")).chainAnswers;
const loadWalkAnswers = async () => (await import("./walk/answers.ts")).walkAnswers;

/** Groups of answers by the prefix of their routes; the first group that has the route is used. */
const GROUPS: readonly (readonly [prefix: string, load: () => Promise<NodeAnswersByRoute>])[] = [
  ["chaininfo", loadChain],
  ["v2-block-", loadChain],
  ["block-", loadChain],
  ["v2-transaction-", loadChain],
  ["transaction-", loadChain],
  ["v2-account-transactions", loadChain],
  ["v2-account-funded-by", loadChain],
  ["account-transactions", loadChain],
  ["v2-account-transfer", loadWalkAnswers],
  ["v2-account-balance-change", loadWalkAnswers],
  ["v2-account-defi-activities", loadWalkAnswers],
  ["v2-token-transfer", loadWalkAnswers],
  ["account-spl-transfers", loadWalkAnswers],
  ["account-sol-transfers", loadWalkAnswers],
  ["account-export-transactions", loadWalkAnswers],
  ["token-transfer", loadWalkAnswers],
  ["node-", async () => (await import("./cluster/index.ts")).clusterAnswers],
  ["", async () => (await import("./state/index.ts")).stateAnswers],
];

/** Returns the answer of a route; undefined for endpoints that a node cannot answer. */
export async function findNodeAnswer(route: string): Promise<NodeAnswer | undefined> {
  for (const [prefix, load] of GROUPS) {
    const answer = route.startsWith(prefix) ? (await load())[route] : undefined;
    if (answer) return answer;
  }
  return undefined;
}
