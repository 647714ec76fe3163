/**
 * Laws of the accounts of simulated chains: the published clients of the programs decode the data of each of them, and the
 * answers say the same. `LAW_CASES` is the number of accounts of each kind in all worlds; 0 stands for all accounts.
 */
import { getAddressLookupTableDecoder } from "@solana-program/address-lookup-table";
import { getStakeStateAccountDecoder } from "@solana-program/stake";
import { getNonceDecoder } from "@solana-program/system";
import {
  getMintDecoder,
  getMintEncoder,
  getMultisigDecoder,
  getMultisigEncoder,
  getMultisigSize,
  getTokenDecoder,
  getTokenEncoder,
} from "@solana-program/token-2022";
import { beforeAll, describe, expect, test } from "vitest";
import { type Json, type JsonObject, type Numeric, numericText } from "../../src/base/json.ts";
import { PROGRAM, TRANSFER_ACTIVITIES } from "../../src/catalogue/index.ts";
import { readAccountData } from "../../src/chain/ledger/queries/account/data.ts";
import { type AccountState, readState } from "../../src/chain/ledger/queries/account/state.ts";
import { nodeTransaction } from "../../src/chain/ledger/queries/transaction/node-transaction.ts";
import type { LedgerReader } from "../../src/chain/ledger/store/reader.ts";
import { findTransactionId } from "../../src/chain/ledger/store/votes.ts";
import { decodeEdition, parseAccount as parseHere } from "../../src/chain/solana/index.ts";
import { worldLedger } from "../support/ledger.ts";
import { parseAccount } from "../support/node/parse-account.ts";
import { queryData, queryRows } from "../support/query.ts";

const CASES = Number(process.env.LAW_CASES ?? 300) || Number.POSITIVE_INFINITY;
const WORLDS = [
  { seed: "solx", size: 0.05 },
  { seed: "another", size: 0.05 },
  { seed: "Ωmega", size: 0.02 },
];

interface Subject {
  readonly state: AccountState;
  readonly data: Uint8Array;
}

/** What a few of the accounts of a kind are: each of them is sampled as well. */
const RARE = `SELECT DISTINCT a.address FROM instruction_kinds n JOIN instructions i ON i.kind_id = n.id
  JOIN account_keys k ON k.id BETWEEN i.id / 1024 * 1024 AND i.id / 1024 * 1024 + 1023 JOIN accounts a ON a.id = k.account_id
  WHERE n.type IN ('initializeNonce', 'initializeMultisig2', 'mintNewEditionFromMasterEditionViaToken')`;

/** Returns accounts of each kind and program, spread over the ledger. */
function sampleAccounts(reader: LedgerReader): readonly Subject[] {
  const groups = Map.groupBy(
    reader.all("SELECT address, kind, owner_program_id AS owner FROM accounts ORDER BY id"),
    ({ kind, owner }) => `${kind} ${owner}`,
  );
  const count = Math.ceil(CASES / WORLDS.length);
  const sampled = [...groups.values()].flatMap((rows) => {
    const step = Math.max(1, Math.ceil(rows.length / count));
    return rows.filter((_, n) => n % step === 0);
  });
  const addresses = new Set([...sampled, ...reader.all(RARE)].map(({ address }) => String(address)));
  return [...addresses].map((address) => {
    const state = readState(reader, address);
    return { state, data: readAccountData(reader, state)?.bytes ?? new Uint8Array() };
  });
}

/** Decodes an account's data with the published client of its program; undefined for programs without one. */
function decodeByClient({ state: { ownerProgram, tokenId }, data }: Subject): unknown {
  switch (ownerProgram) {
    case PROGRAM.token:
    case PROGRAM.token2022: {
      // What the client encodes again is what it was, as far as it knows it.
      const [decoder, encoder] =
        data.length === getMultisigSize()
          ? [getMultisigDecoder(), getMultisigEncoder()]
          : tokenId === undefined
            ? [getMintDecoder(), getMintEncoder()]
            : [getTokenDecoder(), getTokenEncoder()];
      const decoded = decoder.decode(data);
      expect(Buffer.from(encoder.encode(decoded as never)).toString("hex")).toBe(Buffer.from(data).toString("hex"));
      return decoded;
    }
    case PROGRAM.system:
      return getNonceDecoder().decode(data);
    case PROGRAM.stake:
      return getStakeStateAccountDecoder().decode(data);
    case PROGRAM.lookupTable:
      return getAddressLookupTableDecoder().decode(data);
    default:
      return undefined;
  }
}

const text = (value: Json | undefined): string => (typeof value === "string" ? value : numericText(value as Numeric));
const rentOf = (size: number) => BigInt(size + 128) * 6960n;

describe.each(WORLDS)("the accounts of the world of seed $seed", ({ seed, size }) => {
  let reader: LedgerReader;
  let subjects: readonly Subject[];
  beforeAll(async () => {
    ({ reader } = await worldLedger({ seed, size }));
    subjects = sampleAccounts(reader);
  });
  const ofProgram = (...programs: readonly string[]) =>
    subjects.filter(({ state, data }) => programs.includes(state.ownerProgram ?? "") && data.length > 0);

  test("hold the rent of their data, unless they do not exist", () => {
    for (const { state, data } of subjects) {
      const lamports = BigInt(state.lamports ?? 0);
      if (lamports === 0n) expect(data, state.address).toHaveLength(0);
      else expect(lamports, `${state.kind} ${state.address}`).toBeGreaterThanOrEqual(rentOf(data.length));
    }
  });

  test("have data where a program owns them", () => {
    const owned = subjects
      .filter(({ state }) => state.kind !== "pool")
      .filter(({ state }) => state.lamports !== "0" && state.ownerProgram !== PROGRAM.system);
    const empty = owned
      .filter(({ data }) => data.length === 0)
      .map(({ state }) => `${state.kind} of ${state.ownerProgram}`);
    expect([...new Set(empty)]).toEqual([]);
  });

  test("have data that the published clients decode as it is parsed here", () => {
    const context = { get: () => undefined, time: 0 };
    for (const subject of subjects.filter(({ data }) => data.length > 0)) {
      const { state, data } = subject;
      const { address, ownerProgram = "" } = state;
      decodeByClient(subject);
      const account = { address, owner: ownerProgram, data, lamports: BigInt(state.lamports ?? 0), executable: false };
      const expected = parseAccount(account as never, context) as { program: string; parsed: JsonObject } | undefined;
      if (expected === undefined || state.kind === "token_account") continue;
      const parsed = parseHere(address, ownerProgram, data);
      expect({ program: parsed?.program, type: parsed?.type }, address).toEqual({
        program: expected.program,
        type: expected.parsed.type,
      });
    }
  });

  test("were created with the rent of the space that they have", () => {
    const create = TRANSFER_ACTIVITIES.indexOf("ACTIVITY_SPL_CREATE_ACCOUNT");
    let checked = 0;
    for (const { state, data } of subjects.filter((subject) => subject.data.length > 0)) {
      const row = reader.get(
        `SELECT CAST(t.amount AS TEXT) AS amount FROM account_transfers a JOIN transfers t ON t.id = a.transfer_id
        WHERE a.account_id = ? AND t.to_id = a.account_id AND t.type = ? ORDER BY t.id LIMIT 1`,
        state.id,
        create,
      );
      // Stakes have more than their rent; lookup tables and mints with metadata grow.
      if (row === undefined || state.kind === "stake_account") continue;
      const space = Number(row.amount) / 6960 - 128;
      const grows = state.ownerProgram === PROGRAM.lookupTable || (state.kind === "mint" && space > 165);
      expect(grows ? Number.isInteger(space) : space, `${state.kind} ${state.address}`).toBe(grows || data.length);
      checked += 1;
    }
    expect(checked).toBeGreaterThan(100);
  });

  test("of mints say what the answers about the token say", () => {
    for (const { state, data } of ofProgram(PROGRAM.token, PROGRAM.token2022)) {
      if (state.kind !== "mint") continue;
      const { info = {} } = parseHere(state.address, String(state.ownerProgram), data) ?? {};
      const meta = queryData(reader, "v2-token-meta", { address: state.address }) as JsonObject;
      expect([info.supply, info.decimals]).toEqual([text(meta.supply), meta.decimals]);
      expect([info.mintAuthority, info.freezeAuthority]).toEqual([
        meta.mint_authority ?? null,
        meta.freeze_authority ?? null,
      ]);
    }
  });

  test("of token accounts say what the answers about their owner say", () => {
    for (const { state, data } of ofProgram(PROGRAM.token, PROGRAM.token2022).slice(0, CASES)) {
      if (state.tokenId === undefined) continue;
      const { mint, owner, amount } = getTokenDecoder().decode(data);
      const rows = queryRows(reader, "account-tokens", { account: owner });
      const row = rows.find(({ tokenAccount }) => tokenAccount === state.address);
      expect(row, state.address).toMatchObject({ tokenAddress: mint, tokenAmount: { amount: String(amount) } });
    }
  });

  test("of stakes say what the answers about their staker say", () => {
    for (const { state, data } of ofProgram(PROGRAM.stake)) {
      const { state: stake } = getStakeStateAccountDecoder().decode(data);
      if (stake.__kind !== "Stake") throw new Error(`the stake ${state.address} is ${stake.__kind}`);
      const [{ authorized }, { delegation }] = stake.fields;
      const rows = queryRows(reader, "v2-account-stake", { address: authorized.staker, page_size: 40 });
      const row = rows.find(({ stake_account }) => stake_account === state.address);
      if (row === undefined && rows.length === 40) continue;
      expect(row).toMatchObject({ voter: delegation.voterPubkey });
      expect(text(row?.delegated_stake_amount)).toBe(String(delegation.stake));
    }
  });

  test("of lookup tables say by whom and when they were extended", () => {
    for (const { state, data } of ofProgram(PROGRAM.lookupTable)) {
      const table = getAddressLookupTableDecoder().decode(data);
      expect(table.addresses.length % 16, state.address).toBe(0);
      expect(table.lastExtendedSlotStartIndex).toBe(table.addresses.length - 16);
      expect(table.lastExtendedSlot).toBeGreaterThan(0n);
    }
  });

  test("of nonces hold what the transactions that use them state, and advance with each", () => {
    const nonces = subjects.filter(({ state, data }) => state.ownerProgram === PROGRAM.system && data.length > 0);
    expect(nonces.length).toBeGreaterThan(0);
    for (const { state, data } of nonces) {
      const { authority, blockhash } = getNonceDecoder().decode(data);
      const rows = queryRows(reader, "v2-account-transactions", { address: state.address, limit: 10 });
      const hashes = rows.map(({ tx_hash }) => {
        const [transaction] = nodeTransaction(reader, Number(findTransactionId(reader, String(tx_hash))), "json");
        const { message } = (transaction as JsonObject).transaction as { readonly message: JsonObject };
        expect(message.accountKeys).toContain(authority);
        return message.recentBlockhash;
      });
      expect(new Set([blockhash, ...hashes]).size).toBe(hashes.length + 1);
      expect(rows.length).toBeGreaterThan(1);
    }
  });

  test("of multisigs name the signers of the mints that they are the authority of", () => {
    const multisigs = ofProgram(PROGRAM.token2022).filter(({ data }) => data.length === getMultisigSize());
    expect(multisigs.length).toBeGreaterThan(0);
    for (const { state, data } of multisigs) {
      const { m, n, signers } = getMultisigDecoder().decode(data);
      expect([m, n, new Set(signers.slice(0, n)).size]).toEqual([2, 3, 3]);
      const minted = queryRows(reader, "v2-account-transactions", { address: state.address, limit: 10 }).filter((row) =>
        (row.parsed_instructions as JsonObject[]).some(({ type }) => type === "mintTo"),
      );
      expect(minted.length).toBeGreaterThan(0);
      for (const { signer } of minted) expect(signer).toEqual(expect.arrayContaining(signers.slice(0, m)));
    }
  });

  test("of prints name their master, which counts them, and are marked", () => {
    const editions = ofProgram(PROGRAM.tokenMetadata).flatMap(({ state, data }) => {
      const edition = decodeEdition(data) as JsonObject | undefined;
      return edition ? [{ ...edition, address: state.address } as JsonObject] : [];
    });
    const prints = editions.filter(({ kind }) => kind === "print");
    expect(prints.length).toBeGreaterThan(0);
    for (const [parent, group] of Map.groupBy(prints, ({ parent }) => parent)) {
      const master = editions.find(({ address }) => address === parent);
      expect(master).toMatchObject({ kind: "master", supply: String(group.length) });
    }
    const markers = ofProgram(PROGRAM.tokenMetadata).filter(({ data }) => data[0] === 7);
    const bits = markers.flatMap(({ data }) => [...data.subarray(1)].map((byte) => byte.toString(2).padStart(8, "0")));
    expect(bits.join("").indexOf("1", 1)).toBe(1);
    expect([...bits.join("")].filter((bit) => bit === "1")).toHaveLength(prints.length);
  });
});
