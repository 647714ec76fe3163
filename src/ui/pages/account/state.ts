/** The decoded data of an account as rows, by what its owner program stores: labels, links, amounts and lists. */
import {
  countOf,
  decimalOf,
  fieldOf,
  groupThousands,
  isArray,
  isNumeric,
  isObject,
  type Json,
  type JsonObject,
  numericText,
  textOf,
  trimZeros,
} from "../../../base/index.ts";
import { isAddress } from "../../../catalogue/index.ts";
import { type Clock, clip, formatUnix, groupDigits, safeText } from "../../../output/index.ts";
import { routeForValue } from "../../navigation/route-for.ts";
import { span } from "../../navigation/theme/text-line.ts";
import { formatAs } from "../../widgets/cells.ts";
import type { LinkSpan, TreeRow } from "../../widgets/tree/rows.ts";

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

/** Fields in lamports. */
const LAMPORTS = /^(lamports|stake|active|inactive|rentExemptReserve|effective|activating|deactivating)$/;
const SKIPPED: ReadonlySet<string> = new Set(["data", "isInitialized"]);

/** What the rows of a level share. */
interface StateContext {
  readonly clock: Clock;
  /** Decimals of the amounts of a mint. */
  readonly decimals: number | undefined;
  /** Precedes the keys of the rows. */
  readonly path: string;
}

/** Returns the label of a field: `rent reserve` for `rentExemptReserve`. */
const wordsOf = (name: string): string =>
  Object.hasOwn(LABELS, name)
    ? (LABELS[name] ?? name)
    : clip(
        safeText(
          name
            .replaceAll("_", " ")
            .replace(/([a-z\d])([A-Z])/g, "$1 $2")
            .toLowerCase(),
        ),
        MAX_LABEL,
      );

/** Returns the rows of the data of an account; a note when nothing could be decoded. */
export function stateRows(account: JsonObject, clock: Clock): readonly TreeRow[] {
  const { state } = account;
  const context: StateContext = { clock, decimals: countOf(fieldOf(state, "decimals")), path: "state" };
  const rows = isObject(state) ? memberRows(state, context) : [];
  if (rows.length > 0) return rows;
  const raw = textOf(account.data_base64);
  if (raw === undefined) return [note("none", "No data that can be decoded.")];
  return [
    note("raw note", "The owner program publishes no interface: raw data in base64."),
    {
      key: "raw",
      line: [span(clip(safeText(raw), MAX_TEXT))],
      cell: { field: "data_base64", value: raw, kind: "hash" },
    },
  ];
}

const note = (key: string, text: string): TreeRow => ({ key, line: [span(text, "note")] });

/** Returns scalar members first, then nested ones below their headings. */
function memberRows(value: JsonObject, context: StateContext): readonly TreeRow[] {
  const members = Object.entries(value).filter(([name]) => !SKIPPED.has(name) || context.path !== "state");
  const isFlat = ([, member]: readonly [string, Json]) => !isNested(member);
  return [
    ...members.filter(isFlat).map(([name, member]) => scalarRow(name, member, context)),
    ...members.filter((entry) => !isFlat(entry)).map(([name, member]) => nestedRow(name, member, context)),
  ];
}

/** Returns whether a value is shown below a heading; an amount of a token is a number. */
const isNested = (value: Json): value is JsonObject | readonly Json[] =>
  (isArray(value) && value.length > 0) || (isObject(value) && !isTokenAmount(value) && Object.keys(value).length > 0);

const isTokenAmount = (value: JsonObject): boolean => textOf(value.uiAmountString) !== undefined;

function nestedRow(name: string, value: Json, context: StateContext): TreeRow {
  const inner = { ...context, path: `${context.path} ${name}` };
  const [title = wordsOf(name), isOpen = true] = Object.hasOwn(LISTS, name) ? (LISTS[name] ?? []) : [];
  const heading = (count?: number): readonly LinkSpan[] => [
    span(title, "heading"),
    ...(count === undefined ? [] : [span(` ${groupThousands(count)}`, "note")]),
  ];
  if (!isArray(value)) {
    const members = isObject(value) ? value : {};
    return { key: inner.path, line: heading(), row: value, isOpen, children: () => memberRows(members, inner) };
  }
  return {
    key: inner.path,
    line: heading(value.length),
    row: value,
    isOpen,
    children: () => itemRows(name, value, inner),
  };
}

/** Returns an item of a list as one row: an address with its position, an object with its members side by side. */
function itemRows(name: string, items: readonly Json[], context: StateContext): readonly TreeRow[] {
  const width = String(items.length - 1).length;
  return items.map((item, at): TreeRow => {
    const key = `${context.path} ${at}`;
    const index = span(`${String(at).padStart(width)} `, "key");
    if (name === "extensions") return extensionRow(item, { ...context, path: key });
    if (!isObject(item)) return { key, row: item, line: [index, ...valueSpans(name, item, context)] };
    const members = Object.entries(item);
    return {
      key,
      row: item,
      line: [
        index,
        ...members.flatMap(([field, value]) => [
          span(` ${wordsOf(field)} `, "key"),
          ...(isNested(value) ? [span("…", "note")] : valueSpans(field, value, context)),
          span(" "),
        ]),
      ],
    };
  });
}

/** Returns an extension of Token-2022 with its members. */
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

/** Returns a value as its field demands it. */
function valueSpans(name: string, value: Json, context: StateContext): readonly LinkSpan[] {
  if (value === null || value === "") return [span("none", "missing")];
  if (typeof value === "boolean") return [span(value ? "yes" : "no")];
  if (isObject(value)) return [span(safeText(textOf(value.uiAmountString) ?? "empty"))];
  if (isArray(value)) return [span("none", "missing")];
  if (typeof value === "string" && (isAddress(value) || !/^\d+$/.test(value))) return textSpans(name, value);
  return numberSpans(name, value, context);
}

function textSpans(name: string, value: string): readonly LinkSpan[] {
  const route = isAddress(value) && !/hash/i.test(name) ? routeForValue(value, "address", name) : undefined;
  if (!route) return [span(clip(safeText(value), MAX_TEXT))];
  return [{ text: value, role: "link", target: route, cell: { field: name, value, kind: "address" } }];
}

function numberSpans(name: string, value: Json, { clock, decimals }: StateContext): readonly LinkSpan[] {
  const text = isNumeric(value) ? numericText(value) : String(value);
  const number = decimalOf(value);
  if (text === NEVER) return [span("never", "note")];
  if (!number) return [span(safeText(text))];
  if (/timestamp/i.test(name)) {
    const time = number.digits === 0n ? undefined : formatUnix(Number(text), { ...clock, style: "local" });
    return time === undefined ? [span("none", "missing")] : [span(time)];
  }
  if (LAMPORTS.test(name)) return [span(formatAs("lamports", value, clock).text)];
  if (/basisPoints$/i.test(name)) return [span(`${Number(text) / 100}%`)];
  if (/slot$/i.test(name) && number.digits > 0n) return slotSpans(name, text);
  if (name === "supply" && decimals !== undefined) {
    return [span(groupDigits(trimZeros({ ...number, scale: number.scale + decimals })))];
  }
  return [span(groupDigits(number))];
}

const slotSpans = (name: string, id: string): readonly LinkSpan[] => [
  {
    text: id,
    role: "link",
    target: { kind: "entity", entity: "block", id },
    cell: { field: name, value: id, kind: "slot" },
  },
];
