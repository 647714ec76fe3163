/** The decoded data of an account as rows, by what its owner program stores: labels, links, amounts and lists. */
import {
  countOf,
  fieldOf,
  groupThousands,
  isArray,
  isNumeric,
  isObject,
  type Json,
  type JsonObject,
  numericText,
  textOf,
  toDecimal,
  trimZeros,
} from "../../../base/index.ts";
import { isAddress } from "../../../catalogue/index.ts";
import { type Clock, clip, formatUnix, groupDigits, safeText } from "../../../output/index.ts";
import { routeForValue } from "../../navigation/route.ts";
import { span } from "../../navigation/theme/text-line.ts";
import { formatAs } from "../../widgets/cells.ts";
import type { LinkSpan, TreeRow } from "../../widgets/tree/rows.ts";
import { AnswerRows } from "../entity/panels.tsx";
import { noteRow } from "../entity/rows.ts";
import type { TabProps } from "../props.ts";
import { NODE_ACCOUNT } from "./record.ts";

/** Width and maximum length of a label, and maximum number of characters of a text. */
const LABEL_WIDTH = 30;
const MAX_LABEL = 60;
const MAX_TEXT = 2000;
/** Programs use the largest u64 for a time that never comes. */
const NEVER = "18446744073709551615";

/** Names of parts of the data that are lists, by field: their title, and whether they start open. */
const LISTS: Readonly<Record<string, readonly [title: string, isOpen: boolean]>> = {
  addresses: ["Addresses", true],
  signers: ["Signers", true],
  authorizedVoters: ["Authorised voters", true],
  priorVoters: ["Prior voters", false],
  votes: ["Votes", false],
  epochCredits: ["Credits by epoch", true],
  entries: ["Entries", true],
  extensions: ["Extensions", true],
  creators: ["Creators", true],
};

/** Names of fields that need more than their own words. */
const LABELS: Readonly<Record<string, string>> = {
  nodePubkey: "validator identity",
  isInitialized: "initialised",
  isNative: "wrapped SOL",
  numRequiredSigners: "required signatures",
  numValidSigners: "signers",
  rentExemptReserve: "rent reserve",
  tokenAmount: "balance",
  uri: "URI",
};

const LAMPORTS = /^(lamports|stake|active|inactive|rentExemptReserve|effective|activating|deactivating)$/;
const SKIPPED: ReadonlySet<string> = new Set(["data", "isInitialized"]);

interface StateContext {
  readonly clock: Clock;
  /** Decimals of the amounts of a mint. */
  readonly decimals: number | undefined;
  /** Precedes the keys of the rows. */
  readonly path: string;
}

/** Returns the label of a field: `rent reserve` for `rentExemptReserve`. */
function wordsOf(name: string): string {
  const label = Object.hasOwn(LABELS, name) ? LABELS[name] : undefined;
  const words = name.replaceAll("_", " ").replace(/([a-z\d])([A-Z])/g, "$1 $2");
  return label ?? clip(safeText(words.toLowerCase()), MAX_LABEL);
}

function stateRows(account: JsonObject, clock: Clock): readonly TreeRow[] {
  const { state } = account;
  const context: StateContext = { clock, decimals: countOf(fieldOf(state, "decimals")), path: "state" };
  const rows = isObject(state) ? memberRows(state, context) : [];
  if (rows.length > 0) return rows;
  const raw = textOf(account.data_base64);
  if (raw === undefined) return [noteRow("none", "No data that can be decoded.")];
  return [
    noteRow("raw note", "The owner program publishes no interface: raw data in base64."),
    {
      key: "raw",
      line: [span(clip(safeText(raw), MAX_TEXT))],
      cell: { field: "data_base64", value: raw, kind: "hash" },
    },
  ];
}

/** Returns scalar members first, then nested ones below their headings. */
function memberRows(value: JsonObject, context: StateContext): readonly TreeRow[] {
  const members = Object.entries(value).filter(([name]) => !SKIPPED.has(name) || context.path !== "state");
  return [
    ...members.flatMap(([name, member]) => (isNested(member) ? [] : [scalarRow(name, member, context)])),
    ...members.flatMap(([name, member]) => (isNested(member) ? [nestedRow(name, member, context)] : [])),
  ];
}

/** Returns whether a value is shown below a heading; an amount of a token is a number. */
const isNested = (value: Json): value is JsonObject | readonly Json[] =>
  (isArray(value) && value.length > 0) || (isObject(value) && !isTokenAmount(value) && Object.keys(value).length > 0);

const isTokenAmount = (value: JsonObject): boolean => textOf(value.uiAmountString) !== undefined;

function nestedRow(name: string, row: JsonObject | readonly Json[], context: StateContext): TreeRow {
  const inner = { ...context, path: `${context.path} ${name}` };
  const [title = wordsOf(name), isOpen = true] = Object.hasOwn(LISTS, name) ? (LISTS[name] ?? []) : [];
  const heading = span(title, "heading");
  const shared = { key: inner.path, row, isOpen };
  return isArray(row)
    ? {
        ...shared,
        line: [heading, span(` ${groupThousands(row.length)}`, "note")],
        children: () => itemRows(name, row, inner),
      }
    : { ...shared, line: [heading], children: () => memberRows(row, inner) };
}

/** Returns an item of a list as one row: an address with its position, an object with its members side by side. */
function itemRows(name: string, items: readonly Json[], context: StateContext): readonly TreeRow[] {
  const width = String(items.length - 1).length;
  return items.map((item, at): TreeRow => {
    const key = `${context.path} ${at}`;
    if (name === "extensions") return extensionRow(item, { ...context, path: key });
    const values = isObject(item)
      ? Object.entries(item).flatMap(([field, value]) => [
          span(` ${wordsOf(field)} `, "key"),
          ...(isNested(value) ? [span("…", "note")] : valueSpans(field, value, context)),
          span(" "),
        ])
      : valueSpans(name, item, context);
    return { key, row: item, line: [span(`${String(at).padStart(width)} `, "key"), ...values] };
  });
}

function extensionRow(item: Json, context: StateContext): TreeRow {
  const state = fieldOf(item, "state");
  const line = [span(wordsOf(textOf(fieldOf(item, "extension")) ?? "unknown extension"), "title")];
  const row = { key: context.path, line, row: item };
  return isObject(state) && Object.keys(state).length > 0
    ? { ...row, isOpen: true, children: () => memberRows(state, context) }
    : row;
}

function scalarRow(name: string, value: Json, context: StateContext): TreeRow {
  return {
    key: `${context.path} ${name}`,
    line: [span(`${wordsOf(name).padEnd(LABEL_WIDTH)} `, "key"), ...valueSpans(name, value, context)],
    row: value,
    cell: { field: name, value, kind: undefined },
  };
}

function valueSpans(name: string, value: Json, context: StateContext): readonly LinkSpan[] {
  if (value === null || value === "") return [span("none", "missing")];
  if (typeof value === "boolean") return [span(value ? "yes" : "no")];
  if (isObject(value)) return [span(safeText(textOf(value.uiAmountString) ?? "empty"))];
  if (isArray(value)) return [span("none", "missing")];
  if (typeof value === "string" && (isAddress(value) || !/^\d+$/.test(value))) return textSpans(name, value);
  return numberSpans(name, value, context);
}

function textSpans(name: string, value: string): readonly LinkSpan[] {
  const target = isAddress(value) && !/hash/i.test(name) ? routeForValue(value, "address", name) : undefined;
  if (!target) return [span(clip(safeText(value), MAX_TEXT))];
  return [{ text: value, role: "link", target, cell: { field: name, value, kind: "address" } }];
}

function numberSpans(name: string, value: Json, { clock, decimals }: StateContext): readonly LinkSpan[] {
  const text = isNumeric(value) ? numericText(value) : String(value);
  const number = toDecimal(value);
  if (text === NEVER) return [span("never", "note")];
  if (!number) return [span(safeText(text))];
  if (/timestamp/i.test(name)) {
    const time = number.digits === 0n ? undefined : formatUnix(Number(text), { ...clock, style: "local" });
    return time === undefined ? [span("none", "missing")] : [span(time)];
  }
  if (LAMPORTS.test(name)) return [span(formatAs("lamports", value, clock).text)];
  if (/basisPoints$/i.test(name)) return [span(`${Number(text) / 100}%`)];
  if (/slot$/i.test(name) && number.digits > 0n) {
    const target = { kind: "entity", entity: "block", id: text } as const;
    return [{ text, role: "link", target, cell: { field: name, value: text, kind: "slot" } }];
  }
  if (name === "supply" && decimals !== undefined) {
    return [span(groupDigits(trimZeros({ ...number, scale: number.scale + decimals })))];
  }
  return [span(groupDigits(number))];
}

/** Shows the decoded data of an account; amounts, links and lists by its kind. */
export function AccountData(tab: TabProps) {
  return <AnswerRows endpoint={NODE_ACCOUNT} rowsOf={stateRows} {...tab} />;
}
