/** A chain of eight blocks over 95 days with an example of every kind of data. */
import { JUPITER, NATIVE_SOL, USDC, WRAPPED_SOL } from "../../src/catalogue/samples.ts";
import type { BlockSource, TokenFact } from "../../src/chain/ledger/source/source.ts";
import { addressFor, Chain, defiType, nftType, PROGRAMS, RENT, signatureFor } from "./chain.ts";

const SOL = 1_000_000_000n;
const USD = 1_000_000n;
const START = 1_700_000_000;
const HOUR = 3600;
const DAY = 24 * HOUR;

const RAYDIUM = "675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUtptC8".slice(0, 44);
const MARKET = "M2mx93ekt1fmXSVkTrUL9xVFHkmME8HTUi5Cyc5aF7K";

/** The entities of the tiny chain by name. */
export const at = {
  alice: addressFor("alice"),
  bob: addressFor("bob"),
  carol: addressFor("carol"),
  dave: addressFor("dave"),
  whale: addressFor("whale"),
  leader: addressFor("leader"),
  voter: addressFor("voter"),
  usdc: USDC,
  wsol: WRAPPED_SOL,
  sol: NATIVE_SOL,
  cat: addressFor("cat mint"),
  lp: addressFor("lp mint"),
  nft: addressFor("nft one"),
  nftTwo: addressFor("nft two"),
  collection: addressFor("collection"),
  collectionHex: "ab".repeat(32),
  solPool: addressFor("sol pool"),
  catPool: addressFor("cat pool"),
  stake: addressFor("stake account"),
  raydium: RAYDIUM,
  jupiter: JUPITER,
  market: MARKET,
  programs: PROGRAMS,
  /** Token accounts. */
  aliceUsdc: addressFor("alice usdc"),
  aliceWsol: addressFor("alice wsol"),
  aliceCat: addressFor("alice cat"),
  aliceLp: addressFor("alice lp"),
  aliceNft: addressFor("alice nft"),
  aliceNftTwo: addressFor("alice nft two"),
  bobUsdc: addressFor("bob usdc"),
  bobCat: addressFor("bob cat"),
  bobNft: addressFor("bob nft"),
  daveUsdc: addressFor("dave usdc"),
  closed: addressFor("bob closed"),
  /** Signatures. */
  genesis: signatureFor("genesis"),
  fundCarol: signatureFor("fund carol"),
  mint: signatureFor("mint tokens"),
  pools: signatureFor("create pools"),
  firstSwap: signatureFor("first swap"),
  createStake: signatureFor("create stake"),
  burn: signatureFor("burn cat"),
  vote: signatureFor("vote 1"),
  mintNft: signatureFor("mint nft"),
  listNft: signatureFor("list nft"),
  aggregated: signatureFor("aggregated swap"),
  failed: signatureFor("failed swap"),
  sellNft: signatureFor("sell nft"),
  closeAccount: signatureFor("close account"),
  giveAway: signatureFor("give account away"),
  bigTransfer: signatureFor("big transfer"),
  lastSwap: signatureFor("last swap"),
} as const;

const side = (owner: string, account?: string) => (account === undefined ? { owner } : { owner, account });
const vault = (pool: string, token: string) =>
  addressFor(`${token === WRAPPED_SOL ? "w" : token.slice(0, 4)} vault ${pool.slice(0, 12)}`);

const fungible = (address: string, symbol: string, decimals: number, rest: Partial<TokenFact> = {}): TokenFact => ({
  ...{ address, kind: "fungible", name: `${symbol} token`, symbol, decimals, program: PROGRAMS.token, reputation: 90 },
  ...rest,
});

/** Creates the source of the tiny chain. */
export function tinySource(): BlockSource & { readonly chain: Chain } {
  const chain = new Chain(at.leader);
  for (const write of [genesis, tokens, pools, earlyDays, nftDays, busyDay, lastDay, newest]) write(chain);
  const { blocks } = chain;
  return { id: "tiny", end: blocks.at(-1)?.time ?? 0, blocks: () => blocks, chain };
}

function genesis(chain: Chain): void {
  const { loader, system } = PROGRAMS;
  for (const address of Object.values(PROGRAMS)) chain.account(address, "program", loader);
  for (const program of [RAYDIUM, JUPITER, MARKET]) chain.account(program, "program", system);
  for (const name of ["alice", "bob", "whale", "leader"]) chain.account(name);
  chain.account("carol");
  chain.account("voter", "vote_account", PROGRAMS.vote);
  chain.facts.programs.push(
    { address: system, name: "System Program" },
    { address: PROGRAMS.token, name: "Token Program" },
    { address: PROGRAMS.stake, name: "Stake Program" },
    { address: PROGRAMS.vote, name: "Vote Program" },
    { address: RAYDIUM, name: "Raydium Liquidity Pool V4", platform: "raydium" },
    { address: JUPITER, name: "Jupiter Aggregator v6", platform: "jupiter" },
    { address: MARKET, name: "Magic Eden V2" },
  );
  chain.facts.platforms.push(
    { id: "raydium", name: "Raydium", website: "https://raydium.io", description: "Pools" },
    { id: "jupiter", name: "Jupiter", website: "https://jup.ag", description: "Routes" },
  );
  chain.facts.labels.push(
    { address: at.alice, label: "Alice's wallet", tags: ["trader", "maker"], type: "address", domain: "alice.sol" },
    { address: RAYDIUM, label: "Raydium", icon: "https://raydium.io/icon.png", tags: ["dex"], type: "program" },
  );
  chain.transaction("genesis", at.alice, { genesis: true }, (draft) => {
    draft.call(system, "genesis");
    for (const [account, amount] of [
      [at.alice, 100_000n * SOL],
      [at.bob, 500n * SOL],
      [at.whale, 10_000_000n * SOL + 1n], // beyond 2^53
      [at.leader, SOL],
      [at.voter, SOL],
    ] as const) {
      draft.change(account, account, NATIVE_SOL, amount);
    }
  });
  chain.transaction("fund carol", at.alice, {}, (draft) => draft.sol(at.alice, at.carol, 20n * SOL));
  chain.close(START);
}

/** Opens a token account at the expense of a payer. */
function open(
  chain: Chain,
  draft: Parameters<Parameters<Chain["transaction"]>[3] & object>[0],
  payer: string,
  name: string,
  owner: string,
  token: string,
): string {
  const account = chain.tokenAccount(owner, token, name);
  draft.sol(payer, account, RENT, "CREATE_ACCOUNT", draft.call(PROGRAMS.associated, "createIdempotent"));
  return account;
}

function tokens(chain: Chain): void {
  for (const mint of [USDC, WRAPPED_SOL]) chain.account(mint, "mint", PROGRAMS.token);
  chain.account("cat mint", "mint", PROGRAMS.token);
  chain.transaction("mint tokens", at.alice, { priorityFee: 1000, version: 0 }, (draft) => {
    for (const mint of [USDC, at.cat]) draft.sol(at.alice, mint, 1_461_600n, "CREATE_ACCOUNT");
    for (const [name, owner, token] of [
      ["alice usdc", at.alice, USDC],
      ["alice wsol", at.alice, WRAPPED_SOL],
      ["alice cat", at.alice, at.cat],
      ["bob usdc", at.bob, USDC],
      ["bob cat", at.bob, at.cat],
    ] as const) {
      open(chain, draft, at.alice, name, owner, token);
    }
    const from = side(at.alice);
    draft.token(USDC, from, side(at.alice, at.aliceUsdc), 1_000_000n * USD, { type: "MINT", value: 1_000_000n * USD });
    draft.token(USDC, from, side(at.bob, at.bobUsdc), 50_000n * USD, { type: "MINT", value: 50_000n * USD });
    draft.token(at.cat, from, side(at.alice, at.aliceCat), 9_007_199_254_740_993n * 100n, { type: "MINT" });
    // Wrapping: lamports become the token account's tokens.
    draft.call(PROGRAMS.token, "syncNative");
    draft.change(at.alice, at.alice, NATIVE_SOL, -2_000n * SOL);
    draft.change(at.aliceWsol, at.alice, WRAPPED_SOL, 2_000n * SOL);
  });
  const origin = { creator: at.alice, created: at.mint, firstMint: at.mint };
  chain.facts.tokens.push(
    fungible(USDC, "USDC", 6, { ...origin, mintAuthority: at.alice, freezeAuthority: at.alice, name: "USD Coin" }),
    fungible(WRAPPED_SOL, "WSOL", 9, { name: "Wrapped SOL", icon: "https://solana.com/icon.png" }),
    fungible(at.cat, "CAT", 9, {
      ...origin,
      metadataUri: "https://cat.example/cat.json",
      metadata: { name: "Cat", symbol: "CAT" },
      platform: "raydium",
      reputation: 30,
    }),
  );
  chain.close(START + HOUR);
}

function pools(chain: Chain): void {
  const { raydium, alice } = at;
  chain.account("lp mint", "mint", PROGRAMS.token);
  const base = { program: raydium, creator: alice, created: at.pools, feeBps: 25 };
  chain.transaction("create pools", alice, {}, (draft) => {
    for (const [name, pool, token1, amount1, token2, amount2, value] of [
      ["sol pool", at.solPool, WRAPPED_SOL, 1_000n * SOL, USDC, 100_000n * USD, 200_000n * USD],
      ["cat pool", at.catPool, USDC, 10_000n * USD, at.cat, 10_000_000_000_000_000n, 20_000n * USD],
    ] as const) {
      chain.account(name, "pool", raydium);
      const instruction = draft.call(raydium, "initialize2", { parsedType: "raydium:create" });
      const legs = [
        [token1, amount1],
        [token2, amount2],
      ] as const;
      for (const [token, amount] of legs) {
        const account = chain.tokenAccount(
          pool,
          token,
          `${token === WRAPPED_SOL ? "w" : token.slice(0, 4)} vault ${pool.slice(0, 12)}`,
        );
        draft.sol(alice, account, RENT, "CREATE_ACCOUNT", instruction);
        const from = token === WRAPPED_SOL ? at.aliceWsol : token === USDC ? at.aliceUsdc : at.aliceCat;
        draft.token(token, side(alice, from), side(pool, account), amount, { value: value / 2n, parent: instruction });
      }
      const what = { token1, amount1, token2, amount2, value };
      const route = { pool, program: raydium, isTrade: false, ...what };
      draft.defi.push({
        instruction,
        type: defiType("POOL_CREATE"),
        from: alice,
        to: pool,
        platform: raydium,
        ...what,
        routes: [],
      });
      draft.defi.push({
        instruction,
        type: defiType("TOKEN_ADD_LIQ"),
        from: alice,
        to: pool,
        platform: raydium,
        ...what,
        routes: [route],
      });
    }
    const aliceLp = open(chain, draft, alice, "alice lp", alice, at.lp);
    draft.token(at.lp, side(alice), side(alice, aliceLp), 5_000n, { type: "MINT" });
  });
  chain.facts.tokens.push(fungible(at.lp, "LP", 0, { creator: alice, created: at.pools, firstMint: at.pools }));
  chain.facts.pools.push(
    {
      ...base,
      address: at.solPool,
      token1: WRAPPED_SOL,
      token2: USDC,
      vault1: vault(at.solPool, WRAPPED_SOL),
      vault2: vault(at.solPool, USDC),
      lp: at.lp,
    },
    {
      ...base,
      address: at.catPool,
      token1: USDC,
      token2: at.cat,
      vault1: vault(at.catPool, USDC),
      vault2: vault(at.catPool, at.cat),
    },
  );
  chain.close(START + 2 * DAY);
}

interface Leg {
  readonly pool: string;
  readonly token1: string;
  readonly account1: string;
  readonly amount1: bigint;
  readonly token2: string;
  readonly account2: string;
  readonly amount2: bigint;
  readonly value: bigint;
  readonly prices: readonly (readonly [string, number])[];
}

/** Adds both transfers of a trade and returns its route. */
function trade(
  draft: Parameters<Parameters<Chain["transaction"]>[3] & object>[0],
  trader: string,
  instruction: number,
  leg: Leg,
) {
  const { pool, token1, account1, amount1, token2, account2, amount2, value, prices } = leg;
  const options = { value, parent: instruction };
  draft.token(token1, side(trader, account1), side(pool, vault(pool, token1)), amount1, options);
  draft.token(token2, side(pool, vault(pool, token2)), side(trader, account2), amount2, options);
  return { pool, program: RAYDIUM, isTrade: true, token1, amount1, token2, amount2, value, prices };
}

/** A swap in one pool. */
function swap(chain: Chain, name: string, trader: string, leg: Leg): void {
  chain.transaction(name, trader, { version: 0 }, (draft) => {
    const instruction = draft.call(RAYDIUM, "swapBaseIn", { parsedType: "raydium:swap" });
    const { pool, token1, amount1, token2, amount2, value } = leg;
    const routes = [trade(draft, trader, instruction, leg)];
    const sides = { from: trader, to: trader, platform: RAYDIUM, token1, amount1, token2, amount2, value };
    draft.defi.push({ instruction, type: defiType("TOKEN_SWAP"), ...sides, to: pool, routes });
  });
}

const catForUsdc = (usd: bigint, cat: bigint, price: number): Leg => ({
  ...{ pool: at.catPool, token1: USDC, account1: at.bobUsdc, amount1: usd * USD },
  ...{ token2: at.cat, account2: at.bobCat, amount2: cat, value: usd * USD, prices: [[at.cat, price]] },
});
const usdcForSol = (sol: bigint, usd: bigint, price: number): Leg => ({
  ...{ pool: at.solPool, token1: WRAPPED_SOL, account1: at.aliceWsol, amount1: sol * SOL },
  ...{ token2: USDC, account2: at.aliceUsdc, amount2: usd * USD, value: usd * USD },
  prices: [
    [WRAPPED_SOL, price],
    [USDC, 1],
  ],
});

function earlyDays(chain: Chain): void {
  swap(chain, "first swap", at.bob, catForUsdc(100n, 100_000_000_000_000n, 0.001));
  swap(chain, "early sol swap", at.alice, usdcForSol(1n, 100n, 100));
  chain.account("stake account", "stake_account", PROGRAMS.stake);
  chain.facts.stakeAccounts.push({
    ...{ address: at.stake, staker: at.carol, withdrawer: at.carol, voter: at.voter },
    ...{ delegated: 10n * SOL, activationEpoch: 1 },
  });
  chain.transaction("create stake", at.carol, {}, (draft) => {
    draft.sol(at.carol, at.stake, 10n * SOL + 2_282_880n, "CREATE_ACCOUNT");
    draft.call(PROGRAMS.stake, "initialize", { info: { stakeAccount: at.stake } });
    draft.call(PROGRAMS.stake, "delegate", { info: { voteAccount: at.voter } });
  });
  chain.transaction("burn cat", at.alice, {}, (draft) =>
    draft.token(at.cat, side(at.alice, at.aliceCat), side(at.cat), 1_000n, { type: "BURN" }),
  );
  chain.transaction("vote 1", at.voter, { vote: true }, (draft) => draft.call(PROGRAMS.vote, "vote"));
  chain.close(START + 60 * DAY);
}

function nftDays(chain: Chain): void {
  const { alice, bob, collection } = at;
  chain.account("collection", "mint", PROGRAMS.token);
  chain.facts.nftCollections.push({ address: collection, hex: at.collectionHex, name: "Tiny Apes", symbol: "TAPE" });
  chain.transaction("mint nft", alice, {}, (draft) => {
    for (const [name, address, holder, number] of [
      ["nft one", at.nft, "alice nft", 1],
      ["nft two", at.nftTwo, "alice nft two", 2],
    ] as const) {
      chain.account(name, "mint", PROGRAMS.token);
      draft.sol(alice, address, 1_461_600n, "CREATE_ACCOUNT");
      const account = open(chain, draft, alice, holder, alice, address);
      draft.token(address, side(alice), side(alice, account), 1n, { type: "MINT" });
      chain.facts.tokens.push({
        ...fungible(address, "TAPE", 0, { creator: alice, created: at.mintNft, firstMint: at.mintNft }),
        ...{ kind: "nft", name: `Tiny Ape #${number}` },
      });
      const meta = {
        name: `Tiny Ape #${number}`,
        image: "https://apes.example/1.png",
        attributes: [{ trait_type: "Hat", value: "Red" }],
      };
      const data = {
        name: meta.name,
        symbol: "TAPE",
        uri: "https://apes.example/1.json",
        sellerFeeBasisPoints: 500,
        creators: [],
      };
      chain.facts.nfts.push({ address, collection, number, data, meta, minted: at.mintNft });
    }
  });
  const listing = (name: string, nft: string, price: bigint) =>
    chain.transaction(name, alice, {}, (draft) => {
      draft.call(MARKET, "sell");
      draft.nfts.push({
        type: nftType("LISTING"),
        nft,
        collection,
        from: alice,
        marketplace: MARKET,
        price,
        currency: NATIVE_SOL,
      });
    });
  listing("list nft", at.nft, 3n * SOL);
  listing("list nft two", at.nftTwo, 5n * SOL);
  chain.transaction("bid nft", bob, {}, (draft) => {
    draft.call(MARKET, "buy");
    draft.nfts.push({
      type: nftType("BIDDING"),
      nft: at.nft,
      collection,
      from: bob,
      marketplace: MARKET,
      price: 2n * SOL,
      currency: NATIVE_SOL,
    });
  });
  swap(chain, "second swap", bob, catForUsdc(50n, 40_000_000_000_000n, 0.00125));
  chain.close(START + 93 * DAY);
}

function busyDay(chain: Chain): void {
  const { alice, bob, jupiter } = at;
  chain.transaction("aggregated swap", alice, { version: 0, priorityFee: 20_000 }, (draft) => {
    const instruction = draft.call(jupiter, "route", { parsedType: "jupiter:route" });
    const hop = () => draft.call(RAYDIUM, "swapBaseIn", { parsedType: "raydium:swap", parent: instruction });
    const first = trade(draft, alice, hop(), usdcForSol(2n, 202n, 101));
    const catLeg = { ...catForUsdc(202n, 150_000_000_000_000n, 0.0013), account1: at.aliceUsdc, account2: at.aliceCat };
    const second = trade(draft, alice, hop(), catLeg);
    const what = {
      token1: WRAPPED_SOL,
      amount1: 2n * SOL,
      token2: at.cat,
      amount2: 150_000_000_000_000n,
      value: 202n * USD,
    };
    const route = { pool: jupiter, program: jupiter, isTrade: false, ...what, children: [first, second] };
    draft.defi.push({
      instruction,
      type: defiType("AGG_TOKEN_SWAP"),
      from: alice,
      to: alice,
      platform: jupiter,
      ...what,
      routes: [route],
    });
  });
  chain.transaction(
    "failed swap",
    bob,
    { error: "custom program error: 0x1771", logs: ["Program log: slippage", "failed"] },
    (draft) => draft.call(jupiter, "route", { parsedType: "jupiter:route" }),
  );
  chain.transaction("sell nft", bob, {}, (draft) => {
    const price = 3n * SOL;
    const instruction = draft.call(MARKET, "executeSaleV2");
    const account = open(chain, draft, bob, "bob nft", bob, at.nft);
    draft.sol(bob, alice, price, "TRANSFER", instruction);
    draft.token(at.nft, side(alice, at.aliceNft), side(bob, account), 1n, { parent: instruction });
    draft.nfts.push({
      type: nftType("SOLD"),
      nft: at.nft,
      collection: at.collection,
      from: alice,
      to: bob,
      marketplace: MARKET,
      price,
      currency: NATIVE_SOL,
    });
  });
  chain.close(START + 93 * DAY + 20 * HOUR);
}

function lastDay(chain: Chain): void {
  const { alice, bob, carol } = at;
  chain.account("dave");
  chain.transaction("fund dave", bob, {}, (draft) => draft.sol(bob, at.dave, 2n * SOL));
  chain.transaction("open closed", bob, {}, (draft) => open(chain, draft, bob, "bob closed", bob, USDC));
  chain.transaction("open dave usdc", carol, {}, (draft) => {
    const account = open(chain, draft, carol, "dave usdc", carol, USDC);
    draft.token(USDC, side(alice, at.aliceUsdc), side(carol, account), 700n * USD, { value: 700n * USD });
  });
  chain.transaction("vote 2", at.voter, { vote: true }, (draft) => draft.call(PROGRAMS.vote, "vote"));
  chain.reward(at.stake, "staking", 12_345_678n, 7, 5);
  chain.close(START + 94 * DAY + 10 * HOUR);
}

function newest(chain: Chain): void {
  const { alice, bob, whale } = at;
  chain.transaction("close account", bob, {}, (draft) => {
    draft.call(PROGRAMS.token, "closeAccount");
    draft.sol(at.closed, bob, RENT, "CLOSE_ACCOUNT", 0);
  });
  chain.facts.tokenAccounts.push({ address: at.closed, token: USDC, owner: bob, closed: true });
  chain.transaction("give account away", at.carol, {}, (draft) => {
    const instruction = draft.call(PROGRAMS.token, "setAuthority", { parsedType: "setAuthority" });
    const sides = { from: at.carol, fromAccount: at.daveUsdc, to: at.dave, toAccount: at.daveUsdc };
    draft.transfers.push({ instruction, type: 9, ...sides, token: USDC, amount: 700n * USD, value: 700n * USD });
  });
  chain.facts.tokenAccounts.push({ address: at.daveUsdc, token: USDC, owner: at.dave });
  chain.transaction("big transfer", whale, {}, (draft) => draft.sol(whale, bob, 9_999_999n * SOL + 7n));
  swap(chain, "last swap", alice, usdcForSol(10n, 990n, 99));
  chain.facts.stakeAccounts.push({
    ...{ address: at.stake, staker: at.carol, withdrawer: at.carol, voter: at.voter },
    ...{ delegated: 10n * SOL, activationEpoch: 1, deactivationEpoch: 9 },
  });
  chain.close(START + 94 * DAY + 12 * HOUR);
}
