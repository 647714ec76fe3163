/**
 * Blocks with a mix of transactions like mainnet's, for the measurements of ledgers: most are votes, some exchanges fail,
 * and the others are recorded exchanges with other wallets, tokens and pools. A few subjects are busy in all blocks, and
 * the rest have some rows. The mix is an assumption; what a transaction contains is recorded, but for votes, transfers
 * and the texts of logs.
 */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { encodeBase58, type Json, type JsonObject, parseJson } from "../../src/base/index.ts";
import { NATIVE_SOL } from "../../src/catalogue/index.ts";
import { createKnowledge, transactionsToFacts } from "../../src/chain/indexer/facts/convert.ts";
import {
  encodePositions,
  type Facts,
  type InstructionFact,
  type KeyUse,
  type SourceBlock,
  type TransactionFact,
} from "../../src/chain/ledger/source/source.ts";
import type { ChainLedgerWriter } from "../../src/chain/ledger/store/chain-writer.ts";
import { SLOTS_PER_EPOCH } from "../../src/chain/ledger/store/schema.ts";
import { decodeTransaction } from "../../src/chain/solana/index.ts";

/** Of a hundred transactions. The rest are transfers of SOL. */
const MIX = { votes: 64, failures: 14, exchanges: 14 } as const;

const SYSTEM = "11111111111111111111111111111111";
const VOTE = "Vote111111111111111111111111111111111111111";
const [VOTERS, BUSY_WALLETS, BUSY_VARIANTS] = [1000, 20, 100];
/** The first slot of a chain. */
export const FIRST_SLOT = 900 * SLOTS_PER_EPOCH;
const FIRST_TIME = 1_780_000_000;
const timeOf = (slot: number): number => FIRST_TIME + Math.floor((slot - FIRST_SLOT) * 0.4);

/** The last bytes of addresses that a copy of the blocks has others for: see `copies.ts`. */
export const QUIET_BYTES = [0x51, 0x5a];

const digest = (text: string, bytes: number): Buffer =>
  createHash("shake256", { outputLength: bytes }).update(text).digest();

const addresses = new Map<string, string>();

/** Returns an address for a name. */
function addressFor(name: string, isBusy: boolean): string {
  let address = addresses.get(name);
  if (address === undefined) {
    const bytes = digest(name, 32);
    if (!isBusy) bytes.set(QUIET_BYTES, 30);
    address = encodeBase58(bytes);
    if (addresses.size > 500_000) addresses.clear();
    addresses.set(name, address);
  }
  return address;
}

/** Replaces texts in facts. */
function mapTexts<T>(value: T, replace: (text: string) => string): T {
  if (typeof value === "string") return replace(value) as T;
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, replace)) as T;
  const copy: Record<string, unknown> = {};
  for (const name in value)
    copy[name] = name === "accounts" && typeof value[name] === "string" ? value[name] : mapTexts(value[name], replace);
  return copy as T;
}

/** A recorded exchange, and whom its addresses belong to. */
interface Template {
  readonly facts: Facts;
  readonly transaction: TransactionFact;
  readonly fixed: ReadonlySet<string>;
  readonly personal: ReadonlySet<string>;
  readonly logs: readonly string[];
}

async function readTemplates(): Promise<readonly Template[]> {
  const file = new URL("../../tests/fixtures/solana-swaps.json", import.meta.url);
  const recorded = Object.values(parseJson(readFileSync(file, "utf8")) as JsonObject);
  const blocks = await transactionsToFacts(
    recorded.flatMap((each) => decodeTransaction(each as Json) ?? []),
    { knowledge: createKnowledge() },
  );
  return blocks.flatMap(({ facts, transactions }) =>
    transactions.map((transaction) => {
      const payer = transaction.keys[0]?.address;
      const owned = (facts.tokenAccounts ?? []).filter(({ owner }) => owner === payer);
      const programs = [
        ...transaction.instructions.map(({ program }) => program),
        ...(facts.programs ?? []).map(({ address }) => address),
        ...(facts.accounts ?? []).flatMap(({ address, executable }) => (executable ? [address] : [])),
        ...transaction.defi.map(({ platform }) => platform),
        ...(facts.tokens ?? []).flatMap(({ address, program }) =>
          address.startsWith("So1") ? [address] : [program ?? ""],
        ),
      ];
      return {
        facts,
        transaction,
        fixed: new Set([...programs, NATIVE_SOL]),
        personal: new Set([payer ?? "", ...owned.map(({ address }) => address)]),
        logs: transaction.instructions.flatMap(({ program, type, parent }, at) => [
          `Program ${program} invoke [${parent < 0 ? 1 : 2}]`,
          `Program log: Instruction: ${type}`,
          `Program ${program} consumed ${4000 + 37 * at} of ${400_000 - 9000 * at} compute units`,
          `Program ${program} success`,
        ]),
      };
    }),
  );
}

const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** Yields blocks. Those of other first slots are of the same chain, so that programs can write parts of it. */
export async function* mixedBlocks(first: number, blocks: number, perBlock: number): AsyncGenerator<SourceBlock> {
  const templates = await readTemplates();
  for (let slot = first; slot < first + blocks; slot++) yield mixedBlock(templates, slot, perBlock);
}

/** Blocks that are written together. */
const BLOCKS_AT_ONCE = 4;

/** Writes blocks as an index that catches up does. */
export function writeBlocks(ledger: ChainLedgerWriter, blocks: readonly SourceBlock[]): void {
  for (let at = 0; at < blocks.length; at += BLOCKS_AT_ONCE) {
    const batch = blocks.slice(at, at + BLOCKS_AT_ONCE);
    const next = Number(batch.at(-1)?.slot) + 1;
    ledger.write({ blocks: batch, meta: { next, commitment: "finalized", filter: "" } });
  }
}

function mixedBlock(templates: readonly Template[], slot: number, perBlock: number): SourceBlock {
  const facts: Record<string, unknown[]> = {};
  const known = new Set<string>();
  let state = slot % 2 ** 31;
  const below = (end: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
  const wallet = () => (below(10) === 0 ? `busy ${below(BUSY_WALLETS)}` : `wallet ${slot >> 3} ${below(perBlock)}`);
  const walletAddress = (name: string) => addressFor(name, name.startsWith("busy"));
  const transactions = Array.from({ length: perBlock }, (_, index): TransactionFact => {
    const signature = encodeBase58(digest(`signature ${slot} ${index}`, 64));
    const kind = below(100);
    if (kind < MIX.votes) return voteOf(signature, below(VOTERS), slot);
    const isFailed = kind < MIX.votes + MIX.failures;
    if (!isFailed && kind >= MIX.votes + MIX.failures + MIX.exchanges)
      return transferOf(signature, walletAddress(wallet()), walletAddress(wallet()), BigInt(below(1e9) + 1));
    const template = templates[below(templates.length)] as Template;
    // A busy token and its pools, or those of some blocks.
    const isBusy = below(10) < 6;
    const variant = isBusy ? Math.floor(BUSY_VARIANTS * (below(1000) / 1000) ** 2) : `${slot >> 4} ${below(20)}`;
    const owner = wallet();
    const replace = (text: string) => {
      if (!ADDRESS.test(text) || template.fixed.has(text)) return text;
      if (template.personal.has(text))
        return addressFor(
          `${owner}${text === template.transaction.keys[0]?.address ? "" : text + variant}`,
          owner.startsWith("busy") && isBusy,
        );
      return addressFor(`${text} ${variant}`, isBusy);
    };
    if (!isFailed)
      for (const [name, list] of Object.entries(mapTexts(template.facts, replace)))
        for (const fact of list as readonly { readonly address?: string; readonly id?: string }[]) {
          const id = `${name} ${fact.address ?? fact.id}`;
          if (known.has(id)) continue;
          known.add(id);
          facts[name] = [...(facts[name] ?? []), fact];
        }
    const { logs, transaction } = template;
    if (!isFailed) return { ...mapTexts(transaction, replace), signature, logs, computeUnits: 100_000 + below(1e5) };
    const [payer] = transaction.changes;
    // What would have changed has its lamports.
    const before = new Map(
      transaction.changes.flatMap(({ token, account, pre }) => (token === NATIVE_SOL ? [[account, pre]] : [])),
    );
    const keys = transaction.keys.map((key) => {
      const lamports = key.address === payer?.account ? undefined : (key.lamports ?? before.get(key.address));
      return { ...key, ...(lamports !== undefined && { lamports }) };
    });
    return {
      ...mapTexts(
        { ...transaction, keys, instructions: transaction.instructions.filter(({ parent }) => parent < 0) },
        replace,
      ),
      ...{ signature, transfers: [], defi: [], holdings: [], logs: logs.slice(0, 24), computeUnits: 50_000 },
      changes: payer ? [mapTexts(payer, replace)] : [],
      error: '{"InstructionError":[3,{"Custom":6001}]}',
    };
  });
  const hash = (at: number) => encodeBase58(digest(`block ${at}`, 32));
  const leader = addressFor(`voter ${slot % VOTERS}`, true);
  return {
    ...{ slot, parentSlot: slot - 1, hash: hash(slot), parentHash: hash(slot - 1), height: slot - 1_000_000 },
    ...{ time: timeOf(slot), leader, feeRewards: 20_000_000n },
    ...{ facts: facts as Facts, transactions },
    rewards: [{ account: leader, kind: "fee", epoch: 900, amount: 20_000_000n, post: 10n ** 12n + BigInt(slot) }],
  };
}

const keysOf = (
  ...keys: readonly (readonly [address: string, signer: boolean, lamports: bigint])[]
): readonly KeyUse[] => keys.map(([address, signer, lamports]) => ({ address, signer, writable: true, lamports }));

const plain = { fee: 5000, priorityFee: 0, transfers: [], defi: [], nfts: [] } as const;

const VOTES_IN_TOWER = 31;

/** Returns the bytes of a vote: voters of a slot vote for the same blocks, and seldom differ in the slots before it. */
function towerSync(slot: number, time: number): Uint8Array {
  const bytes = Buffer.alloc(8 + 1 + 2 * VOTES_IN_TOWER);
  bytes.writeBigUInt64LE(BigInt(slot - VOTES_IN_TOWER));
  bytes[8] = VOTES_IN_TOWER;
  for (let at = 0; at < VOTES_IN_TOWER; at++) bytes.set([1, VOTES_IN_TOWER - at], 9 + 2 * at);
  const timestamp = Buffer.alloc(9, 1);
  timestamp.writeBigInt64LE(BigInt(time), 1);
  return Buffer.concat([bytes, digest(`bank ${slot}`, 32), timestamp, digest(`block ${slot}`, 32)]);
}

function voteOf(signature: string, voter: number, slot: number): TransactionFact {
  const [identity, account] = [addressFor(`voter ${voter}`, true), addressFor(`vote ${voter}`, true)];
  const pre = 10n ** 12n - BigInt(slot) * 5000n;
  const data = Uint8Array.from([14, 0, 0, 0, ...towerSync(slot - 1, timeOf(slot))]);
  const instructions: InstructionFact[] = [
    {
      ...{ program: VOTE, type: "towersync", parsedType: "towersync", parent: -1 },
      accounts: encodePositions([1, 0]),
      data,
    },
  ];
  return {
    ...plain,
    ...{ signature, isVote: true, computeUnits: 2100, instructions },
    logs: [`Program ${VOTE} invoke [1]`, `Program ${VOTE} success`],
    keys: keysOf([identity, true, pre - 5000n], [account, false, 27_074_400n], [VOTE, false, 1n]),
    changes: [{ account: identity, owner: identity, token: NATIVE_SOL, pre, post: pre - 5000n }],
  };
}

function transferOf(signature: string, from: string, to: string, amount: bigint): TransactionFact {
  const pre = 10n ** 12n;
  return {
    ...plain,
    ...{ signature, computeUnits: 150 },
    logs: [`Program ${SYSTEM} invoke [1]`, `Program ${SYSTEM} success`],
    keys: keysOf([from, true, pre - amount - 5000n], [to, false, pre + amount], [SYSTEM, false, 1n]),
    instructions: [
      {
        ...{ program: SYSTEM, type: "transfer", parsedType: "transfer", parent: -1 },
        ...{ accounts: encodePositions([0, 1]), data: Uint8Array.from([2, 0, 0, 0, ...digest(signature, 8)]) },
      },
    ],
    transfers: [{ instruction: 0, type: 0, from, to, token: NATIVE_SOL, amount }],
    changes: [
      { account: from, owner: from, token: NATIVE_SOL, pre, post: pre - amount - 5000n },
      ...(to === from ? [] : [{ account: to, owner: to, token: NATIVE_SOL, pre, post: pre + amount }]),
    ],
  };
}
