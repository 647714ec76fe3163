/**
 * The facts of a ledger as other programs read and write them: the tables that a source fills, without ids that only
 * one file knows. An account is its address, a transaction its slot and its index in the block, a row of it has a
 * number in addition, and an instruction has its program and its names.
 */
import { type Column, SOURCE_TABLE_NAMES, type SourceTable, sourceColumns } from "./schema.ts";

/** What a value of a fact is. Amounts have up to 20 digits; bytes are base64. */
export type FactType = "address" | "slot" | "index" | "row" | "integer" | "amount" | "number" | "text" | "bytes";

/** A column of facts. */
export interface FactColumn {
  readonly name: string;
  readonly type: FactType;
  readonly isOptional: boolean;
}

/** The columns of facts that a column of a ledger becomes. */
type Conversion = (column: Column) => readonly (readonly [name: string, type: FactType])[];

const same =
  (type: FactType): Conversion =>
  ({ name }) => [[name, type]];

const CONVERSIONS: Readonly<Record<Column["type"], Conversion>> = {
  integer: same("integer"),
  flag: same("integer"),
  text: same("text"),
  real: same("number"),
  any: same("amount"),
  blob: same("bytes"),
  key: ({ name }) => [[name === "id" ? "address" : name.replace(/_id$/, ""), "address"]],
  transaction: ({ name }) => {
    const prefix = name === "id" ? "" : `${name}_`;
    return [
      [`${prefix}slot`, "slot"],
      [`${prefix}transaction`, "index"],
    ];
  },
  row: () => [
    ["slot", "slot"],
    ["transaction", "index"],
    ["n", "row"],
  ],
  kind: () => [
    ["program", "address"],
    ["type", "text"],
    ["parsed_type", "text"],
  ],
};

/** Returns the columns of facts that a column of a ledger becomes. */
export const factColumnsOf = (column: Column): readonly FactColumn[] =>
  CONVERSIONS[column.type](column).map(([name, type]) => ({ name, type, isOptional: column.isOptional }));

/** Tables of ids, and those of simulated chains. */
const LEFT_OUT: readonly SourceTable[] = ["instruction_kinds", "voters"];

/** The tables of facts, in the order in which they are read: accounts come first. */
export const FACT_TABLES: readonly SourceTable[] = SOURCE_TABLE_NAMES.filter((name) => !LEFT_OUT.includes(name));

/** Returns the columns of facts of a table. The id of an account and its address are the same fact. */
export const factColumns = (table: SourceTable): readonly FactColumn[] => [
  ...new Map(sourceColumns(table).flatMap((column) => factColumnsOf(column).map((fact) => [fact.name, fact]))).values(),
];
