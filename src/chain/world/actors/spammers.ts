/** Spammers: unsolicited tokens that advertise a domain, and dust. */
import type { Actor, WorldContext } from "../context.ts";
import { SPAM_TOKENS } from "../data/names.ts";
import type { Account, Token } from "../economy/accounts.ts";
import { createMint } from "../economy/mints.ts";
import { lamports } from "./wallets.ts";

/** Number of airdrops in one transaction, which is limited in size, and the most transfers of dust. */
const BATCH = 8;
const DUST_BATCH = 12;

/** Returns a spammer that airdrops tokens, and users who send dust to the same wallets repeatedly. */
export function createSpammers({ economy, wallets, random: root }: WorldContext): Actor[] {
  const random = root.fork("spam");
  const spammer = economy.wallet();
  const tokens: Token[] = [];
  const recipients: Account[] = [];
  const mint = (name: string, symbol: string): void => {
    const tx = economy.begin(wallets.ensureFunds(spammer, lamports(40)));
    const spec = {
      kind: "fungible",
      name,
      symbol,
      decimals: random.integer(0, 9),
      reputation: random.integer(0, 30),
    } as const;
    const token = createMint(economy, tx, { spec, creator: spammer });
    tx.mint(token, spammer, token.toBaseUnits(10_000_000));
    if (tx.commit()) tokens.push(token);
  };
  return [
    {
      weight: 8,
      act() {
        const next = SPAM_TOKENS[tokens.length];
        if (next && (tokens.length === 0 || random.chance(0.1))) {
          mint(...next);
          return;
        }
        const token = random.pick(tokens);
        const tx = economy.begin(wallets.ensureFunds(spammer, lamports(10)), { priority: 100, lookup: true });
        const start = random.integer(0, Math.max(0, wallets.users.length - BATCH));
        for (let index = 0; index < BATCH; index++) {
          const to = wallets.users[start + index] ?? wallets.pickUser();
          if (to !== spammer) tx.transferToken(spammer, to, token, token.toBaseUnits(random.integer(1, 50)));
        }
        tx.commit();
      },
    },
    {
      weight: 12,
      act() {
        const from = wallets.pickWithSol(lamports(3));
        const tx = economy.begin(from);
        if (recipients.length < 300) recipients.push(wallets.pickUser());
        for (let count = random.integer(3, DUST_BATCH); count > 0; count--) {
          tx.transferSol(from, random.pick(recipients), lamports(0.000001 * random.integer(1, 9)));
        }
        tx.commit();
      },
    },
  ];
}
