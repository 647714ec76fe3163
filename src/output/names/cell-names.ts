/** Names in the cells of a table. Where there is little space, the identifier gives way, not the name. */
import type { Role } from "../text/roles.ts";
import { clip, type Shorten, textWidth } from "../text/width.ts";
import type { IdentifierUse } from "../types.ts";
import { type Cell, type CellName, WARNING_MARK } from "../values/cell.ts";
import { type AddressName, NAME_ROLES, type NameOf } from "./collect-names.ts";

/** Returns the name of an identifier for a cell; undefined when it has none. */
export type Namer = (id: string) => CellName | undefined;

/**
 * Returns a namer with memory: a name that it returned for another identifier before is ambiguous. Name all identifiers
 * of a page first, so that both of two equal names are.
 */
export function createNamer(nameOf: NameOf, escapeText: (text: string) => string = (text) => text): Namer {
  const owners = new Map<string, string>();
  const shared = new Set<string>();
  return (id) => {
    const known = nameOf(id);
    if (known === undefined) return undefined;
    const key = `${markOf(known)}${known.name.toLowerCase()}`;
    const owner = owners.get(key);
    if (owner === undefined) owners.set(key, id);
    else if (owner !== id) shared.add(key);
    return cellName(known, shared.has(key), escapeText);
  };
}

/** The mark of the user's own names. */
const OWN_MARK = "★";

/** Returns what is written before a name: the mark of an imitation, or of a name of the user. */
function markOf({ source, warning }: AddressName): string {
  if (warning !== undefined) return `${WARNING_MARK} `;
  return source === "own" ? `${OWN_MARK} ` : "";
}

const withoutOwnMark = (text: string) => (text.startsWith(`${OWN_MARK} `) ? text.slice(OWN_MARK.length + 1) : text);

/** Returns a name as text, with its mark before it. */
export function nameText(name: AddressName): string;
export function nameText(name: AddressName | undefined): string | undefined;
export function nameText(name: AddressName | undefined): string | undefined {
  return name && markOf(name) + name.name;
}

function cellName(known: AddressName, isShared: boolean, escapeText: (text: string) => string): CellName {
  const { name, kind, source, warning } = known;
  return {
    text: markOf(known) + escapeText(name),
    role: warning === undefined ? NAME_ROLES[kind] : "warning",
    isAmbiguous: isShared || warning !== undefined,
    isTrusted: source !== "answer",
    ...(warning !== undefined && { warning: `"${name}" ${warning}` }),
  };
}

/** Adds names to the identifiers of a row, unless another cell of the row is the name. */
export function nameCells(row: readonly Cell[], namer: Namer): readonly Cell[] {
  const texts = new Set(row.flatMap(({ text, ids }) => (ids ? [] : [text.toLowerCase()])));
  return row.map((cell) => {
    const names = cell.ids?.map(namer);
    if (!names?.some((name) => name !== undefined && !texts.has(withoutOwnMark(name.text).toLowerCase()))) return cell;
    const warning = names.find((name) => name?.warning !== undefined)?.warning ?? cell.warning;
    return { ...cell, names, ...(warning !== undefined && { warning }) };
  });
}

/** A piece of the text of a cell. */
export interface CellPart {
  readonly text: string;
  readonly role?: Role | undefined;
  readonly identifier?: IdentifierUse | undefined;
  /** The identifier that it is, or the name of. */
  readonly entity?: IdentifierUse | undefined;
}

/**
 * How identifiers are written: by their names alone, with short identifiers beside names that come from answers, with whole
 * ones, or with whole ones beside all names; where nothing fits, the first one alone.
 */
type IdForm = "first" | "name" | "short" | "whole" | "full";
const FORMS = ["whole", "short", "name", "first"] as const satisfies readonly IdForm[];
const WIDE_FORMS = ["full", ...FORMS] as const;

/** Identifiers in the short forms of a list. */
const MAX_SHORT_IDS = 2;
/** The width to which names are cut before columns are left out. */
const MIN_NAME = 16;

/** Returns the parts of a cell of identifiers in a form. Without a name, an identifier is short or whole. */
function idParts({ ids = [], names = [], role }: Cell, form: IdForm, shorten: Shorten): readonly CellPart[] {
  const isWhole = form === "whole" || form === "full";
  const visible = isWhole ? ids : ids.slice(0, form === "first" ? 1 : MAX_SHORT_IDS);
  const parts = visible.flatMap((id, at): readonly CellPart[] => {
    const name = names[at];
    const idText = isWhole ? id : shorten(id);
    const separator = at === 0 ? [] : [{ text: ", " }];
    const entity = { id, role };
    if (name === undefined) return [...separator, { text: idText, role, identifier: entity, entity }];
    const hasId =
      name.isAmbiguous || form === "full" || (!name.isTrusted && (isWhole || (form === "short" && ids.length === 1)));
    const beside: readonly CellPart[] = hasId ? [{ text: ` ${idText}`, role: "note" }] : [];
    return [...separator, { text: name.text, role: name.role, entity }, ...beside];
  });
  const more = ids.length - visible.length;
  return more > 0 ? [...parts, { text: ` +${more}` }] : parts;
}

const widthOf = (parts: readonly CellPart[]) => parts.reduce((sum, { text }) => sum + textWidth(text), 0);

/** Returns the widths of a cell of identifiers: the lowest of use, and that of each form. */
export function idWidths(cell: Cell, shorten: Shorten): Readonly<Record<"minimum" | Exclude<IdForm, "first">, number>> {
  const width = (form: IdForm) => widthOf(idParts(cell, form, shorten));
  const name = width("name");
  const minimum = cell.names ? Math.min(name, MIN_NAME) : name;
  return { minimum, name, short: width("short"), whole: width("whole"), full: width("full") };
}

/**
 * Returns the parts of a cell of identifiers in the widest form that fits; names are cut where none does. `isWide` allows
 * whole identifiers beside all names.
 */
export function fitIdParts(cell: Cell, width: number, shorten: Shorten, isWide = false): readonly CellPart[] {
  let parts: readonly CellPart[] = [];
  for (const form of isWide ? WIDE_FORMS : FORMS) {
    parts = idParts(cell, form, shorten);
    if (widthOf(parts) <= width) return parts;
  }
  return clipParts(parts, width);
}

/** Returns the start of a line of parts, with a mark where it is cut. */
function clipParts(parts: readonly CellPart[], width: number): readonly CellPart[] {
  const fitting: CellPart[] = [];
  let rest = width;
  for (const [at, part] of parts.entries()) {
    const { text } = part;
    const isLast = at === parts.length - 1;
    const size = textWidth(text);
    // A part that leaves no space for the mark of the cut is cut itself.
    if (size < rest || (isLast && size === rest)) fitting.push(part);
    else {
      // Of a short identifier its start remains, with one mark.
      const cut = (size > rest ? clip(text, rest) : clip(`${text} `, rest)).replace(/….+$/u, "…");
      fitting.push({ ...part, text: cut });
      break;
    }
    rest -= size;
  }
  return fitting;
}
