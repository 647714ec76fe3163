/** Payers: users, exchanges, treasuries, whales, chains of new wallets, and owners who close accounts. */
import { Buffer } from "node:buffer";
import { DAY_SECONDS } from "../../../base/index.ts";
import { durableNonce, NATIVE_LAYOUTS, rentOfLayout } from "../../solana/index.ts";
import type { Actor, WorldContext } from "../context.ts";
import { TREASURIES, USER_DOMAINS, WHALES } from "../data/profiles.ts";
import type { Account, Holding, Token } from "../economy/accounts.ts";
import { TOP_LEVEL } from "../economy/instructions.ts";
import { labelAccount } from "../genesis.ts";
import { lamports, SOL } from "./wallets.ts";

const isTransferable = ({ open, amount, token }: Holding): boolean =>
  open &&
  amount > 0n &&
  token.spec.kind === "fungible" &&
  !token.abandoned &&
  token.isTransferable &&
  token.transferFeeBps === 0n;

/** Returns a fungible token of an account and its balance, after skipping `skip` of them; undefined without one. */
function findHolding(account: Account, skip: number): readonly [Token, bigint] | undefined {
  let remaining = skip;
  for (const holding of account.holdings.values()) {
    if (isTransferable(holding) && remaining-- <= 0) return [holding.token, holding.amount];
  }
  return undefined;
}

/** Returns users who pay each other in SOL and in tokens. */
export function createPayers({ economy, wallets, random: root }: WorldContext): Actor[] {
  const random = root.fork("payers");
  const { memo: memoProgram } = economy.programs;
  const paySol = (): void => {
    const from = wallets.pickUser();
    const to = wallets.pickOtherUser(from);
    const amount = lamports(random.roundSometimes(random.heavyTailed(0.01, 400)));
    if (random.chance(0.95)) wallets.ensureFunds(from, amount);
    const tx = economy.begin(from, random.chance(0.4) ? { priority: random.integer(100, 20_000) } : {});
    tx.transferSol(from, to, amount);
    if (random.chance(0.05)) tx.instruction(memoProgram, "memo", "memo", TOP_LEVEL, { memo: "thanks" });
    tx.commit();
  };
  const payTokens = (): void => {
    const from = wallets.pickUser();
    const to = wallets.pickOtherUser(from);
    const [token, balance] = findHolding(from, random.integer(0, 3)) ??
      findHolding(from, 0) ?? [economy.sol, from.lamports];
    const amount = random.chance(0.01) ? 0n : (balance * BigInt(random.integer(10, 600)) + 999n) / 1000n;
    const options = random.chance(0.6) ? { priority: random.integer(100, 50_000) } : {};
    wallets.sendTokens(from, to, token, amount, options);
  };
  return [
    { weight: 78, act: paySol },
    { weight: 78, act: payTokens },
  ];
}

/** Returns exchanges that receive deposits and pay withdrawals, single or in batches. */
export function createExchanges({ economy, wallets, market, random: root, size }: WorldContext): Actor[] {
  const random = root.fork("exchanges");
  const userCount = 40 + Math.round(size < 1 ? 560 * size : 400 + 160 * size);
  for (let index = 0; index < 30 + userCount / 4; index++) {
    const account = wallets.addUser();
    const domain = index % 3 === 0 ? USER_DOMAINS[index / 3] : undefined;
    if (domain !== undefined) economy.label(account, { domain, type: "address" });
  }
  const pay = (): void => {
    const exchange = random.chance(0.7) ? (wallets.exchanges[0] as Account) : wallets.pickExchange();
    const isInDollars = random.chance(0.4);
    let count = random.chance(0.4) ? random.integer(2, 5) : 1;
    const tx = economy.begin(exchange, { priority: random.integer(500, 5000), usesLookupTable: count > 1 });
    for (; count > 0; count--) {
      const to = wallets.pickUser();
      const token = isInDollars ? market.usdc : economy.sol;
      const whole = isInDollars ? random.heavyTailed(20, 50_000) : random.heavyTailed(0.1, 300);
      tx.transferToken(exchange, to, token, token.toBaseUnits(random.roundSometimes(whole)));
    }
    tx.commit();
  };
  const deposit = (): void => {
    const from = wallets.pickUser();
    const exchange = wallets.pickExchange();
    const dollars = from.balance(market.usdc);
    if (dollars > 50_000_000n) wallets.sendTokens(from, exchange, market.usdc, (dollars * 9n) / 10n);
    else wallets.sendTokens(from, exchange, economy.sol, wallets.spendable(from) / 2n);
  };
  const isGrowing = () => wallets.users.length < userCount && random.chance(0.3);
  return [
    { weight: 90, act: () => void (isGrowing() ? wallets.addUser() : pay()) },
    { weight: 28, act: deposit },
  ];
}

const NONCE_RENT = rentOfLayout(NATIVE_LAYOUTS.nonce);

/** Returns the cold wallets of exchanges, whose payments are signed offline: a nonce stands for the recent blockhash. */
export function createColdWallets({ economy, wallets, random: root }: WorldContext): Actor[] {
  const random = root.fork("cold wallets");
  const { system } = economy.programs;
  const nextNonce = () => durableNonce(economy.position.parentHash);
  const nonces = wallets.coldWallets.map((owner) => {
    const account = economy.account("system_account", system.address);
    economy.send(owner, (tx) => {
      tx.createAccount(owner, account, NONCE_RENT);
      tx.addAccounts(tx.call(system, "initializeNonce", "initializeNonce", { nonceAccount: account }), owner);
    });
    return { owner, account, value: nextNonce() };
  });
  const pay = (): void => {
    const nonce = random.pick(nonces);
    const { owner, account, value } = nonce;
    const next = nextNonce();
    // A nonce advances once in a block.
    if (next === value) return;
    const tx = economy.begin(owner, { nonce: value });
    tx.call(system, "advanceNonce", "advanceNonce", { nonceAccount: account, nonceAuthority: owner });
    tx.transferSol(owner, wallets.pickExchange(), lamports(random.roundSometimes(random.heavyTailed(200, 20_000))));
    if (tx.commit()) nonce.value = next;
  };
  return [{ weight: 4, act: pay }];
}

/** Returns treasuries that pay their contributors every month through a multisig. */
export function createTreasuries(context: WorldContext): Actor[] {
  const { economy, wallets, market, random: root } = context;
  const random = root.fork("treasuries");
  const { squads, system } = economy.programs;
  const fundTreasury = (vault: Account, dollars: number) => {
    const exchange = wallets.pickExchange();
    economy.send(exchange, (tx) => {
      tx.transferToken(exchange, vault, market.usdc, market.usdc.toBaseUnits(dollars));
      tx.transferSol(exchange, vault, 50n * SOL);
    });
  };
  const treasuries = TREASURIES.map((profile) => {
    const multisig = economy.derive(squads, ["multisig", "multisig", profile.label]);
    const vault = economy.derive(squads, ["multisig", multisig, "vault", Buffer.of(0)], "system_account", system);
    labelAccount(context, vault, profile);
    fundTreasury(vault, 2_400_000);
    return { multisig, vault, count: 0, members: Array.from({ length: 6 }, () => random.pick(wallets.users)) };
  });
  const payContributors = (treasury: (typeof treasuries)[number], salary: number) => {
    const { multisig, vault, members } = treasury;
    const member = members[0] as Account;
    const tx = economy.begin(wallets.ensureFunds(member, SOL / 10n), { priority: 2000 });
    const index = Buffer.alloc(8);
    index.writeUInt32LE(++treasury.count);
    const transaction = economy.derive(squads, ["multisig", multisig, "transaction", index]);
    const proposal = economy.derive(squads, ["multisig", multisig, "transaction", index, "proposal"]);
    const roles = { multisig, proposal, transaction, member };
    const parent = tx.call(squads, "vaultTransactionExecute", "squads:execute", roles);
    for (const member of members) tx.transferToken(vault, member, market.usdc, market.usdc.toBaseUnits(salary), parent);
    tx.commit();
  };
  return [
    {
      weight: 3,
      act: () => payContributors(random.pick(treasuries), random.integer(1, 40) * 25),
      day() {
        const date = new Date(economy.position.time * 1000).getUTCDate();
        if (date === 1) for (const treasury of treasuries) payContributors(treasury, 6500);
        if (date === 15) fundTreasury(random.pick(treasuries).vault, random.heavyTailed(20_000, 900_000));
      },
    },
  ];
}

/** Returns whales: they make rare, large transfers. */
export function createWhales(context: WorldContext): Actor[] {
  const { economy, wallets, random: root } = context;
  const random = root.fork("whales");
  const whales = WHALES.map((profile) => {
    const whale = economy.wallet();
    labelAccount(context, whale, profile);
    wallets.fund(whale, lamports(900_000));
    wallets.users.push(whale);
    return whale;
  });
  const move = (): void => {
    const [whale, exchange] = [random.pick(whales), wallets.pickExchange()];
    const [from, to] = random.chance(0.5) ? [whale, exchange] : [exchange, whale];
    const amount = lamports(random.roundSometimes(random.heavyTailed(500, 60_000)));
    wallets.sendTokens(from, to, economy.sol, amount, { priority: 10_000 });
  };
  return [{ weight: 4, act: move }];
}

/** Returns users who move funds through a chain of new wallets to hide their origin. */
export function createSybils({ economy, wallets, random: root }: WorldContext): Actor[] {
  const random = root.fork("sybils");
  let latestWallet: Account | undefined;
  let startedAt = 0;
  const move = (): void => {
    const { time } = economy.position;
    if (!latestWallet || wallets.spendable(latestWallet) < SOL || time - startedAt > 10 * DAY_SECONDS) {
      latestWallet = wallets.pickWithSol(lamports(60));
      startedAt = time;
    }
    const [from, next] = [latestWallet, economy.wallet()];
    const amount = (wallets.spendable(from) * BigInt(random.integer(60, 97))) / 100n;
    if (economy.send(from, (tx) => tx.transferSol(from, next, amount))) latestWallet = next;
  };
  return [{ weight: 14, act: move }];
}

/** Returns users who close empty token accounts to recover the rent, burn tokens, or transfer token accounts. */
export function createAccountClosers({ economy, wallets, market, random: root }: WorldContext): Actor[] {
  const random = root.fork("closers");
  const close = (owner: Account): boolean => {
    const empty = [...owner.holdings.values()]
      .filter((holding) => holding.open && holding.amount === 0n && holding.withheld === 0n)
      .slice(0, 3);
    return (
      empty.length > 0 &&
      economy.send(owner, (tx) => {
        for (const holding of empty) tx.closeAccount(holding);
      })
    );
  };
  const closeAny = (): void => {
    for (let attempt = 0; attempt < 8; attempt++) if (close(wallets.pickUser())) return;
    const owner = wallets.pickWithSol(SOL);
    const [token, amount] = findHolding(owner, random.integer(0, 2)) ?? [market.usdc, 0n];
    economy.send(owner, (tx) => {
      tx.transferToken(owner, wallets.pickExchange(), token, amount);
      const emptied = owner.holdings.get(token);
      if (emptied) tx.closeAccount(emptied);
    });
  };
  const burn = (): void => {
    const token = market.token("BONK") ?? market.usdc;
    const holdsToken = (owner: Account) => owner.balance(token) > 1000n;
    const owner =
      wallets.users.find((wallet) => holdsToken(wallet) && random.chance(0.4)) ?? wallets.marketMakers.find(holdsToken);
    if (!owner) return;
    const amount = (owner.balance(token) * BigInt(random.integer(1, 400))) / 1_000_000n;
    economy.send(wallets.ensureFunds(owner, SOL / 10n), (tx) => tx.burn(token, owner, amount), { priority: 1000 });
  };
  const handOver = (): void => {
    const owner = wallets.pickWithSol(SOL);
    const { token } = random.pick(market.listings);
    const newOwner = wallets.pickOtherUser(owner);
    economy.send(owner, (tx) => tx.setOwner(tx.openVault(owner, token), newOwner), { priority: 500 });
  };
  return [
    { weight: 10, act: closeAny },
    { weight: 1.5, act: burn },
    { weight: 5, act: handOver },
  ];
}
