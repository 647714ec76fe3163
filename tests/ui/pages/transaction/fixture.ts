/** Transactions of the sandbox as the API returns them, and helpers that render rows. */
import { type Json, parseJson, stringifyJson } from "../../../../src/base/json.ts";
import { WRAPPED_SOL } from "../../../../src/catalogue/samples.ts";
import type { LedgerReader } from "../../../../src/chain/ledger/store/reader.ts";
import type { Clock } from "../../../../src/output/values/time.ts";
import type { TextLine } from "../../../../src/ui/navigation/theme/text-line.ts";
import type { TreeRow } from "../../../../src/ui/widgets/tree/rows.ts";
import { rowLine, visibleRows } from "../../../../src/ui/widgets/tree/rows.ts";
import { runQuery } from "../../../support/query.ts";

export const CLOCK: Clock = { style: "relative", now: Date.UTC(2025, 5, 15, 12), timeZone: "UTC" };

/** The answers about a transaction. */
export interface TransactionAnswers {
  readonly detail: Json;
  readonly actions: Json;
  readonly metadata: Json;
}

const asSent = (value: unknown): Json => parseJson(stringifyJson(value as Json));

/** Returns details, actions and token metadata of a transaction. */
export function answersFor(db: LedgerReader, tx: string): TransactionAnswers {
  const detail = runQuery(db, "v2-transaction-detail", { tx }) as { readonly data: Json; readonly metadata?: Json };
  const actions = runQuery(db, "v2-transaction-actions", { tx }) as { readonly data: Json };
  return { detail: asSent(detail.data), actions: asSent(actions.data), metadata: asSent(detail.metadata ?? {}) };
}

/** Returns signatures of transactions, spread over a chain. */
export function signaturesOf(db: LedgerReader, count: number): readonly string[] {
  // Compact votes have no stored signature.
  const where = "signature IS NOT NULL AND id / 8192 > (SELECT MIN(slot) FROM blocks)";
  const all = db.all(`SELECT signature FROM transactions WHERE ${where} ORDER BY id`);
  const step = Math.max(1, Math.floor(all.length / count));
  return all.filter((_, index) => index % step === 0).map((row) => String(row.signature));
}

export const textOf = (line: TextLine): string => line.map(({ text }) => text).join("");

/** Returns rows as rendered, folded as they start. */
export function linesOf(rows: readonly TreeRow[], width = 100): readonly string[] {
  return visibleRows(rows, {}).map((one) => textOf(rowLine(one, width, true)).trimEnd());
}

/** Returns rows with everything unfolded. */
export function allRows(rows: readonly TreeRow[]): readonly TreeRow[] {
  return rows.flatMap((row) => {
    const below = typeof row.children === "function" ? row.children() : (row.children ?? []);
    return [row, ...allRows(below)];
  });
}

/** A swap of a wallet. */
const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";
const POOL = "HEAm8KgovbUvvoviKWARK6DLv6Ygq9qdJvLWCEuQKEKR";
const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const RAYDIUM = "675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8";
const TOKEN = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const SIGNATURE = "F16MuS9H67iSTdHqtfRXF4e6DaVVdQSnuBYRzGcFYXrJhgFS3zxmKeRpGNFjYrewT2738u59NA6wXfp2t7KwDSd";

const swap = {
  amm_id: POOL,
  account: WALLET,
  token_1: USDC,
  token_decimal_1: 6,
  amount_1: 4354998,
  amount_1_str: "4354998",
  token_2: WRAPPED_SOL,
  token_decimal_2: 9,
  amount_2: 29382150,
  amount_2_str: "29382150",
};
const transfer = {
  source: WALLET,
  source_owner: WALLET,
  destination: POOL,
  destination_owner: POOL,
  token_address: USDC,
  token_decimals: 6,
  amount: 4354998,
  amount_str: "4354998",
};

export const SWAP: TransactionAnswers = {
  detail: {
    tx_hash: SIGNATURE,
    block_id: 319312375,
    block_time: 1739026554,
    status: 1,
    tx_status: "finalized",
    fee: 6000,
    priority_fee: 1000,
    compute_units_consumed: 54859,
    signer: [WALLET],
    programs_involved: [RAYDIUM, TOKEN],
    sol_bal_change: [
      { address: WALLET, pre_balance: "61773386454", post_balance: "61773380454", change_amount: "-6000" },
      { address: POOL, pre_balance: "5", post_balance: "5", change_amount: "0" },
    ],
    token_bal_change: [
      {
        address: WALLET,
        owner: WALLET,
        token_address: USDC,
        decimals: 6,
        pre_balance: "18446744073709551615",
        post_balance: "18446744073705196617",
        change_amount: "-4354998",
        change_type: "dec",
      },
    ],
    account_keys: [
      { pubkey: WALLET, signer: true, writable: true, source: "transaction" },
      { pubkey: POOL, signer: false, writable: true, source: "lookupTable" },
      { pubkey: RAYDIUM, signer: false, writable: false, source: "transaction" },
    ],
    parsed_instructions: [
      {
        program_id: RAYDIUM,
        program: "raydium_amm",
        type: "swapBaseIn",
        parsed_type: "raydium:swap",
        data_raw: { info: { amountIn: "4354998", inputMint: USDC, pools: [POOL] }, type: "swapBaseIn" },
        accounts: [WALLET, POOL],
        activities: [{ activity_type: "defi_token_swap", program_id: RAYDIUM, data: swap }],
        transfers: [],
        inner_instructions: [
          {
            program_id: TOKEN,
            program: "spl-token",
            type: "transferChecked",
            data_raw: "3Bxs4h",
            accounts: [],
            activities: [],
            transfers: [{ ...transfer, transfer_type: "spl_transfer", decimals: 6 }],
            inner_instructions: [],
          },
        ],
      },
    ],
    log_message: [
      `Program ${RAYDIUM} invoke [1]`,
      "Program log: Instruction: SwapBaseIn",
      `Program ${TOKEN} invoke [2]`,
      `Program ${TOKEN} success`,
      `Program ${RAYDIUM} consumed 54859 of 200000 compute units`,
      `Program ${RAYDIUM} success`,
    ],
    version: 0,
  },
  actions: {
    tx_hash: SIGNATURE,
    one_line_summary: { activity_type: "ACTIVITY_TOKEN_SWAP", program_id: RAYDIUM, data: swap },
    summaries: [
      {
        title: { activity_type: "ACTIVITY_TOKEN_SWAP", program_id: RAYDIUM, data: swap },
        body: [
          { activity_type: "ACTIVITY_TOKEN_SWAP", program_id: RAYDIUM, data: swap },
          { activity_type: "ACTIVITY_SPL_TRANSFER", program_id: TOKEN, data: transfer },
        ],
      },
    ],
    transfers: [],
    activities: [],
  },
  metadata: { tokens: { [USDC]: { token_symbol: "USDC" }, [WRAPPED_SOL]: { token_symbol: "SOL" } } },
};

/** The same transaction, failed in its second instruction. */
export const FAILED: TransactionAnswers = {
  ...SWAP,
  detail: {
    ...(SWAP.detail as object),
    status: 0,
    parsed_instructions: [
      { program_id: RAYDIUM, program: "raydium_amm", type: "swapBaseIn" },
      { program_id: TOKEN, program: "spl-token", type: "transfer" },
      { program_id: TOKEN, program: "spl-token", type: "closeAccount" },
    ],
    log_message: [
      `Program ${RAYDIUM} invoke [1]`,
      `Program ${RAYDIUM} success`,
      `Program ${TOKEN} invoke [1]`,
      `Program ${TOKEN} failed: custom program error: 0x1`,
    ],
  } as Json,
};
