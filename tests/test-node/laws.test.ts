/** What holds for every transaction and block of a chain, in the story of the test node. */
import { expect, test } from "vitest";
import { NATIVE_MINT, tokenAccountFields } from "../support/node/account.ts";
import { base58 } from "../support/node/parse-account.ts";
import { AMOUNTS, startScenario } from "../support/node/scenario.ts";
import type { ExecutedTransaction, TokenBalance } from "../support/node/transaction.ts";
import { useScenario } from "../support/node/use-test-node.ts";

const story = useScenario();

const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n);
const transactions = () => story.node.chain.blocks.flatMap((block) => block.transactions);
const named = (name: keyof typeof story.scenario.signatures): ExecutedTransaction => {
  const executed = story.node.chain.transaction(story.scenario.signatures[name]);
  if (executed === undefined) throw new Error(name);
  return executed;
};

/** Returns the sum of token balances of a mint. */
function tokenSum(balances: readonly TokenBalance[], mint: string): bigint {
  const amounts = balances.filter((balance) => balance.mint === mint).map(({ uiTokenAmount }) => uiTokenAmount);
  return sum(amounts.map((amount) => BigInt((amount as { amount: string }).amount)));
}

test("the sum of balances changes by the fee, also where a transaction failed", () => {
  const wrong = transactions().filter((each) => sum(each.postBalances) - sum(each.preBalances) !== -each.fee);
  expect(wrong.map(({ signatures }) => signatures[0])).toEqual([]);
  expect(transactions().filter(({ err }) => err !== null).length).toBeGreaterThan(3);
});

test("a failed transaction changes the balance of its payer only, and no token balance", () => {
  for (const { err, preBalances, postBalances, fee, preTokenBalances, postTokenBalances } of transactions()) {
    if (err === null) continue;
    const differences = preBalances.map((balance, index) => (postBalances[index] ?? 0n) - balance);
    expect(differences).toEqual(differences.map((_, index) => (index === 0 ? -fee : 0n)));
    expect(postTokenBalances).toEqual(preTokenBalances);
  }
});

test("tokens are created and destroyed by mints, burns, fees and wrapping only", () => {
  const { mint, hugeMint, feeMint, nft } = story.scenario.addresses;
  const { token, token2022 } = AMOUNTS;
  const changes = [mint, hugeMint, feeMint, nft].map((each) =>
    transactions().map(({ preTokenBalances, postTokenBalances }) => {
      return tokenSum(postTokenBalances, each) - tokenSum(preTokenBalances, each);
    }),
  );
  const nonZero = changes.map((list) => list.filter((change) => change !== 0n));
  expect(nonZero).toEqual([
    [token.minted, -token.burned, token.bySigners * 2n],
    [token.hugeSupply],
    // 2.5 % of two transfers are withheld; the first part is harvested from bob, then withdrawn to alice.
    [token2022.minted, -token2022.fee, -10_000_000n, token2022.fee],
    [1n],
  ]);
});

test("token balances of the last transaction that names an account equal the account", () => {
  const { get } = story.node.chain.accountsAt("finalized");
  const last = new Map<string, string>();
  for (const { keys, postTokenBalances } of transactions()) {
    for (const { pubkey } of keys) last.delete(pubkey);
    for (const { accountIndex, uiTokenAmount } of postTokenBalances) {
      last.set(keys[accountIndex]?.pubkey ?? "", (uiTokenAmount as { amount: string }).amount);
    }
  }
  expect(last.size).toBeGreaterThan(10);
  for (const [account, amount] of last) expect(tokenAccountFields(get(account))?.amount).toBe(BigInt(amount));
});

test("blocks form a chain, with slots that were skipped", () => {
  const { blocks } = story.node.chain;
  for (const [index, block] of blocks.entries()) {
    const parent = blocks[index - 1];
    if (parent === undefined) continue;
    expect(block).toMatchObject({
      parentSlot: parent.slot,
      previousBlockhash: parent.blockhash,
      height: parent.height + 1,
    });
    expect(block.time).toBeGreaterThanOrEqual(parent.time);
    expect(block.slot).toBeGreaterThan(parent.slot);
  }
  expect(blocks.some((block, index) => block.slot - (blocks[index - 1]?.slot ?? block.slot) === 3)).toBe(true);
  expect(new Set(blocks.map(({ blockhash }) => blockhash)).size).toBe(blocks.length);
});

test("leaders earn half of the base fees and all priority fees", () => {
  const { slot } = named("computeBudget");
  const [reward] = story.node.chain.block(slot)?.rewards ?? [];
  expect(reward).toMatchObject({ rewardType: "Fee", lamports: 2500n + 50_000n });
});

test("keys, inner instructions and lookup tables", () => {
  const { lookupTable, carol } = story.scenario.addresses;
  const table = named("tableTransfer");
  expect(table).toMatchObject({ version: 0, loaded: { writable: [carol] }, lookups: [{ accountKey: lookupTable }] });
  expect(table.keys.length).toBe(table.preBalances.length);
  expect(named("innerTransfer").inner).toMatchObject([{ index: 0, instructions: [{ stackHeight: 2 }, {}] }]);
  expect(named("version1Transfer")).toMatchObject({ version: 1, fee: 5321n });
  expect(named("failedFrozenTransfer").err).toEqual({ InstructionError: [0, { Custom: 17 }] });
});

test("the same options play the same story", async () => {
  const { node, scenario } = await startScenario();
  expect(scenario.signatures).toEqual(story.scenario.signatures);
  expect(node.chain.tip.blockhash).toBe(story.node.chain.tip.blockhash);
  await node.close();
});

test("wrapped SOL has the lamports that its account holds", () => {
  const balance = named("wrappedTransfer").postTokenBalances.find(
    ({ accountIndex, mint }) => mint === NATIVE_MINT && accountIndex === 2,
  );
  const amount = balance?.uiTokenAmount as { amount: string } | undefined;
  expect(amount?.amount).toBe(AMOUNTS.token.wrappedTransferred.toString());
});

test("a durable nonce is used up by a transaction that fails, too", () => {
  const value = base58(
    story.node.chain.accountsAt("finalized").get(story.scenario.addresses.nonce)?.data.subarray(40, 72) ??
      new Uint8Array(),
  );
  const used = [named("nonceTransfer").blockhash, named("failedNonceTransfer").blockhash];
  expect(new Set([...used, value]).size).toBe(3);
});
