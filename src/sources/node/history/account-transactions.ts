/** The transactions of an account, newest first. */
import { Buffer } from "node:buffer";
import { isArray, isObject, type Json, type JsonObject, UsageError } from "../../../base/index.ts";
import type { AnswerContext, NodeAnswer, NodeAnswersByRoute } from "../answer.ts";
import { readSignatures, type SignatureRow } from "../calls/signatures.ts";
import { listTokenAccounts } from "../calls/token-accounts.ts";
import { readEncoded, readTransactions, type TransactionEncoding } from "../calls/transactions.ts";
import { type FeedState, SignatureFeed } from "../walk/signature-feed.ts";
import { requireTransaction } from "../walk/walk.ts";
import { answerFrom, withTransactions } from "./ledger.ts";

const DEFAULT_LIMIT = 10;

/** The transactions before a cursor, by the same query as in an index. */
const transactions =
  (subject: string, cursor: string): NodeAnswer =>
  async (context) => {
    const { params } = context;
    const limit = params.integer("limit") ?? DEFAULT_LIMIT;
    const rows = await readSignatures(context, params.required(subject), { before: params.text(cursor), limit });
    const read = await readTransactions(context, rows);
    const chain = read.map((one, at) => requireTransaction(one, rows[at]?.signature ?? "").transaction);
    return withTransactions(context, chain.reverse(), (ledger) => answerFrom(ledger, context, { [cursor]: undefined }));
  };

/** Filters that need the content of a transaction. */
const CONTENT_FILTERS = ["program", "instruction", "token", "signer"] as const;

/** Signatures of one step where transactions are filtered by their content. */
const STEP = 50;

/** Where a page of `transactions/enhanced` ends. */
interface Cursor {
  readonly feed: FeedState | null;
  /** Transactions after that position that earlier pages had. */
  readonly skip: number;
}

const encodeCursor = (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString("base64url");

/** @throws UsageError for a text that is not a cursor of a node's pages */
function decodeCursor(text: string | undefined): Cursor {
  if (text === undefined) return { feed: null, skip: 0 };
  try {
    const cursor = JSON.parse(Buffer.from(text, "base64url").toString()) as Cursor;
    if (isObject(cursor.feed?.lists ?? {}) && Number.isSafeInteger(cursor.skip)) return cursor;
  } catch {
    // Reported below.
  }
  throw new UsageError("The cursor is not that of a page from a node.", {
    code: "BAD_CURSOR",
    hint: "Omit --cursor to start with the newest transaction.",
  });
}

/** `/account/transactions/enhanced`: the node's own form, selected by the same query as in an index. */
const enhanced: NodeAnswer = async (context) => {
  const { params } = context;
  const limit = params.integer("limit") ?? DEFAULT_LIMIT;
  const cursor = decodeCursor(params.text("cursor"));
  const feed = await openFeed(context, cursor.feed ?? undefined);
  const isFiltered = CONTENT_FILTERS.some((name) => params.list(name).length > 0);
  const page: SignatureRow[] = [];
  let { feed: position, skip } = cursor;
  for (;;) {
    const rows = (await feed.peek(skip + (isFiltered ? STEP : limit - page.length))).slice(skip);
    if (rows.length === 0) return { data: { transactions: await readForms(context, page), cursor: null } };
    const selected = await selectRows(context, rows, isFiltered);
    const next = selected[limit - page.length];
    page.push(...selected.slice(0, limit - page.length));
    if (next) {
      const end = encodeCursor({ feed: position, skip: skip + rows.indexOf(next) });
      return { data: { transactions: await readForms(context, page), cursor: end } };
    }
    feed.drop(rows);
    [position, skip] = [feed.state(), 0];
    if (page.length < limit) continue;
    const more = (await feed.peek(1)).length > 0;
    return {
      data: {
        transactions: await readForms(context, page),
        cursor: more ? encodeCursor({ feed: position, skip }) : null,
      },
    };
  }
};

async function openFeed(context: AnswerContext, resume: FeedState | undefined): Promise<SignatureFeed> {
  const { params } = context;
  const address = params.required("address");
  const others = params.flag("token_account") && !resume ? await listTokenAccounts(context, address) : [];
  return new SignatureFeed(context, {
    addresses: [address, ...others],
    direction: "newest",
    window: [params.integer("from_time"), params.integer("to_time")],
    before: params.text("to_signature"),
    until: params.text("from_signature"),
    resume,
  });
}

/** Returns the rows that pass the filters, in the same order. */
async function selectRows(
  context: AnswerContext,
  rows: readonly SignatureRow[],
  isFiltered: boolean,
): Promise<readonly SignatureRow[]> {
  const { params } = context;
  const [from, to] = [params.text("from_slot"), params.text("to_slot")].map((slot) => slot && BigInt(slot));
  const inRange = rows.filter(({ slot }) => (!from || BigInt(slot) > from) && (!to || BigInt(slot) < to));
  const status = params.text("status") === undefined ? undefined : params.flag("status");
  const candidates = inRange.filter(({ failed }) => status === undefined || failed !== status);
  if (!isFiltered || candidates.length === 0) return candidates;
  const read = await readTransactions(context, candidates);
  const chain = read.map((one, at) => requireTransaction(one, candidates[at]?.signature ?? "").transaction);
  const result = await withTransactions(context, chain.reverse(), (ledger) =>
    answerFrom(ledger, context, CONTENT_ONLY),
  );
  const passed = new Set("data" in result ? signaturesIn(result.data) : []);
  return candidates.filter(({ signature }) => passed.has(signature));
}

/** Leaves of a request the filters that need the content of a transaction. */
const CONTENT_ONLY = {
  ...Object.fromEntries(
    ["from_time", "to_time", "from_slot", "to_slot", "from_signature", "to_signature", "cursor", "status"].map(
      (name) => [name, undefined],
    ),
  ),
  encoding: ["json"],
  limit: [String(STEP * STEP)],
};

function signaturesIn(data: Json): readonly string[] {
  const rows = isObject(data) ? data.transactions : [];
  return (isArray(rows) ? rows : []).flatMap((row) => {
    const transaction = isObject(row) ? row.transaction : undefined;
    const signatures = isObject(transaction) ? transaction.signatures : undefined;
    return isArray(signatures) && typeof signatures[0] === "string" ? [signatures[0]] : [];
  });
}

/** Reads transactions in the requested encoding, as the node returns them. */
async function readForms(context: AnswerContext, rows: readonly SignatureRow[]): Promise<readonly JsonObject[]> {
  const encoding = context.params.required("encoding") as TransactionEncoding;
  const forms = await readEncoded(context, rows, encoding);
  return forms.flatMap(({ result }) => (result === null ? [] : [result]));
}

/** Answers about the transactions of an account. */
export const accountTransactionAnswers: NodeAnswersByRoute = {
  "v2-account-transactions": transactions("address", "before"),
  "v2-account-transactions-enhanced": enhanced,
  "account-transactions": transactions("account", "beforeHash"),
};
