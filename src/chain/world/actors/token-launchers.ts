/** Token launchers: new tokens and their pools. */
import type { Actor, WorldContext } from "../context.ts";
import { createSymbol, TOKEN_THEMES, type TokenTheme } from "../data/names.ts";
import { PLATFORM_FACTS } from "../data/platforms.ts";
import type { ProgramName } from "../data/programs.ts";
import { arweaveUri, communityUri, ipfsUri } from "../data/uris.ts";
import type { Account, Token, TokenSpec } from "../economy/accounts.ts";
import { TOP_LEVEL } from "../economy/instructions.ts";
import { createMint, revokeMintAuthority } from "../economy/mints.ts";
import { raydiumAuthority } from "../genesis.ts";
import { createPool } from "../markets/liquidity.ts";
import type { ExchangeName } from "../markets/pools.ts";
import { lamports, SOL } from "./wallets.ts";

interface Launchpad {
  readonly program: ProgramName;
  readonly platform: string;
  /** Base58 digits at the end of the mints' addresses. */
  readonly suffix?: string;
  readonly exchange: ExchangeName;
}

const LAUNCHPADS: readonly Launchpad[] = [
  { program: "raydiumLaunchlab", platform: "letsbonkfun_launchpad", suffix: "bonk", exchange: "clmm" },
  { program: "raydiumLaunchlab", platform: "raydium_launchlab", exchange: "clmm" },
  { program: "moonshot", platform: "moonshot_launchpad", suffix: "moon", exchange: "meteora" },
  { program: "meteoraDammV2", platform: "bags_launchpad", suffix: "BAGS", exchange: "meteora" },
  { program: "meteoraDammV2", platform: "believe_launchpad", exchange: "meteora" },
  { program: "meteoraDammV2", platform: "jup_studio_launchpad", suffix: "jups", exchange: "orca" },
];

/** Maximum supply of a token in base units: sums of transfers stay below 2^63. */
const MAX_SUPPLY = 6e17;

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
      ...(launchpad && { platform: launchpad.platform }),
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
      main: true,
      sendOptions: { priority: 20_000 },
      ...(exchange === "raydium" && { authority: raydiumAuthority(context) }),
    });
  };
  return {
    /** Mints a token and creates its first pool with `funding` lamports. */
    launch(theme: TokenTheme, creator: Account, funding: bigint): void {
      const isLaunched = theme.id === "meme" || (theme.id === "ai" && random.chance(0.5));
      const launchpad = isLaunched ? random.pick(LAUNCHPADS) : undefined;
      const program = launchpad && economy.programs[launchpad.program];
      const spec = createSpec(theme, launchpad);
      const tx = economy.begin(creator, { priority: 50_000, lookup: true });
      const parent = program ? tx.instruction(program, "create", "createToken") : TOP_LEVEL;
      const suffix = launchpad?.suffix === undefined ? {} : { suffix: launchpad.suffix };
      const token = createMint(economy, tx, { spec, creator, parent, ...suffix });
      const units = Math.floor(random.heavyTailed(1_000_000, 2_000_000_000)) * token.unitsPerToken;
      const supply = BigInt(launchpad ? 1e15 : Math.min(units, MAX_SUPPLY));
      tx.mint(token, creator, supply, parent);
      if (launchpad || random.chance(0.6)) revokeMintAuthority(tx, token, parent);
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
      market.listing(token)?.pools.sort((a, b) => Number(b.main) - Number(a.main));
    },
    /** Creates a USDC pool for a token that already has a pool. */
    launchSecondPool(): void {
      const { token: base } = random.pick(market.listings);
      const { usdc: quote } = market;
      const creator = wallets.marketMakers[1] as Account;
      const balance = creator.balance(base);
      if (balance === 0n || base === quote) return;
      const baseAmount = balance / 200n;
      const exchange = random.pick(["orca", "meteora", "clmm"] as const);
      const quoteAmount = quote.amountWorth(Number(base.value(baseAmount)) / 1_000_000);
      createPool(market, { exchange, creator, base, quote, baseAmount, quoteAmount, main: false });
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
  return [
    {
      weight: 3.2,
      open: () => establish(Math.ceil(established / 3)),
      day() {
        days = Math.min(days + 1, ESTABLISHING_DAYS);
        const later = established - Math.ceil(established / 3);
        if (count > 0) establish(established - later + Math.floor((later * days) / ESTABLISHING_DAYS));
      },
      act() {
        const funding = lamports(random.heavyTailed(4, 400));
        launcher.launch(random.chance(0.75) ? memes : random.pick(others), wallets.pickWithSol(funding + SOL), funding);
      },
    },
    { weight: 0.4, act: launcher.launchSecondPool },
  ];
}
