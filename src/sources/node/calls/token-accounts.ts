/** Lists the token accounts of a wallet. */
import { listOf, objectOf, PROGRAM, textOf } from "../../../chain/solana/index.ts";
import type { ReadContext } from "../answer.ts";

/** Returns the addresses of a wallet's token accounts, of both token programs; with mints, only those of these tokens. */
export async function listTokenAccounts(
  { node, sending }: ReadContext,
  owner: string,
  mints: readonly string[] = [],
): Promise<readonly string[]> {
  const programs = [{ programId: PROGRAM.token }, { programId: PROGRAM.token2022 }];
  const filters = mints.length > 0 ? mints.map((mint) => ({ mint })) : programs;
  // Of the accounts only the addresses are needed.
  const options = { encoding: "base64", dataSlice: { offset: 0, length: 0 }, commitment: node.commitment };
  const lists = filters.map(async (filter) => {
    const result = await node.call("getTokenAccountsByOwner", [owner, filter, options], sending);
    return listOf(objectOf(result, "result").value, "result.value").map((row) =>
      textOf(objectOf(row, "result.value[]").pubkey, "result.value[].pubkey"),
    );
  });
  return (await Promise.all(lists)).flat();
}
