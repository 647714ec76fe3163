/** The balance changes of a transaction, in SOL and tokens. */

import {
  countOf,
  type Decimal,
  decimalOf,
  fieldOf,
  type Json,
  listOf,
  subtractDecimals,
  sumDecimals,
  textOf,
} from "../../../base/index.ts";
import { NATIVE_SOL, WRAPPED_SOL } from "../../../catalogue/index.ts";
import { pad, SOL_DECIMALS, textWidth } from "../../../output/index.ts";
import { type Role, span } from "../../navigation/theme/text-line.ts";
import type { LinkSpan, TreeRow } from "../../widgets/tree/rows.ts";
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
  const [pre, post] = [decimalOf(fieldOf(row, "pre_balance")), decimalOf(fieldOf(row, "post_balance"))];
  return pre && post ? subtractDecimals(post, pre) : decimalOf(fieldOf(row, "change_amount"));
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

/** Returns the change in SOL by account, without unchanged ones. */
export function solChanges(detail: Json | undefined): ReadonlyMap<string, Decimal> {
  return new Map(solParts(detail).flatMap(({ owner, delta }) => (delta.digits === 0n ? [] : [[owner, delta]])));
}

/** Returns the rows of both tables. */
export function balanceRows(detail: Json | undefined, formatter: TransactionFormatter): readonly TreeRow[] {
  const sol = listOf(fieldOf(detail, "sol_bal_change"));
  const changed = sol.filter((row) => balanceDelta(row)?.digits !== 0n);
  const unchangedSol = sol.filter((row) => balanceDelta(row)?.digits === 0n);
  const tokens = listOf(fieldOf(detail, "token_bal_change"));
  const note = (key: string, text: string): TreeRow => ({ key, line: [span(text, "note")], isStatic: true });
  const solTable = layOutBalances(
    sol.map((row) => solCells(row, formatter)),
    ["account"],
  );
  const table = new Map(sol.map((row, at) => [row, solTable.rows[at]]));
  const rowOf = (row: Json) => table.get(row);
  const unchanged: TreeRow[] =
    unchangedSol.length === 0
      ? []
      : [
          {
            key: "same",
            line: [
              span(unchangedSol.length === 1 ? "1 account" : `${unchangedSol.length} accounts`, "note"),
              span(" unchanged", "note"),
            ],
            children: () => unchangedSol.flatMap((row) => rowOf(row) ?? []),
          },
        ];
  return [
    heading("sol", "SOL", changed.length === 0 ? undefined : solTable),
    ...(changed.length === 0 ? [note("no sol", "No SOL balance changed.")] : [solTable.head("sol head")]),
    ...changed.flatMap((row) => rowOf(row) ?? []),
    ...sumRow(detail, solTable.changeEnd),
    ...unchanged,
    { key: "gap", line: [], isStatic: true },
    ...(tokens.length === 0
      ? [heading("tokens", "Tokens"), note("no tokens", "No token balance changed.")]
      : tokenTable(tokens.map((row) => tokenCells(row, formatter)))),
  ];
}

function tokenTable(rows: readonly BalanceCells[]): readonly TreeRow[] {
  const table = layOutBalances(rows, ["owner", "token"]);
  return [heading("tokens", "Tokens", table), table.head("token head"), ...table.rows];
}

/** Returns the heading of a table, with the columns that do not fit. */
function heading(key: string, text: string, table?: Pick<ReturnType<typeof layOutBalances>, "without">): TreeRow {
  const line = (width: number) => {
    const hidden = table?.without(width) ?? [];
    return [
      span(text, "heading"),
      ...(hidden.length === 0 ? [] : [span(` · too narrow for ${hidden.join(" and ")}`, "note")]),
    ];
  };
  return { key, line, isStatic: true };
}

/** Returns the sum of all changes in SOL, which is the fee. */
function sumRow(detail: Json | undefined, end: (width: number) => number): readonly TreeRow[] {
  const parts = solParts(detail);
  const fee = decimalOf(fieldOf(detail, "fee"));
  if (parts.length === 0) return [];
  const sum = sumDecimals(parts.map(({ delta }) => delta));
  const isFee = fee !== undefined && subtractDecimals({ ...fee, negative: true }, sum).digits === 0n;
  const [label, text] = [isFee ? "total (fee)" : "total", signedText(sum, SOL_DECIMALS)];
  const line = (width: number) => [
    span(pad(label, Math.max(label.length + GAP, end(width) - text.length)), "note"),
    span(text, "note"),
  ];
  return [{ key: "sum", line, isStatic: true }];
}

/** A row before layout: identifiers and three numbers. */
interface BalanceCells {
  readonly key: string;
  readonly row: Json;
  readonly identifiers: readonly { readonly short: LinkSpan; readonly whole: LinkSpan }[];
  readonly numbers: readonly [before: string, after: string, change: string];
  readonly role: Role | undefined;
}

function numbersOf(
  row: Json,
  decimals: Json | undefined,
  formatter: TransactionFormatter,
): Pick<BalanceCells, "numbers" | "role"> {
  const delta = balanceDelta(row);
  const decimalCount = countOf(decimals) ?? 0;
  const balance = (name: string) => formatter.amount(fieldOf(row, name), decimals);
  const change = delta === undefined ? "?" : signedText(delta, decimalCount);
  const role = delta === undefined || delta.digits === 0n ? undefined : delta.negative ? "bad" : "good";
  return { numbers: [balance("pre_balance"), balance("post_balance"), change], role };
}

function solCells(row: Json, formatter: TransactionFormatter): BalanceCells {
  const address = fieldOf(row, "address");
  return {
    key: `sol ${textOf(address)}`,
    row,
    identifiers: [
      { short: formatter.address(address, "address"), whole: formatter.address(address, "address", { whole: true }) },
    ],
    ...numbersOf(row, SOL_DECIMALS, formatter),
  };
}

function tokenCells(row: Json, formatter: TransactionFormatter): BalanceCells {
  const owner = fieldOf(row, "owner");
  const token = formatter.token(fieldOf(row, "token_address"));
  return {
    key: `token ${textOf(fieldOf(row, "address"))} ${textOf(fieldOf(row, "token_address"))}`,
    row,
    identifiers: [
      { short: formatter.address(owner, "owner"), whole: formatter.address(owner, "owner", { whole: true }) },
      { short: token, whole: token },
    ],
    ...numbersOf(row, fieldOf(row, "decimals"), formatter),
  };
}

const GAP = 2;
const NUMBERS = ["before", "after", "change"] as const;

/** The layout of the columns: the form of the identifiers, and the first visible number. */
interface TableLayout {
  readonly form: "whole" | "short";
  readonly from: number;
}

/** Layouts from wide to narrow. The change is never omitted. */
const LAYOUTS: readonly TableLayout[] = [
  { form: "whole", from: 0 },
  { form: "short", from: 0 },
  { form: "short", from: 1 },
];
const NARROWEST: TableLayout = { form: "short", from: 2 };

/** Lays out rows in columns: whole addresses when they fit, short ones otherwise, and fewer numbers if necessary. */
function layOutBalances(rows: readonly BalanceCells[], names: readonly string[]) {
  const widest = (texts: readonly string[]) => Math.max(0, ...texts.map((text) => textWidth(text)));
  const identifierWidths = (form: TableLayout["form"]) =>
    names.map((name, at) => widest([name, ...rows.map((row) => row.identifiers[at]?.[form].text ?? "")]));
  const forms = { short: identifierWidths("short"), whole: identifierWidths("whole") };
  const numbers = NUMBERS.map((name, at) => widest([name, ...rows.map((row) => row.numbers[at] ?? "")]));
  const sizeOf = ({ form, from }: TableLayout) =>
    [...forms[form], ...numbers.slice(from)].reduce((sum, size) => sum + size + GAP, -GAP);
  const layoutFor = (width: number) => LAYOUTS.find((layout) => sizeOf(layout) <= width) ?? NARROWEST;
  const gap = span(" ".repeat(GAP));
  const numberSpans = (texts: readonly string[], from: number, roleOf: (at: number) => Role | undefined) =>
    texts.flatMap((text, at) => {
      if (at < from) return [];
      return [...(at > from ? [gap] : []), span(pad(text, numbers[at] ?? 0, "right"), roleOf(at))];
    });
  const lineOf = (row: BalanceCells) => (width: number) => {
    const { form, from } = layoutFor(width);
    return [
      ...row.identifiers.flatMap((one, at) => {
        const { text } = one[form];
        return [one[form], span(" ".repeat((forms[form][at] ?? 0) - textWidth(text))), gap];
      }),
      ...numberSpans(row.numbers, from, (at) => (NUMBERS[at] === "change" ? row.role : undefined)),
    ];
  };
  const headLine = (width: number) => {
    const { form, from } = layoutFor(width);
    return [
      ...names.map((name, at) => span(pad(name, (forms[form][at] ?? 0) + GAP), "key")),
      ...numberSpans(NUMBERS, from, () => "key"),
    ];
  };
  return {
    rows: rows.map((row): TreeRow => ({ key: row.key, row: row.row, line: lineOf(row) })),
    head: (key: string): TreeRow => ({ key, line: headLine, isStatic: true }),
    changeEnd: (width: number) => sizeOf(layoutFor(width)),
    /** Returns the names of the numbers that do not fit. */
    without: (width: number): readonly string[] => NUMBERS.slice(0, layoutFor(width).from),
  };
}
