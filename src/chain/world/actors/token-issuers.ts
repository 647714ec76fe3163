/** Issuers of tokens: launches with their pools, tokens with a transfer fee, and spam. */
import type { JsonObject } from "../../../base/index.ts";
import { rentOfLayout, TOKEN_LAYOUTS } from "../../solana/index.ts";
import type { Actor, WorldContext } from "../context.ts";
import {
  arweaveUri,
  communityUri,
  createSymbol,
  ipfsUri,
  SPAM_TOKENS,
  TOKEN_THEMES,
  type TokenTheme,
} from "../data/names.ts";
import { PLATFORM_FACTS, type ProgramName } from "../data/programs.ts";
import type { Account, Token, TokenSpec } from "../economy/accounts.ts";
import { TOP_LEVEL } from "../economy/instructions.ts";
import { raydiumAuthority } from "../genesis.ts";
import type { ExchangeName } from "../markets/exchanges.ts";
import { createPool } from "../markets/market.ts";
import type { Random } from "../random.ts";
import { lamports, SOL } from "./wallets.ts";

interface Launchpad {
  readonly program: ProgramName;
  /** The instruction that creates a token. */
  readonly create: string;
  readonly platform: string;
  /** Base58 digits at the end of the mints' addresses. */
  readonly suffix?: string;
  readonly exchange: ExchangeName;
}

const LAUNCHLAB = { program: "raydiumLaunchlab", create: "initializeV2" } as const;
const CURVES = { program: "meteoraCurves", create: "initializeVirtualPoolWithSplToken" } as const;

const LAUNCHPADS: readonly Launchpad[] = [
  { ...LAUNCHLAB, platform: "letsbonkfun_launchpad", suffix: "bonk", exchange: "clmm" },
  { ...LAUNCHLAB, platform: "raydium_launchlab", exchange: "clmm" },
  { program: "moonshot", create: "tokenMint", platform: "moonshot_launchpad", suffix: "moon", exchange: "meteora" },
  { ...CURVES, platform: "bags_launchpad", suffix: "BAGS", exchange: "meteora" },
  { ...CURVES, platform: "believe_launchpad", exchange: "meteora" },
  { ...CURVES, platform: "jup_studio_launchpad", suffix: "jups", exchange: "orca" },
];

/** Maximum supply of a token in base units: sums of transfers stay below 2^63. */
const MAX_LAUNCHED = 6e17;

/** Returns functions that mint a token with its first pool, and that create a USDC pool for a token that has one. */
function createLauncher(context: WorldContext) {
  const { economy, market, wallets } = context;
  const random = context.random.fork("launches");
  const usedNames = new Set<string>();

  const createName = ({ heads, tails }: TokenTheme): string => {
    let name = "";
    for (let attempt = 0; attempt < 6; attempt++) {
      name = `${random.pick(heads)} ${random.pick(tails)}`;
      if (!usedNames.has(name)) break;
      if (attempt === 5) name += ` ${usedNames.size}`;
    }
    usedNames.add(name);
    return name;
  };
  const createSpec = (theme: TokenTheme, launchpad: Launchpad | undefined): TokenSpec => {
    const name = createName(theme);
    const symbol = createSymbol(name);
    const icon = launchpad ? ipfsUri(random) : arweaveUri(random);
    const site = PLATFORM_FACTS.find(({ id }) => id === launchpad?.platform)?.website;
    const website = launchpad ? communityUri(random) : `https://${name.toLowerCase().replaceAll(" ", "-")}.github.io`;
    const description = `${name} (${symbol}) on Solana.`;
    return {
      kind: "fungible",
      name,
      symbol,
      icon,
      decimals: launchpad ? 6 : random.pick(theme.decimals),
      metadata: {
        ...{ name, symbol, image: icon, description, website },
        ...(site !== undefined && { showName: true, createdOn: site }),
      },
      metadataUri: launchpad ? ipfsUri(random) : arweaveUri(random),
      reputation: random.integer(51, 96),
      platform: launchpad?.platform,
    };
  };
  const openPool = (token: Token, creator: Account, funding: bigint, exchange: ExchangeName): void => {
    const baseAmount = (token.supply * BigInt(random.integer(40, 80))) / 100n;
    const price = Number(economy.sol.value(funding)) / 1_000_000 / (Number(baseAmount) / token.unitsPerToken);
    market.listToken(token, price * random.between(0.7, 2.2), random.between(0.05, 0.3));
    const sides = { base: token, quote: economy.wrapped, baseAmount, quoteAmount: funding };
    createPool(market, {
      exchange,
      creator,
      ...sides,
      isMain: true,
      sendOptions: { priority: 20_000 },
      authority: exchange === "raydium" ? raydiumAuthority(context) : undefined,
    });
  };
  return {
    /** Mints a token and creates its first pool with `funding` lamports. */
    launch(theme: TokenTheme, creator: Account, funding: bigint): void {
      const isLaunched = theme.id === "meme" || (theme.id === "ai" && random.chance(0.5));
      const launchpad = isLaunched ? random.pick(LAUNCHPADS) : undefined;
      const program = launchpad && economy.programs[launchpad.program];
      const spec = createSpec(theme, launchpad);
      const tx = economy.begin(creator, { priority: 50_000, usesLookupTable: true });
      const account = economy.account("mint", economy.programs.token.address, { suffix: launchpad?.suffix });
      const info = { name: spec.name, symbol: spec.symbol, uri: spec.metadataUri };
      const parent = program
        ? tx.call(program, launchpad.create, "createToken", { mint: account, user: creator }, TOP_LEVEL, info)
        : TOP_LEVEL;
      const token = tx.createMint({ spec, creator, parent, account });
      const units = Math.floor(random.heavyTailed(1_000_000, 2_000_000_000)) * token.unitsPerToken;
      const supply = BigInt(launchpad ? 1e15 : Math.min(units, MAX_LAUNCHED));
      tx.mint(token, creator, supply, parent);
      if (launchpad || random.chance(0.6)) tx.setMintAuthority(token, undefined, parent);
      tx.activities.addDefi({
        instruction: parent === TOP_LEVEL ? tx.findInstruction(token.program, "initializeMint2") : parent,
        type: "ACTIVITY_SPL_INIT_MINT",
        from: creator,
        to: token.account,
        platform: program ?? token.program,
        in: { token, amount: supply },
      });
      if (!tx.commit()) return;
      market.registerSymbol(token);
      const exchange = launchpad?.exchange ?? random.pick(["raydium", "orca", "meteora"] as const);
      openPool(token, creator, funding, exchange);
      market.listing(token)?.pools.sort((a, b) => Number(b.isMain) - Number(a.isMain));
    },
    launchSecondPool(): void {
      const { token: base } = random.pick(market.listings);
      const { usdc: quote } = market;
      const creator = wallets.marketMakers[1] as Account;
      const balance = creator.balance(base);
      if (balance === 0n || base === quote) return;
      const baseAmount = balance / 200n;
      const isTaken = (name: ExchangeName) =>
        market.pools.some((pool) => pool.exchange.name === name && pool.base === base && pool.quote === quote);
      const exchange = random.pick(["orca", "meteora", "clmm"] as const);
      if (isTaken(exchange)) return;
      const quoteAmount = quote.amountWorth(Number(base.value(baseAmount)) / 1_000_000);
      if (baseAmount === 0n || quoteAmount === 0n) return;
      createPool(market, { exchange, creator, base, quote, baseAmount, quoteAmount, isMain: false });
    },
  };
}

/** Number of days over which the remaining established tokens are launched. */
const ESTABLISHING_DAYS = 45;

/** Returns users who launch tokens: established tokens early, meme tokens mostly over the whole time. */
export function createTokenLaunchers(context: WorldContext): Actor[] {
  const { wallets, random: root, size } = context;
  const launcher = createLauncher(context);
  const random = root.fork("launchers");
  const [memes, ...others] = TOKEN_THEMES as readonly [TokenTheme, ...TokenTheme[]];
  const established = 8 + Math.round(92 * size);
  let [days, count] = [0, 0];
  const establish = (upTo: number) => {
    for (; count < upTo; count++) {
      const theme = others[count % others.length] as TokenTheme;
      const funding = lamports(random.heavyTailed(400, 20_000));
      const creator = random.chance(0.4) ? (wallets.marketMakers[0] as Account) : wallets.addUser();
      launcher.launch(theme, wallets.ensureFunds(creator, funding + SOL), funding);
    }
  };
  const early = Math.ceil(established / 3);
  establish(early);
  const establishMore = (): void => {
    days = Math.min(days + 1, ESTABLISHING_DAYS);
    establish(early + Math.floor(((established - early) * days) / ESTABLISHING_DAYS));
  };
  const launch = (): void => {
    const funding = lamports(random.heavyTailed(4, 400));
    launcher.launch(random.chance(0.75) ? memes : random.pick(others), wallets.pickWithSol(funding + SOL), funding);
  };
  return [
    { weight: 3.2, act: launch, day: establishMore },
    { weight: 0.4, act: launcher.launchSecondPool },
  ];
}

const TOKENS = [
  { name: "Harborline Credits", symbol: "HLC", decimals: 6, basisPoints: 150 },
  { name: "Meridian Loyalty", symbol: "MLOY", decimals: 2, basisPoints: 300 },
] as const;

const MAX_SUPPLY = 1_000_000_000;
/** Token accounts of which one transaction collects fees. */
const HARVEST = 8;

function feeExtension(authority: string, epoch: number, transferFeeBasisPoints: number) {
  const fee = { epoch, maximumFee: 18446744073709551615n.toString(), transferFeeBasisPoints };
  const state = {
    transferFeeConfigAuthority: authority,
    withdrawWithheldAuthority: authority,
    withheldAmount: 0,
    olderTransferFee: fee,
    newerTransferFee: fee,
  };
  return { extension: "transferFeeConfig", state };
}

/** The properties of a token of Token-2022. */
type ExtendedToken = Pick<TokenSpec, "name" | "symbol" | "decimals" | "extensions">;

/** Creates a token of Token-2022 and mints whole tokens to its issuer. */
function issueExtended(
  { economy }: WorldContext,
  random: Random,
  issuer: Account,
  token: ExtendedToken,
  { supply, containsMetadata = false }: { supply: number; containsMetadata?: boolean },
): Token {
  const { name, symbol } = token;
  const icon = arweaveUri(random);
  const metadata = { icon, metadataUri: arweaveUri(random), metadata: { name, symbol, image: icon } };
  const spec = { kind: "fungible", ...token, ...metadata, reputation: 70 } as const;
  const tx = economy.begin(issuer, { priority: 5000 });
  const created = tx.createMint({ spec, creator: issuer, program: economy.programs.token2022, containsMetadata });
  tx.mint(created, issuer, created.toBaseUnits(supply));
  tx.commit();
  return created;
}

/** Returns the issuers: they distribute their tokens and send transfers between users. */
export function createFeeTokenIssuers(context: WorldContext): Actor[] {
  const { economy, wallets } = context;
  const random = context.random.fork("fee tokens");
  const issued = TOKENS.map(({ basisPoints, ...about }) => {
    const issuer = economy.wallet();
    wallets.fund(issuer, lamports(80));
    const extensions = [feeExtension(issuer.address, economy.epoch, basisPoints)];
    const token = issueExtended(context, random, issuer, { ...about, extensions }, { supply: MAX_SUPPLY });
    return { issuer, token, users: [] as Account[] };
  });
  const send = (): void => {
    const { issuer, token, users } = random.pick(issued);
    const from = users.length > 3 && random.chance(0.7) ? random.pick(users) : issuer;
    const to = wallets.pickOtherUser(from);
    const part = from === issuer ? random.integer(1, 40) : random.integer(1000, 9000);
    const amount = (from.balance(token) * BigInt(part)) / 10_000n;
    if (amount === 0n) return;
    const tx = economy.begin(wallets.ensureFunds(issuer, lamports(1)), { priority: 2000, usesLookupTable: true });
    // The fee is rounded up.
    tx.transferWithFee(from, to, token, amount, (amount * token.transferFeeBps + 9999n) / 10_000n);
    if (tx.commit() && !users.includes(to)) users.push(to);
  };
  /** Collects the fees of the accounts that withhold some, and withdraws them. */
  const collect = (): void => {
    const { issuer, token, users } = random.pick(issued);
    const holdings = users.flatMap((user) => user.holdings.get(token) ?? []).filter(({ withheld }) => withheld > 0n);
    if (holdings.length === 0) return;
    const tx = economy.begin(wallets.ensureFunds(issuer, lamports(1)), { priority: 2000, usesLookupTable: true });
    tx.harvestFees(token, holdings.slice(0, HARVEST));
    if (random.chance(0.6)) tx.withdrawFees(token);
    tx.commit();
  };
  return [
    { weight: 10, act: send },
    { weight: 1, act: collect },
  ];
}

/** Tokens with other extensions: securities that bear interest, cards whose issuer can take them back, badges. */
const REGULATED = [
  ["Cedar Treasury Bill", "CTB", 6, "interestBearingConfig permanentDelegate mintCloseAuthority"],
  ["Quay Card", "QUAY", 2, "transferHook permanentDelegate"],
  ["Lantern Badge", "LANTERN", 0, "nonTransferable"],
] as const;

/** The yearly interest in basis points. */
const INTEREST = 425;

/** Returns the states of extensions of a new mint by their names. */
function extensionStates(authority: string, time: number): Readonly<Record<string, JsonObject>> {
  const rates = { preUpdateAverageRate: INTEREST, currentRate: INTEREST };
  return {
    interestBearingConfig: {
      ...{ rateAuthority: authority, initializationTimestamp: time, lastUpdateTimestamp: time },
      ...rates,
    },
    permanentDelegate: { delegate: authority },
    mintCloseAuthority: { closeAuthority: authority },
    transferHook: { authority, programId: null },
  };
}

const MULTISIG_RENT = rentOfLayout(TOKEN_LAYOUTS.multisig);

/** Creates an account for which two of three wallets sign. */
function createMultisig({ economy }: WorldContext, payer: Account): Account {
  const { token2022 } = economy.programs;
  const multisig = economy.account("account", token2022.address);
  const members = Array.from({ length: 3 }, () => economy.wallet());
  const type = "initializeMultisig2";
  economy.send(payer, (tx) => {
    tx.createAccount(payer, multisig, MULTISIG_RENT);
    tx.addAccounts(tx.instruction(token2022, type, type, TOP_LEVEL, { m: 2 }), multisig, ...members);
  });
  multisig.signers = members.slice(0, 2);
  return multisig;
}

/** Returns the issuer of tokens with extensions of Token-2022, which users receive and mostly keep. */
export function createRegulatedIssuers(context: WorldContext): Actor[] {
  const { economy, wallets } = context;
  const random = context.random.fork("regulated tokens");
  const issuer = economy.wallet();
  wallets.fund(issuer, lamports(80));
  const states = extensionStates(issuer.address, economy.position.time);
  const tokens = REGULATED.map(([name, symbol, decimals, names]) => {
    const extensions = names.split(" ").map((extension) => {
      const state = states[extension];
      return state ? { extension, state } : { extension };
    });
    const about = { name, symbol, decimals, extensions };
    return issueExtended(context, random, issuer, about, { supply: 1, containsMetadata: true });
  });
  const board = createMultisig(context, issuer);
  economy.send(issuer, (tx) => tx.setMintAuthority(tokens[0] as Token, board));
  const issue = (): void => {
    const token = random.pick(tokens);
    const tx = economy.begin(wallets.ensureFunds(issuer, lamports(1)), { priority: 2000 });
    tx.mint(token, wallets.pickUser(), token.toBaseUnits(random.integer(1, 400)));
    tx.commit();
  };
  return [{ weight: 4, act: issue }];
}

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
    const token = tx.createMint({ spec, creator: spammer });
    tx.mint(token, spammer, token.toBaseUnits(10_000_000));
    if (tx.commit()) tokens.push(token);
  };
  const airdrop = (): void => {
    const next = SPAM_TOKENS[tokens.length];
    if (next && (tokens.length === 0 || random.chance(0.1))) {
      mint(...next);
      return;
    }
    const token = random.pick(tokens);
    const tx = economy.begin(wallets.ensureFunds(spammer, lamports(10)), { priority: 100, usesLookupTable: true });
    const start = random.integer(0, Math.max(0, wallets.users.length - BATCH));
    for (let index = 0; index < BATCH; index++) {
      const to = wallets.users[start + index] ?? wallets.pickUser();
      tx.transferToken(spammer, to, token, token.toBaseUnits(random.integer(1, 50)));
    }
    tx.commit();
  };
  const sendDust = (): void => {
    const from = wallets.pickWithSol(lamports(3));
    const tx = economy.begin(from);
    if (recipients.length < 300) recipients.push(wallets.pickUser());
    for (let count = random.integer(3, DUST_BATCH); count > 0; count--) {
      tx.transferSol(from, random.pick(recipients), lamports(0.000001 * random.integer(1, 9)));
    }
    tx.commit();
  };
  return [
    { weight: 8, act: airdrop },
    { weight: 12, act: sendDust },
  ];
}
