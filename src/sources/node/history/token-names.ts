/** Names of the tokens in facts: transactions do not contain them. */
import type { SourceBlock, TokenFact } from "../../../chain/ledger/index.ts";
import type { ReadContext } from "../answer.ts";
import { readMints } from "../state/mints.ts";

/** The names of a token; undefined where it has none. */
type TokenNames = Pick<TokenFact, "name" | "symbol">;

/** Routes whose rows contain names, or whose metadata does. */
const NAMED_ROUTES: ReadonlySet<string> = new Set([
  "v2-transaction-detail",
  "v2-transaction-detail-multi",
  "v2-transaction-actions",
  "v2-transaction-actions-multi",
  "account-spl-transfers",
  "account-export-transactions",
  "token-transfer",
]);

/** Whether an answer contains names of tokens. */
export const hasTokenNames = (route: string): boolean => NAMED_ROUTES.has(route);

/** Maximum number of tokens whose names are in memory. */
const MAX_NAMES = 5000;

/** Returns the blocks with the names of their tokens, which are read once in a session. */
export async function withTokenNames(
  context: ReadContext,
  blocks: readonly SourceBlock[],
): Promise<readonly SourceBlock[]> {
  const names = await context.session.once("token names", async () => new Map<string, TokenNames>());
  const mints = new Set(blocks.flatMap(({ facts }) => (facts.tokens ?? []).map(({ address }) => address)));
  const unknown = [...mints].filter((mint) => !names.has(mint));
  const read = unknown.length === 0 ? undefined : await readMints(context, unknown);
  if (names.size + unknown.length > MAX_NAMES) names.clear();
  for (const mint of unknown) names.set(mint, namesOf(read?.get(mint)));
  return blocks.map((block) => {
    const { tokens = [] } = block.facts;
    return {
      ...block,
      facts: { ...block.facts, tokens: tokens.map((fact) => ({ ...names.get(fact.address), ...fact })) },
    };
  });
}

/** Returns the names that a token has. */
function namesOf(
  mint: { readonly name: string | undefined; readonly symbol: string | undefined } | undefined,
): TokenNames {
  const { name, symbol } = mint ?? {};
  return { ...(name !== undefined && { name }), ...(symbol !== undefined && { symbol }) };
}
