/** What the transactions of a block have in common: `node/block/rewards`, `…/programs` and `…/accounts`. */
import { type JsonObject, NotFoundError, omitUndefined } from "../../../base/index.ts";
import { NODE_LACKS } from "../../../catalogue/index.ts";
import { addressTitle, type ChainBlock } from "../../../chain/solana/index.ts";
import type { AnswerContext, NodeAnswer } from "../answer.ts";
import { type BlockDetails, readBlock } from "../calls/blocks.ts";
import { exactNumber, pageOf } from "../state/values.ts";

/** Returns the answer with a page of the rows of a block. */
const answerOf =
  (details: BlockDetails, rowsOf: (block: ChainBlock) => readonly JsonObject[]): NodeAnswer =>
  async (context: AnswerContext) => {
    const { params, node } = context;
    const slot = params.integer("block") ?? 0;
    const read = await readBlock(context, slot, details);
    if (!read)
      throw new NotFoundError(`${node.name} has no block in slot ${slot}.`, { code: 404, hint: NODE_LACKS.slot });
    const rows = rowsOf(read.block);
    return { data: { total: rows.length, items: pageOf(rows, params.integer("page"), params.integer("page_size")) } };
  };

/** `node/block/rewards`, the largest first. */
export const blockRewards = answerOf("none", ({ rewards }) =>
  rewards
    .toSorted((a, b) => Number(b.lamports - a.lamports))
    .map(({ account, kind, lamports, post, commission }) =>
      omitUndefined({
        account,
        type: kind,
        lamports: exactNumber(lamports),
        post_balance: exactNumber(post),
        change_percent: post === lamports ? 0 : (100 * Number(lamports)) / Number(post - lamports),
        commission,
      }),
    ),
);

/** `node/block/programs`, those of most transactions first. */
export const blockPrograms = answerOf("full", ({ transactions }) => {
  const programs = new Map<string, { transactions: number; successes: number; instructions: number }>();
  for (const { instructions, error } of transactions) {
    for (const [program, calls] of Map.groupBy(instructions, (instruction) => instruction.program)) {
      const usage = programs.get(program) ?? { transactions: 0, successes: 0, instructions: 0 };
      usage.transactions += 1;
      usage.instructions += calls.length;
      if (error === undefined) usage.successes += 1;
      programs.set(program, usage);
    }
  }
  return [...programs]
    .sort(([, a], [, b]) => b.transactions - a.transactions || b.instructions - a.instructions)
    .map(([program, usage]) =>
      omitUndefined({
        program,
        program_name: addressTitle(program),
        transactions: usage.transactions,
        share: (100 * usage.transactions) / transactions.length,
        instructions: usage.instructions,
        success_rate: (100 * usage.successes) / usage.transactions,
      }),
    );
});

/** `node/block/accounts`, those of most transactions first. */
export const blockAccounts = answerOf("full", ({ transactions }) => {
  const accounts = new Map<string, { reads: number; writes: number }>();
  for (const { keys } of transactions) {
    for (const { address, writable } of keys) {
      const usage = accounts.get(address) ?? { reads: 0, writes: 0 };
      if (writable) usage.writes += 1;
      else usage.reads += 1;
      accounts.set(address, usage);
    }
  }
  return [...accounts]
    .map(([account, { reads, writes }]) => ({
      account,
      transactions: reads + writes,
      writes,
      reads,
      share: (100 * (reads + writes)) / transactions.length,
    }))
    .sort((a, b) => b.transactions - a.transactions || b.writes - a.writes);
});
