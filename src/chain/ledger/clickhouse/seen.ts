/** What a statement sees: the rows of blocks that are complete, and that the chain has not dropped. */
import { firstPosition } from "../store/schema.ts";
import type { StoreServer } from "./server.ts";
import { type ForkRange, knownAt, type SlotRange } from "./slots.ts";
import { REPLACED, SHIPPED_TABLES, type StoredTable, UNFINISHED } from "./tables.ts";

/** The blocks that a statement sees: those before a slot, but for hidden ones. */
export interface Head {
  readonly end: number;
  readonly hidden: readonly ForkRange[];
  /** The time of the newest block. */
  readonly time: number;
}

/** Returns what a row is compared by, and the values of the first row that belongs to a slot, or was known after it. */
function slotOf({ name, kind, position }: StoredTable) {
  if (kind === "rows" && position) return [position.name, (slot: number) => firstPosition(position, slot)] as const;
  return [knownAt(name), (slot: number) => slot + 1] as const;
}

/** Returns the SQL condition that a row belongs to slots, or was known after them and not before. */
export function isOfSlots(table: StoredTable, { from, end }: SlotRange): string {
  const [row, first] = slotOf(table);
  return `${row} >= ${first(from)} AND ${row} < ${first(end)}`;
}

/** Returns the SQL condition that a row belongs to blocks of a fork. */
export const isOfFork = (table: StoredTable, range: ForkRange): string =>
  `fork = ${range.fork} AND ${isOfSlots(table, range)}`;

/** Returns the contrary. A projection that lacks a column takes NOT of a condition on it for false. */
export function isOfOthers(table: StoredTable, { from, end, fork }: ForkRange): string {
  const [row, first] = slotOf(table);
  return `(fork <> ${fork} OR ${row} < ${first(from)} OR ${row} >= ${first(end)})`;
}

/** Returns the conditions on rows that are seen, by table. */
export function seenRows({ end, hidden }: Pick<Head, "end" | "hidden">): Readonly<Record<string, string>> {
  const near = hidden.filter(({ from }) => from < end);
  return Object.fromEntries(
    SHIPPED_TABLES.map((table) => {
      const { name, kind, target, position } = table;
      const bound = kind === "rows" && position ? `${position.name} < ${firstPosition(position, end)}` : undefined;
      const first = bound ?? (name === "funders" ? `${knownAt(name)} <= ${end}` : `known_at <= ${end}`);
      return [target, [first, ...near.map((range) => isOfOthers(table, range))].join(" AND ")];
    }),
  );
}

/** Reads ranges of forks. */
export const readForks = async (server: StoreServer, sql: string): Promise<readonly ForkRange[]> =>
  (await server.ask({ sql, texts: {} })).data.map((row) => {
    const [from = 0, end = 0, fork = 0] = row.map(Number);
    return { from, end, fork };
  });

/** The end of what writers have announced as complete; and of what is final. */
const ENDS = {
  tip: "SELECT max(last) FROM (SELECT argMax(end, number) AS last FROM ranges WHERE is_done GROUP BY writer)",
  final: "SELECT max(end) FROM covered",
} as const;

const asTuples = (ranges: string): string => `(SELECT groupArray((from, end, fork)) FROM (${ranges}))`;

/** Reads what is seen: up to the tip, or of final blocks only. */
export async function readHead(server: StoreServer, end: keyof typeof ENDS): Promise<Head> {
  const sql = `WITH ifNull((${ENDS[end]}), 0) AS seen, arrayConcat(${asTuples(UNFINISHED)}, ${asTuples(REPLACED)}) AS hidden
    SELECT seen, toJSONString(hidden), (SELECT max(time) FROM blocks
      WHERE slot < seen AND NOT arrayExists(range -> slot >= range.1 AND slot < range.2 AND fork = range.3, hidden))`;
  const { data } = await server.ask({ sql, texts: {} });
  const [seen, hidden, time] = data[0] ?? [];
  const tuples = JSON.parse(String(hidden ?? "[]")) as readonly (readonly [number, number, number])[];
  return {
    end: Number(seen ?? 0),
    hidden: tuples.map(([from, last, fork]) => ({ from: Number(from), end: Number(last), fork })),
    time: Number(time ?? 0),
  };
}
