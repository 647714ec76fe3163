/** Copies of blocks inside ClickHouse: later blocks with the same transactions, and others in place of quiet accounts. */
import type { StoreServer } from "../../src/chain/ledger/clickhouse/server.ts";
import { isInRange, type SlotRange, UNKNOWN_AGE } from "../../src/chain/ledger/clickhouse/slots.ts";
import { SHIPPED_TABLES, type StoredTable } from "../../src/chain/ledger/clickhouse/tables.ts";
import type { Column } from "../../src/chain/ledger/store/schema.ts";
import { firstRowOfSlot, transactionAt } from "../../src/chain/ledger/store/schema.ts";
import { QUIET_BYTES } from "./blocks.ts";

/** Copies that one statement makes: it must end before a request does. */
const COPIES_AT_ONCE = 4;
const SLOT_SECONDS = 0.4;
const [QUIET = 0, QUIET_HIGH = 0] = QUIET_BYTES;

/** Bits that differ from copy to copy, in all bytes of a key but those that mark it. */
const BITS = `bitXor(toUInt256(reinterpretAsUInt128(sipHash128(k, 1))), bitShiftLeft(toUInt256(reinterpretAsUInt128(sipHash128(k, 2))), 112))`;
const MARK = QUIET + 256 * QUIET_HIGH;

const isQuiet = (key: string): string => `bitShiftRight(${key}, 240) = ${MARK}`;

/** Returns the value of a column in the copy `k`. */
function valueIn({ name, type, isOptional }: Column, slots: number): string {
  const shift = (perSlot: number) => `${name} + k * ${slots * perSlot}`;
  if (type === "key") {
    const key = isOptional ? `assumeNotNull(${name})` : name;
    return `if(${isQuiet(key)}, bitXor(${key}, ${BITS}), ${name})`;
  }
  if (type === "row") return shift(firstRowOfSlot(1));
  if (type === "transaction") return shift(transactionAt(1));
  if (/^(slot|parent_slot|blockhash_slot|height)$/.test(name)) return shift(1);
  if (name === "time") return `${name} + k * ${Math.round(slots * SLOT_SECONDS)}`;
  if (/^(signature|hash|parent_hash)$/.test(name))
    return `concat(substring(base58Encode(reinterpret(sipHash128(${name}, k), 'FixedString(16)')), 1, 12), substring(${name}, 13))`;
  return name;
}

function copySql(table: StoredTable, range: SlotRange, from: number, to: number): string {
  const { name, columns, kind, target, position } = table;
  const slots = range.end - range.from;
  const state = kind === "state";
  const names = [...columns.map((column) => column.name), ...(state ? ["is_complete", "known_at"] : []), "fork"];
  // Quiet accounts would share the largest balances.
  const balance = `if(${isQuiet("account_id")}, abs(amount - k), amount)`;
  const values = [
    ...columns.map((column) => {
      const isBalance = name === "balances" && column.name === "amount";
      return `${isBalance ? balance : valueIn(column, slots)} AS new_${column.name}`;
    }),
    ...(state
      ? [
          "is_complete",
          `known_at ${name === "funders" ? "-" : "+"} k * ${name === "funders" ? firstRowOfSlot(slots) : slots}`,
        ]
      : []),
    "fork",
  ];
  // Unknown accounts are known long before their slot, funders at the negative id of their transfer.
  const known =
    name === "funders"
      ? [[-firstRowOfSlot(range.end), 0]]
      : [
          [0, range.end],
          [-UNKNOWN_AGE, range.end - UNKNOWN_AGE],
        ];
  const where = position
    ? isInRange(position, range)
    : known.map(([from, to]) => `known_at BETWEEN ${from} AND ${to}`).join(" OR ");
  return `INSERT INTO ${target} (${names.join()}) SELECT ${values.join()}
    FROM (SELECT * FROM ${target} WHERE ${where}) t CROSS JOIN (SELECT toInt64(number) AS k FROM numbers(${from}, ${to - from})) n`;
}

/** Adds copies of a range, numbered from one to before another. */
export async function copyRange(server: StoreServer, range: SlotRange, from: number, end: number): Promise<void> {
  const slots = range.end - range.from;
  for (let first = from; first < end; first += COPIES_AT_ONCE) {
    const to = Math.min(end, first + COPIES_AT_ONCE);
    for (const table of SHIPPED_TABLES) if (table.name !== "meta") await server.run(copySql(table, range, first, to));
    const [start, stop] = [range.from + first * slots, range.from + to * slots];
    await server.run(`INSERT INTO covered VALUES (${start}, ${stop})`);
    await server.run(`INSERT INTO ranges VALUES (${start}, ${stop}, 'copies', ${first}, 0, ${stop}, 0, 1, 1)`);
  }
}
