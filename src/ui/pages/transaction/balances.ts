/** What a transaction changed: balances of SOL and of tokens, before and after. */

import type { Decimal } from "../../../base/decimal.ts";
import { decimalOf } from "../../../base/decimal.ts";
import type { Json } from "../../../base/json.ts";
import { NATIVE_SOL } from "../../../catalogue/samples.ts";
import { pad, textWidth } from "../../../output/text/width.ts";
import { SOL_DECIMALS } from "../../../output/values/number.ts";
import { span } from "../../app/theme/text-line.ts";
import type { Role } from "../../app/theme/theme.ts";
import type { LinkSpan, TreeRow } from "../../widgets/tree/rows.ts";
import { countOf, differenceOf, fieldOf, listOf, sumOf, textOf } from "../entity/json-fields.ts";
import { type Pieces, signedText } from "./spans.ts";

/** How much more or less of a token somebody has. */
export interface Change {
  readonly key: string;
  readonly owner: string;
  readonly token: LinkSpan;
  /** The difference in whole units, with its sign. */
  readonly change: string;
  readonly isLoss: boolean;
  readonly row: Json;
}

interface Part {
  readonly owner: string;
  readonly token: string;
  readonly decimals: number;
  readonly by: Decimal;
  readonly row: Json;
}

/** What owners have more or less of, all their token accounts together; tokens first, then SOL. Nothing else is told. */
export function changesOf(detail: Json | undefined, pieces: Pieces): readonly Change[] {
  const parts = [...tokenParts(detail), ...solParts(detail)];
  const groups = Map.groupBy(parts, ({ owner, token }) => `${owner} ${token}`);
  return [...groups].flatMap(([key, own]) => {
    const [first] = own;
    const by = sumOf(own.map((part) => part.by));
    if (!first || by.digits === 0n) return [];
    const change = signedText(by, first.decimals);
    return [{ key, owner: first.owner, token: pieces.token(first.token), change, isLoss: by.negative, row: first.row }];
  });
}

/** After less before, or what is told of it. */
function byOf(row: Json): Decimal | undefined {
  const [pre, post] = [decimalOf(fieldOf(row, "pre_balance")), decimalOf(fieldOf(row, "post_balance"))];
  return pre && post ? differenceOf(post, pre) : decimalOf(fieldOf(row, "change_amount"));
}

function tokenParts(detail: Json | undefined): readonly Part[] {
  return listOf(fieldOf(detail, "token_bal_change")).flatMap((row) => {
    const [owner, token] = [textOf(fieldOf(row, "owner")), textOf(fieldOf(row, "token_address"))];
    const by = byOf(row);
    if (owner === undefined || token === undefined || !by) return [];
    return [{ owner, token, decimals: countOf(fieldOf(row, "decimals")) ?? 0, by, row }];
  });
}

function solParts(detail: Json | undefined): readonly Part[] {
  return listOf(fieldOf(detail, "sol_bal_change")).flatMap((row) => {
    const owner = textOf(fieldOf(row, "address"));
    const by = byOf(row);
    return owner === undefined || !by ? [] : [{ owner, token: NATIVE_SOL, decimals: SOL_DECIMALS, by, row }];
  });
}

/** The SOL that an account gained or lost, with its sign; undefined where it did neither. */
export function solChanges(detail: Json | undefined): ReadonlyMap<string, Decimal> {
  return new Map(solParts(detail).flatMap(({ owner, by }) => (by.digits === 0n ? [] : [[owner, by]])));
}

/** The rows of both tables. */
export function balanceRows(detail: Json | undefined, pieces: Pieces): readonly TreeRow[] {
  const sol = listOf(fieldOf(detail, "sol_bal_change"));
  const changed = sol.filter((row) => byOf(row)?.digits !== 0n);
  const same = sol.filter((row) => byOf(row)?.digits === 0n);
  const tokens = listOf(fieldOf(detail, "token_bal_change"));
  const note = (key: string, text: string): TreeRow => ({ key, line: [span(text, "note")], isStatic: true });
  const all = table(
    sol.map((row) => solCells(row, pieces)),
    ["account"],
  );
  const laid = new Map(sol.map((row, at) => [row, all.rows[at]]));
  const rowOf = (row: Json) => laid.get(row);
  const unchanged: TreeRow[] =
    same.length === 0
      ? []
      : [
          {
            key: "same",
            line: [
              span(same.length === 1 ? "1 account is" : `${same.length} accounts are`, "note"),
              span(" unchanged", "note"),
            ],
            children: () => same.flatMap((row) => rowOf(row) ?? []),
          },
        ];
  return [
    heading("sol", "SOL", changed.length === 0 ? undefined : all),
    ...(changed.length === 0 ? [note("no sol", "No balance of SOL changed.")] : [all.head("sol head")]),
    ...changed.flatMap((row) => rowOf(row) ?? []),
    ...sumRow(detail, all.changeEnd),
    ...unchanged,
    { key: "gap", line: [], isStatic: true },
    ...(tokens.length === 0
      ? [heading("tokens", "Tokens"), note("no tokens", "No balance of a token changed.")]
      : tokenTable(tokens.map((row) => tokenCells(row, pieces)))),
  ];
}

function tokenTable(rows: readonly Cells[]): readonly TreeRow[] {
  const laid = table(rows, ["owner", "token"]);
  return [heading("tokens", "Tokens", laid), laid.head("token head"), ...laid.rows];
}

/** The heading of a table, which tells what has no room in it. */
function heading(key: string, text: string, laid?: Pick<ReturnType<typeof table>, "without">): TreeRow {
  const line = (width: number) => {
    const left = laid?.without(width) ?? [];
    return [
      span(text, "heading"),
      ...(left.length === 0 ? [] : [span(` · no room for ${left.join(" and ")}`, "note")]),
    ];
  };
  return { key, line, isStatic: true };
}

/** All changes of SOL together: what left the accounts is the fee. */
function sumRow(detail: Json | undefined, end: (width: number) => number): readonly TreeRow[] {
  const parts = solParts(detail);
  const fee = decimalOf(fieldOf(detail, "fee"));
  if (parts.length === 0) return [];
  const sum = sumOf(parts.map(({ by }) => by));
  const isFee = fee !== undefined && differenceOf({ ...fee, negative: true }, sum).digits === 0n;
  const [label, text] = [isFee ? "in all: the fee" : "in all", signedText(sum, SOL_DECIMALS)];
  const line = (width: number) => [
    span(pad(label, Math.max(label.length + GAP, end(width) - text.length)), "note"),
    span(text, "note"),
  ];
  return [{ key: "sum", line, isStatic: true }];
}

/** A row of a table before it is laid out: who, and three numbers. */
interface Cells {
  readonly key: string;
  readonly row: Json;
  readonly who: readonly { readonly short: LinkSpan; readonly whole: LinkSpan }[];
  readonly numbers: readonly [before: string, after: string, change: string];
  readonly role: Role | undefined;
}

function numbersOf(row: Json, decimals: Json | undefined, pieces: Pieces): Pick<Cells, "numbers" | "role"> {
  const by = byOf(row);
  const places = countOf(decimals) ?? 0;
  const shown = (name: string) => pieces.amount(fieldOf(row, name), decimals);
  const change = by === undefined ? "?" : signedText(by, places);
  const role = by === undefined || by.digits === 0n ? undefined : by.negative ? "bad" : "good";
  return { numbers: [shown("pre_balance"), shown("post_balance"), change], role };
}

function solCells(row: Json, pieces: Pieces): Cells {
  const address = fieldOf(row, "address");
  return {
    key: `sol ${textOf(address)}`,
    row,
    who: [{ short: pieces.address(address, "address"), whole: pieces.address(address, "address", { whole: true }) }],
    ...numbersOf(row, SOL_DECIMALS, pieces),
  };
}

function tokenCells(row: Json, pieces: Pieces): Cells {
  const owner = fieldOf(row, "owner");
  const token = pieces.token(fieldOf(row, "token_address"));
  return {
    key: `token ${textOf(fieldOf(row, "address"))} ${textOf(fieldOf(row, "token_address"))}`,
    row,
    who: [
      { short: pieces.address(owner, "owner"), whole: pieces.address(owner, "owner", { whole: true }) },
      { short: token, whole: token },
    ],
    ...numbersOf(row, fieldOf(row, "decimals"), pieces),
  };
}

const GAP = 2;
const NUMBERS = ["before", "after", "change"] as const;

/** How the columns of a table are laid out: in which form it says who, and from which number on. */
interface Layout {
  readonly form: "whole" | "short";
  readonly from: number;
}

/** Layouts from the widest on. The change is what one looks for, so it gives way to nothing. */
const LAYOUTS: readonly Layout[] = [
  { form: "whole", from: 0 },
  { form: "short", from: 0 },
  { form: "short", from: 1 },
];
const NARROWEST: Layout = { form: "short", from: 2 };

/** Rows in columns: with whole addresses where they have room, with short ones where not, with fewer numbers where need be. */
function table(rows: readonly Cells[], names: readonly string[]) {
  const widest = (texts: readonly string[]) => Math.max(0, ...texts.map((text) => textWidth(text)));
  const who = (form: Layout["form"]) =>
    names.map((name, at) => widest([name, ...rows.map((row) => row.who[at]?.[form].text ?? "")]));
  const forms = { short: who("short"), whole: who("whole") };
  const numbers = NUMBERS.map((name, at) => widest([name, ...rows.map((row) => row.numbers[at] ?? "")]));
  const sizeOf = ({ form, from }: Layout) =>
    [...forms[form], ...numbers.slice(from)].reduce((sum, size) => sum + size + GAP, -GAP);
  const layoutFor = (width: number) => LAYOUTS.find((layout) => sizeOf(layout) <= width) ?? NARROWEST;
  const gap = span(" ".repeat(GAP));
  const numberSpans = (texts: readonly string[], from: number, roleOf: (at: number) => Role | undefined) =>
    texts.flatMap((text, at) => {
      if (at < from) return [];
      return [...(at > from ? [gap] : []), span(pad(text, numbers[at] ?? 0, "right"), roleOf(at))];
    });
  const lineOf = (row: Cells) => (width: number) => {
    const { form, from } = layoutFor(width);
    return [
      ...row.who.flatMap((one, at) => {
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
    /** The numbers that have no room. */
    without: (width: number): readonly string[] => NUMBERS.slice(0, layoutFor(width).from),
  };
}
