/**
 * A story on a node: what a wallet, a token and a stake do in their lives, signed and executed. Equal in every run, so
 * that tests can assert addresses, signatures and amounts by name.
 */
import { startTestNode, type TestNode, type TestNodeOptions } from "./node.ts";
import { playPrograms, VAULT } from "./scenario/programs.ts";
import { MEMO, playSol, playVersion1, SOL_AMOUNTS } from "./scenario/sol.ts";
import { playStake, STAKE_AMOUNTS } from "./scenario/stake.ts";
import { addressesOf, startStory } from "./scenario/story.ts";
import { playToken2022, TOKEN_2022_AMOUNTS } from "./scenario/token-2022.ts";
import { playTokens, TOKEN_AMOUNTS } from "./scenario/tokens.ts";

/** What happened: the addresses and signatures by name. */
export type Scenario = Awaited<ReturnType<typeof playScenario>>;

/** Settings of the chain that the story needs: short epochs, as stakes take effect with an epoch. */
export const SCENARIO_OPTIONS: TestNodeOptions = { slotsPerEpoch: 512, firstSlot: 1000 };

/** The amounts of the story, in lamports and base units, and its memo. */
export const AMOUNTS = {
  sol: SOL_AMOUNTS,
  token: TOKEN_AMOUNTS,
  token2022: TOKEN_2022_AMOUNTS,
  stake: STAKE_AMOUNTS,
  vault: VAULT,
  memo: MEMO,
} as const;

/** Plays the story on a node. */
export async function playScenario(node: TestNode, { version1 = true }: { readonly version1?: boolean } = {}) {
  const story = await startStory(node);
  const { alice, bob, carol, dave } = story;
  const sol = await playSol(story);
  const tokens = await playTokens(story);
  const token2022 = await playToken2022(story);
  const stakes = await playStake(story);
  const programs = await playPrograms(story);
  const newest = version1 ? await playVersion1(story) : { signatures: { version1Transfer: "" } };
  return {
    wallets: { alice, bob, carol, dave },
    addresses: {
      ...addressesOf({ alice, bob, carol, dave }),
      ...sol.addresses,
      ...tokens.addresses,
      ...token2022.addresses,
      ...stakes.addresses,
      ...programs.addresses,
    },
    signatures: {
      ...sol.signatures,
      ...tokens.signatures,
      ...token2022.signatures,
      ...stakes.signatures,
      ...programs.signatures,
      ...newest.signatures,
    },
    /** The epoch in which the stake was delegated, and the slot of its reward. */
    delegationEpoch: stakes.delegationEpoch,
    rewardSlot: stakes.rewardSlot,
  };
}

/** Starts a node on which the story has happened. */
export async function startScenario(
  options: TestNodeOptions & { readonly version1?: boolean } = {},
): Promise<{ readonly node: TestNode; readonly scenario: Scenario }> {
  const node = await startTestNode({ ...SCENARIO_OPTIONS, ...options });
  const scenario = await playScenario(node, options);
  node.resetCounters();
  return { node, scenario };
}
