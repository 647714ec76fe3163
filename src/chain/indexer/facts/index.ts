/** The conversion of blocks and transactions to facts. Loaded when it is needed. */
export { blockToFacts, createInstructionDecoder, transactionsToFacts } from "./convert.ts";
export { createKnowledge } from "./knowledge.ts";
