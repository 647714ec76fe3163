/** Answers that only a node has, by the catalogue's route. */
import type { NodeAnswersByRoute } from "../answer.ts";
import { account, program } from "./account.ts";
import { blockAccounts, blockPrograms, blockRewards } from "./blocks.ts";
import { instructions } from "./instructions.ts";
import { epoch, performance, status } from "./status.ts";
import { validators } from "./validators.ts";

/** Answers of the `node` commands. */
export const clusterAnswers: NodeAnswersByRoute = {
  "node-status": status,
  "node-performance": performance,
  "node-validators": validators,
  "node-epoch": epoch,
  "node-account": account,
  "node-program": program,
  "node-instructions": instructions,
  "node-block-rewards": blockRewards,
  "node-block-programs": blockPrograms,
  "node-block-accounts": blockAccounts,
};
