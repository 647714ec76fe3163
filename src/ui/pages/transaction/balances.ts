/** What a transaction changed: the balances in SOL and tokens, and the accounts with their roles. */
import {
  countOf,
  type Decimal,
  fieldOf,
  type Json,
  listOf,
  pluralize,
  subtractDecimals,
  sumDecimals,
  textOf,
  toDecimal,
} from "../../../base/index.ts";
import { NATIVE_SOL, WRAPPED_SOL } from "../../../catalogue/index.ts";
import { pad, SOL_DECIMALS } from "../../../output/index.ts";
import { type Span, span } from "../../navigation/theme/text-line.ts";
import type { LinkSpan, TreeRow } from "../../widgets/tree/rows.ts";
import { alignCells, blankRow, headingRow, noteRow } from "../entity/rows.ts";
import { signedText, type TransactionFormatter } from "./formatter.ts";

/** The change of an owner's balance of one token. */
export interface BalanceChange {
  readonly key: string;
  readonly owner: string;
  readonly token: LinkSpan;
  /** The difference in whole units, with its sign. */
  readonly change: string;
  readonly isLoss: boolean;
  /** The difference in US dollars; undefined where the token has no known price. */
  readonly usd: string | undefined;
  readonly row: Json;
}

interface BalancePart {
  readonly owner: string;
  readonly token: string;
  readonly decimals: number;
  readonly delta: Decimal;
  readonly row: Json;
}

/**
 * Returns the balance changes per owner and token, over all token accounts; tokens first, then SOL. Unchanged balances
 * are omitted.
 */
export function balanceChanges(detail: Json | undefined, formatter: TransactionFormatter): readonly BalanceChange[] {
  const parts = [...tokenParts(detail), ...ownSolParts(detail)];
  const groups = Map.groupBy(parts, ({ owner, token }) => `${owner} ${token}`);
  return [...groups].flatMap(([key, group]) => {
    const [first] = group;
    const delta = sumDecimals(group.map((part) => part.delta));
    if (!first || delta.digits === 0n) return [];
    const change = signedText(delta, first.decimals);
    return [
      {
        key,
        owner: first.owner,
        token: formatter.token(first.token),
        change,
        isLoss: delta.negative,
        usd: formatter.usd(delta, first.token, first.decimals),
        row: first.row,
      },
    ];
  });
}

/** Returns the balance after minus the balance before, or the reported change. */
function balanceDelta(row: Json): Decimal | undefined {
  const [pre, post] = [toDecimal(fieldOf(row, "pre_balance")), toDecimal(fieldOf(row, "post_balance"))];
  return pre && post ? subtractDecimals(post, pre) : toDecimal(fieldOf(row, "change_amount"));
}

function tokenParts(detail: Json | undefined): readonly BalancePart[] {
  return listOf(fieldOf(detail, "token_bal_change")).flatMap((row) => {
    const [owner, token] = [textOf(fieldOf(row, "owner")), textOf(fieldOf(row, "token_address"))];
    const delta = balanceDelta(row);
    if (owner === undefined || token === undefined || !delta) return [];
    return [{ owner, token, decimals: countOf(fieldOf(row, "decimals")) ?? 0, delta, row }];
  });
}

function solParts(detail: Json | undefined): readonly BalancePart[] {
  return listOf(fieldOf(detail, "sol_bal_change")).flatMap((row) => {
    const owner = textOf(fieldOf(row, "address"));
    const delta = balanceDelta(row);
    return owner === undefined || !delta ? [] : [{ owner, token: NATIVE_SOL, decimals: SOL_DECIMALS, delta, row }];
  });
}

/** Returns the changes in SOL without those that are changes of wrapped SOL: these are lamports of the token account. */
function ownSolParts(detail: Json | undefined): readonly BalancePart[] {
  const wrapped = new Map(
    listOf(fieldOf(detail, "token_bal_change"))
      .filter((row) => fieldOf(row, "token_address") === WRAPPED_SOL)
      .map((row) => [textOf(fieldOf(row, "address")), balanceDelta(row)]),
  );
  return solParts(detail).map((part) => {
    const tokens = wrapped.get(part.owner);
    return tokens ? { ...part, delta: subtractDecimals(part.delta, tokens) } : part;
  });
}

/** Returns the rows of both tables. */
export function balanceRows(detail: Json | undefined, formatter: TransactionFormatter): readonly TreeRow[] {
  const sol = listOf(fieldOf(detail, "sol_bal_change"));
  const tokens = listOf(fieldOf(detail, "token_bal_change"));
  const isUnchanged = (row: Json) => balanceDelta(row)?.digits === 0n;
  const solTable = balanceTable("sol", sol, formatter);
  const rowsOf = (keep: (row: Json) => boolean) => solTable.rows.filter((_, at) => keep(sol[at] ?? null));
  const [changed, unchanged] = [rowsOf((row) => !isUnchanged(row)), rowsOf(isUnchanged)];
  const tokenTable = balanceTable("token", tokens, formatter);
  return [
    ...(changed.length === 0
      ? [headingRow("SOL"), { ...noteRow("no sol", "No SOL balance changed."), isStatic: true }]
      : [solTable.heading("SOL"), solTable.head, ...changed]),
    ...sumRow(detail, solTable.width),
    ...(unchanged.length === 0
      ? []
      : [{ ...noteRow("same", `${pluralize(unchanged.length, "account")} unchanged`), children: unchanged }]),
    blankRow("tokens"),
    ...(tokens.length === 0
      ? [headingRow("Tokens"), { ...noteRow("no tokens", "No token balance changed."), isStatic: true }]
      : [tokenTable.heading("Tokens"), tokenTable.head, ...tokenTable.rows]),
  ];
}

/** Returns the sum of all changes in SOL, which is the fee. @param end returns where the changes end in a width */
function sumRow(detail: Json | undefined, end: (width: number) => number): readonly TreeRow[] {
  const parts = solParts(detail);
  const fee = toDecimal(fieldOf(detail, "fee"));
  if (parts.length === 0) return [];
  const sum = sumDecimals(parts.map(({ delta }) => delta));
  const isFee = fee !== undefined && subtractDecimals({ ...fee, negative: true }, sum).digits === 0n;
  const [label, text] = [isFee ? "total (fee)" : "total", signedText(sum, SOL_DECIMALS)];
  const line = (width: number) => [
    span(pad(label, Math.max(label.length + 2, end(width) - text.length)) + text, "note"),
  ];
  return [{ key: "sum", line, isStatic: true }];
}

const NUMBERS = ["before", "after", "change"] as const;

/** The columns from wide to narrow: whole or short addresses, and the first visible number. The change is in all. */
const FORMS = [
  { whole: true, from: 0 },
  { whole: false, from: 0 },
  { whole: false, from: 1 },
  { whole: false, from: 2 },
] as const;

function balanceTable(kind: "sol" | "token", balances: readonly Json[], formatter: TransactionFormatter) {
  const isToken = kind === "token";
  const names = isToken ? ["owner", "token"] : ["account"];
  const field = isToken ? "owner" : "address";
  const numbers = balances.map((row) =>
    balanceNumbers(row, isToken ? fieldOf(row, "decimals") : SOL_DECIMALS, formatter),
  );
  const forms = FORMS.map(({ whole, from }) => {
    const heads = [...names, ...NUMBERS.slice(from)].map((name) => span(name, "key"));
    const rows = balances.map((row, at) => [
      formatter.address(fieldOf(row, field), field, { isWhole: whole }),
      ...(isToken ? [formatter.token(fieldOf(row, "token_address"))] : []),
      ...(numbers[at] ?? []).slice(from),
    ]);
    return { ...alignCells([heads, ...rows], (column) => column >= names.length), hidden: NUMBERS.slice(0, from) };
  });
  const formFor = (width: number) => forms.find((form) => form.width <= width) ?? forms.at(-1);
  const lineOf = (at: number) => (width: number) => formFor(width)?.lines[at] ?? [];
  return {
    width: (width: number) => formFor(width)?.width ?? 0,
    head: { key: `${kind} head`, line: lineOf(0), isStatic: true },
    rows: balances.map((row, at): TreeRow => {
      const token = isToken ? ` ${textOf(fieldOf(row, "token_address"))}` : "";
      return { key: `${kind} ${textOf(fieldOf(row, "address"))}${token}`, row, line: lineOf(at + 1) };
    }),
    heading(text: string): TreeRow {
      const line = (width: number) => {
        const hidden = formFor(width)?.hidden.join(" and ") ?? "";
        return [span(text, "heading"), span(hidden === "" ? "" : ` · too narrow for ${hidden}`, "note")];
      };
      return { ...headingRow(text), line };
    },
  };
}

function balanceNumbers(row: Json, decimals: Json | undefined, formatter: TransactionFormatter): readonly Span[] {
  const delta = balanceDelta(row);
  const role = delta === undefined || delta.digits === 0n ? undefined : delta.negative ? "bad" : "good";
  return [
    span(formatter.amount(fieldOf(row, "pre_balance"), decimals)),
    span(formatter.amount(fieldOf(row, "post_balance"), decimals)),
    span(delta === undefined ? "?" : signedText(delta, countOf(decimals) ?? 0), role),
  ];
}

/** Returns the accounts with their roles, in the order of the transaction. */
export function accountRows(detail: Json | undefined, formatter: TransactionFormatter): readonly TreeRow[] {
  const keys = listOf(fieldOf(detail, "account_keys"));
  // Older answers have no keys; their balances are in the same order.
  const rows = keys.length > 0 ? keys : listOf(fieldOf(detail, "sol_bal_change"));
  if (rows.length === 0) return [noteRow("none", "No accounts.")];
  const changes = new Map(solParts(detail).map(({ owner, delta }) => [owner, delta]));
  const signers = new Set(listOf(fieldOf(detail, "signer")).map(textOf));
  const programs = new Set(listOf(fieldOf(detail, "programs_involved")).map(textOf));
  const accounts = rows.map((row, at) => {
    const id = textOf(fieldOf(row, "pubkey")) ?? textOf(fieldOf(row, "address"));
    const change = changes.get(id ?? "");
    const changeText = !change || change.digits === 0n ? "" : `${signedText(change, SOL_DECIMALS)} SOL`;
    const roles = describeRoles(row, at === 0, signers.has(id), programs.has(id));
    return { id, index: `${at}`, change: span(changeText, change?.negative ? "bad" : "good"), roles };
  });
  const [whole, short] = [true, false].map((isWhole) =>
    alignCells(
      accounts.map(({ id, index, change, roles }) => [
        span(index, "key"),
        formatter.address(id, "pubkey", { isWhole: isWhole }),
        change,
        span(roles, "note"),
      ]),
      (column) => column === 0 || column === 2,
    ),
  );
  return rows.map((row, at) => ({
    key: `${at}`,
    line: (width) => (whole && whole.width <= width ? whole : short)?.lines[at] ?? [],
    row,
  }));
}

/** Describes the roles of an account: the first one pays the fee. */
function describeRoles(row: Json, isFirst: boolean, isSigner: boolean, isProgram: boolean): string {
  const writable = fieldOf(row, "writable");
  const roles = [
    fieldOf(row, "signer") === true || isSigner ? (isFirst ? "signer, fee payer" : "signer") : "",
    isProgram ? "program" : "",
    writable === undefined || isProgram ? "" : writable === true ? "writable" : "read only",
    fieldOf(row, "source") === "lookupTable" ? "lookup table" : "",
  ];
  return roles.filter(Boolean).join(", ");
}
