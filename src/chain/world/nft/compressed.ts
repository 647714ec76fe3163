/**
 * Compressed NFTs: leaves of a Merkle tree, minted by Bubblegum. They have no mints and no token accounts, so that
 * explorers show their transactions, but neither transfers nor holders.
 */
import { lamports } from "../actors/wallets.ts";
import type { Actor, WorldContext } from "../context.ts";
import type { Account } from "../economy/accounts.ts";

/** Lamports of a tree for 16,384 leaves. */
const TREE_RENT = lamports(0.2229);
const CONFIG_RENT = 1_559_040n;
/** Maximum number of leaves that one transaction mints. */
const BATCH = 4;

interface Tree {
  readonly account: Account;
  /** Signs for the tree. */
  readonly config: Account;
  readonly creator: Account;
}

/** Returns the creators of trees, who airdrop compressed NFTs to users, and owners who transfer them. */
export function createCompressedNfts({ economy, wallets, random: root }: WorldContext): Actor[] {
  const random = root.fork("compressed nfts");
  const { bubblegum, compression, noop, system } = economy.programs;
  const trees: Tree[] = [];
  const plant = (): void => {
    const creator = wallets.pickWithSol(lamports(4));
    const account = economy.account("account", compression.address);
    const config = economy.programAccount("account", bubblegum);
    const tx = economy.begin(creator, { priority: 2000 });
    tx.createAccount(creator, account, TREE_RENT);
    const parties = [config, account, creator, creator, noop, compression, system];
    const create = tx.add(bubblegum, "createTree", "bubblegum:createTree", parties);
    tx.createAccount(creator, config, CONFIG_RENT, create);
    tx.addAccounts(
      tx.instruction(compression, "initEmptyMerkleTree", "initEmptyMerkleTree", create),
      ...[account, config, noop],
    );
    if (tx.commit()) trees.push({ account, config, creator });
  };
  /** Calls Bubblegum, which logs the leaf through the program without effects, and has the tree changed. */
  const change = (
    tree: Tree,
    payer: Account,
    owners: readonly Account[],
    [call, effect]: readonly [string, string],
  ) => {
    const tx = economy.begin(payer, { priority: random.integer(100, 4000), lookup: true });
    for (const owner of owners) {
      const parties = [tree.config, owner, owner, tree.account, payer, noop, compression, system];
      const index = tx.add(bubblegum, call, `bubblegum:${call}`, parties);
      tx.instruction(noop, "noop", "noop", index, { event: "leafSchema" });
      tx.addAccounts(tx.instruction(compression, effect, effect, index), tree.account, tree.config, noop);
    }
    tx.commit();
  };
  return [
    {
      weight: 5,
      act() {
        if (trees.length === 0 || random.chance(0.03)) plant();
        const tree = trees[random.integer(0, trees.length - 1)];
        if (!tree) return;
        if (random.chance(0.25)) {
          const owner = wallets.pickWithSol(lamports(0.01));
          change(tree, owner, [owner], ["transfer", "replaceLeaf"]);
          return;
        }
        const owners = Array.from({ length: random.integer(1, BATCH) }, () => wallets.pickUser());
        change(tree, wallets.ensureFunds(tree.creator, lamports(0.01)), owners, ["mintV1", "append"]);
      },
    },
  ];
}
