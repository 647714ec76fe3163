/** The economy of a ledger: accounts and tokens as its last block left them, for transactions that continue it. */
import { NATIVE_SOL } from "../../../catalogue/index.ts";
import { type AccountKind, type LedgerReader, simulatedChain } from "../../ledger/index.ts";
import { Random } from "../random.ts";
import { type Account, Holding, Token, type TokenSpec } from "./accounts.ts";
import { Economy } from "./economy.ts";

/** Slots per second. */
const SLOT_RATE = 2.5;

const ACCOUNT = `SELECT a.kind, p.address AS program, CAST(b.amount AS TEXT) AS lamports
  FROM accounts a LEFT JOIN accounts p ON p.id = a.owner_program_id
    LEFT JOIN balances b ON b.account_id = a.id AND b.token_id = 1
  WHERE a.address = ?`;
const TOKEN = `SELECT t.kind, t.name, t.symbol, t.decimals, t.reputation, t.extensions, p.address AS program,
    m.address AS authority, s.price, CAST(s.supply AS TEXT) AS supply
  FROM accounts a JOIN tokens t ON t.id = a.id JOIN accounts p ON p.id = t.program_id
    LEFT JOIN accounts m ON m.id = t.mint_authority_id LEFT JOIN token_stats s ON s.token_id = t.id
  WHERE a.address = ?`;
const HOLDINGS = `SELECT a.address, o.address AS owner, m.address AS mint, CAST(ifnull(b.amount, 0) AS TEXT) AS amount
  FROM token_accounts t JOIN accounts a ON a.id = t.account_id JOIN accounts o ON o.id = t.owner_id
    JOIN accounts m ON m.id = t.token_id
    LEFT JOIN balances b ON b.account_id = t.account_id AND b.token_id = t.token_id
  WHERE t.closed = 0`;
const RICHEST = `SELECT a.address FROM balances b JOIN accounts a ON a.id = b.account_id
  WHERE b.token_id = 1 AND a.kind = 'system_account' AND a.on_curve = 1 AND a.address <> ? ORDER BY b.amount DESC LIMIT 1`;
const LAST_BLOCK = "SELECT slot, time, hash FROM blocks ORDER BY slot DESC LIMIT 1";

/** The economy that follows the last block of a ledger, for one block. Its random values follow from that block. */
export class LedgerEconomy extends Economy {
  readonly #reader: LedgerReader;
  readonly #slot: number;
  readonly #accounts = new Map<string, Account>();
  readonly #holdings = new Map<string, Holding>();

  /** @param time of the block in Unix seconds of the ledger; the last block's if that is later */
  constructor(reader: LedgerReader, time: number) {
    const [last, chain] = [reader.get(LAST_BLOCK), simulatedChain(reader)];
    if (!last || !chain) throw new Error("The ledger has no blocks of a world.");
    super(new Random(`${last.hash} ${last.slot}`));
    this.#reader = reader;
    const { schedule, voters } = chain;
    const passed = Math.max(0, time - Number(last.time));
    const slot = schedule.firstFrom(Number(last.slot) + Math.max(1, Math.floor(passed * SLOT_RATE)));
    this.#slot = slot;
    const parentSlot = schedule.lastUpTo(slot - 1);
    const identities = voters.map(({ identity }) => reader.addressOf(identity));
    this.setVoters(schedule, identities, Number(last.slot));
    const leader = this.load(identities[schedule.leaderAt(slot)] as string);
    this.openBlock({
      slot,
      height: schedule.heightOf(slot),
      time: Number(last.time) + passed,
      parentSlot,
      parentHash: parentSlot === last.slot ? String(last.hash) : undefined,
      leader,
      votes: schedule.votesIn(slot),
    });
  }

  /** Returns an account as the ledger has it; an unknown address is that of a new wallet. */
  load(address: string): Account {
    const loaded = this.#accounts.get(address);
    if (loaded) return loaded;
    const row = this.#reader.get(ACCOUNT, address);
    const account = row
      ? this.account(row.kind as AccountKind, String(row.program ?? ""), { address })
      : this.wallet(address);
    account.lamports = BigInt(row?.lamports ?? 0);
    this.settleVotes(account, this.#slot - 1);
    this.#accounts.set(address, account);
    return account;
  }

  /** Returns a token; undefined when the ledger has no such mint. */
  loadToken(mint: string): Token | undefined {
    const row = this.#reader.get(TOKEN, mint);
    if (!row) return undefined;
    const { kind, name, symbol, decimals, reputation, extensions } = row;
    const spec = {
      ...{ kind, name, symbol, decimals, reputation },
      ...(extensions !== null && { extensions: JSON.parse(String(extensions)) }),
    } as TokenSpec;
    const authority = row.authority === null ? undefined : this.load(String(row.authority));
    const token = mint === NATIVE_SOL ? this.sol : new Token(this.load(mint), spec, this.load(String(row.program)));
    token.published = true;
    token.authority = authority;
    token.price = Number(row.price ?? 0);
    token.supply = BigInt(row.supply ?? 0);
    return token;
  }

  /** Returns the open token accounts of an owner for a token, the largest balance first. */
  loadHoldings(owner: Account, token: Token): readonly Holding[] {
    const rows = this.#reader.all(
      `${HOLDINGS} AND t.owner_id = ? AND t.token_id = ?`,
      ...[owner.address, token.address].map((address) => this.#reader.idOf(address) ?? 0),
    );
    const holdings = rows.map(({ address, amount }) =>
      this.#holding(String(address), owner, token, BigInt(amount ?? 0)),
    );
    return holdings.sort((a, b) => (a.amount < b.amount ? 1 : -1));
  }

  /** Returns the open token account with an address; undefined when there is none. */
  loadTokenAccount(address: string, token: Token): Holding | undefined {
    const row = this.#reader.get(`${HOLDINGS} AND a.address = ? AND m.address = ?`, address, token.address);
    return row && this.#holding(address, this.load(String(row.owner)), token, BigInt(row.amount ?? 0));
  }

  #holding(address: string, owner: Account, token: Token, amount: bigint): Holding {
    const loaded = this.#holdings.get(address);
    if (loaded) return loaded;
    const associated = this.createAssociated(owner, token);
    const isAssociated = associated.account.address === address;
    const holding = isAssociated ? associated : new Holding(this.load(address), token, owner, false);
    holding.amount = amount;
    holding.open = true;
    holding.publishedOpen = true;
    holding.publishedOwner = owner;
    if (isAssociated) owner.setHolding(token, holding);
    this.#holdings.set(address, holding);
    return holding;
  }

  /** Returns the wallet with the most SOL other than `excluded`: it gives what tests need, and takes what they remove. */
  loadFaucet(excluded?: Account): Account {
    return this.load(String(this.#reader.get(RICHEST, excluded?.address ?? "")?.address));
  }

  override createAssociated(owner: Account, token: Token): Holding {
    const holding = super.createAssociated(owner, token);
    const row = this.#reader.get(ACCOUNT, holding.account.address);
    holding.account.lamports = BigInt(row?.lamports ?? 0);
    return holding;
  }

  override publishAccount(account: Account): void {
    if (this.#reader.idOf(account.address) === undefined) super.publishAccount(account);
    else account.published = true;
  }
}
