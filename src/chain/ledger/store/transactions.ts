/** Writes transactions as rows. */
import { NATIVE_SOL } from "../../../catalogue/index.ts";
import type { DefiFact, InstructionFact, KeyUse, RouteFact, TransactionFact } from "../source/source.ts";
import { storedAmount } from "./amounts.ts";
import { jsonOrNull, type LatestBalances } from "./facts.ts";
import { type IdRegistry, SourceError } from "./registry.ts";
import type { TableWriters } from "./row-writer.ts";
import { firstRow, KEY_FLAGS, ROWS_PER_TRANSACTION, SOL } from "./schema.ts";

const flagsOf = ({ signer, writable, lookupTable = false }: KeyUse): number =>
  Number(signer) * KEY_FLAGS.signer +
  Number(writable) * KEY_FLAGS.writable +
  Number(lookupTable) * KEY_FLAGS.lookupTable;

/** A recent blockhash as the row of a transaction says it: see the table `transactions`. */
export type StoredHash = readonly [slot: number | null, hash: string | null];

const lookupsJson = ({ lookups }: TransactionFact): string | null =>
  jsonOrNull(lookups?.map(({ table, writable, readonly }) => [table, writable, readonly]));

/** Writes transactions and everything that belongs to them. */
export class TransactionWriter {
  readonly #registry: IdRegistry;
  readonly #balances: LatestBalances;
  readonly #tables: TableWriters;

  constructor(tables: TableWriters, registry: IdRegistry, balances: LatestBalances) {
    this.#registry = registry;
    this.#balances = balances;
    this.#tables = tables;
  }

  /** Adds the transaction with this id. @throws SourceError when it has more rows of a kind than ids */
  add(id: number, transaction: TransactionFact, recentBlockhash: StoredHash): void {
    const { signature, fee, priorityFee, error = null, isVote = false, version = null } = transaction;
    const logs = transaction.logs?.join("\n") ?? null;
    const costs = [fee, priorityFee, error, Number(isVote), transaction.computeUnits ?? null, version, logs];
    this.#tables.transactions.add(
      ...[id, signature, ...costs, ...recentBlockhash, lookupsJson(transaction)],
      ...[transaction.otherSignatures?.join(" ") ?? null, transaction.costUnits ?? null],
    );
    const base = firstRow(id);
    this.#addKeys(base, transaction);
    this.#addInstructions(base, transaction.instructions);
    this.#addTransfers(base, transaction);
    this.#addBalances(base, transaction);
    const routes = this.#addDefi(base, transaction.defi);
    const { keys, instructions, transfers, changes } = transaction;
    const maxRows = Math.max(keys.length, instructions.length, transfers.length, changes.length, routes);
    if (maxRows > ROWS_PER_TRANSACTION)
      throw new SourceError(`The transaction ${signature} has ${maxRows} rows of a kind.`);
  }

  #addKeys(base: number, { keys, changes }: TransactionFact): void {
    const { accountId } = this.#registry;
    let changed: ReadonlySet<string> | undefined;
    keys.forEach((key, n) => {
      const { address, lamports } = key;
      const id = accountId(address);
      if (lamports !== undefined)
        changed ??= new Set(changes.flatMap(({ account, token }) => (token === NATIVE_SOL ? [account] : [])));
      const unchanged = lamports === undefined || changed?.has(address) ? null : lamports;
      this.#tables.account_keys.add(base + n, id, flagsOf(key), unchanged === null ? null : storedAmount(unchanged));
      if (unchanged !== null) this.#balances.setUnchanged(id, unchanged);
    });
  }

  #addInstructions(base: number, instructions: readonly InstructionFact[]): void {
    const programs: string[] = [];
    instructions.forEach((instruction, n) => {
      const { program, parent, accounts = "", info, data = null } = instruction;
      const isFirst = !programs.includes(program);
      if (isFirst) programs.push(program);
      const kind = this.#instructionKind(instruction);
      this.#tables.instructions.add(base + n, kind, parent, accounts, jsonOrNull(info), Number(isFirst), data);
    });
  }

  #instructionKind({ program, type, parsedType }: Pick<InstructionFact, "program" | "type" | "parsedType">): number {
    const id = this.#registry.accountId(program);
    return this.#registry.instructionKindId(id, type, parsedType, (kind) =>
      this.#tables.instruction_kinds.add(kind, id, type, parsedType),
    );
  }

  #addBalances(base: number, { changes, holdings = [] }: TransactionFact): void {
    const { accountId, tokenId, requireTokenAccount } = this.#registry;
    const add = (account: string, ownerAddress: string, mint: string, amount: bigint) => {
      const [holder, owner, token] = [accountId(account), accountId(ownerAddress), tokenId(mint)];
      if (token !== SOL) requireTokenAccount(holder, token, owner);
      this.#balances.set(holder, token, owner, amount);
      return [holder, owner, token] as const;
    };
    changes.forEach(({ account, owner, token, pre, post }, n) => {
      const ids = add(account, owner, token, post);
      this.#tables.balance_changes.add(base + n, ...ids, storedAmount(pre), storedAmount(post));
    });
    holdings.forEach(({ account, owner, token, amount }, n) => {
      this.#tables.holdings.add(base + n, ...add(account, owner, token, amount), storedAmount(amount));
    });
  }

  #addTransfers(base: number, { transfers, nfts }: TransactionFact): void {
    const { accountId, optionalAccountId, tokenId } = this.#registry;
    transfers.forEach(({ instruction, type, from, fromAccount, to, toAccount, token, amount, value = null }, n) => {
      const sides = [accountId(from), optionalAccountId(fromAccount), accountId(to), optionalAccountId(toAccount)];
      this.#tables.transfers.add(base + n, instruction, type, ...sides, tokenId(token), storedAmount(amount), value);
    });
    nfts.forEach(({ type, nft, collection, from, to, marketplace, price, currency }, n) => {
      const sides = [
        accountId(nft),
        accountId(collection),
        optionalAccountId(from),
        optionalAccountId(to),
        accountId(marketplace),
      ];
      this.#tables.nft_activities.add(base + n, type, ...sides, storedAmount(price), tokenId(currency));
    });
  }

  #addDefi(base: number, activities: readonly DefiFact[]): number {
    const { accountId } = this.#registry;
    let routes = 0;
    activities.forEach((activity, n) => {
      const { instruction, type, platform, value = null } = activity;
      const trader = accountId(activity.from);
      const parties = [trader, accountId(activity.to), accountId(platform)];
      this.#tables.defi.add(...[base + n, instruction, type, ...parties, ...this.#legs(activity), value]);
      const add = (route: RouteFact, parent: number) => {
        const routeIndex = routes++;
        this.#addRoute(base + routeIndex, [n, parent], trader, route);
        for (const child of route.children ?? []) add(child, routeIndex);
      };
      for (const route of activity.routes) add(route, -1);
    });
    return routes;
  }

  #addRoute(id: number, parents: readonly [activity: number, parent: number], trader: number, route: RouteFact): void {
    const { accountId, tokenId } = this.#registry;
    const { pool, program, isTrade, value = null, prices = [] } = route;
    this.#tables.routes.add(
      ...[id, ...parents, accountId(pool), accountId(program), trader, Number(isTrade)],
      ...[...this.#legs(route), value],
    );
    for (const [token, price] of prices) this.#tables.prices.add(tokenId(token), id, price);
  }

  /** Returns the tokens and amounts of both sides. */
  #legs({ token1, amount1, token2, amount2 }: Pick<RouteFact, "token1" | "amount1" | "token2" | "amount2">) {
    const { tokenId } = this.#registry;
    const second = [
      token2 === undefined ? null : tokenId(token2),
      amount2 === undefined ? null : storedAmount(amount2),
    ];
    return [tokenId(token1), storedAmount(amount1), ...second];
  }
}
