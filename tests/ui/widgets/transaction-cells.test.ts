/** The cells of transactions in lists. */
import { describe, expect, test } from "vitest";
import type { Json } from "../../../src/base/json.ts";
import type { FieldMeta } from "../../../src/catalogue/index.ts";
import { actionText, mainInstruction, transactionCell } from "../../../src/ui/widgets/transaction-cells.ts";

const ASSOCIATED = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL";
const TOKEN = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const JUPITER = "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4";
const nameOf = (id: string) =>
  id === JUPITER ? ({ name: "Jupiter v6", kind: "program", source: "built-in" } as const) : undefined;
const STATUS: FieldMeta = { kind: "status", description: "" };

describe("the main action", () => {
  const call = (program_id: string, type: string) => ({ program_id, program: "p", type });

  test("is that of a program which others prepare, otherwise a transfer", () => {
    const [create, transfer, route] = [
      call(ASSOCIATED, "create"),
      call(TOKEN, "transferChecked"),
      call(JUPITER, "route"),
    ];
    expect(mainInstruction([create, route, transfer])).toBe(route);
    expect(mainInstruction([create, transfer])).toBe(transfer);
    expect(mainInstruction([create])).toBe(create);
    expect(mainInstruction([])).toBeUndefined();
  });

  test("has the name of its program, and the number of the others", () => {
    const value = [call(ASSOCIATED, "create"), call(JUPITER, "route"), call(TOKEN, "transferChecked")];
    expect(transactionCell({}, "parsed_instructions", value, undefined, nameOf)?.text).toBe("Jupiter v6 › route +2");
    expect(actionText(call(TOKEN, "burn"), nameOf)).toBe("p › burn");
    expect(actionText({}, nameOf)).toBeUndefined();
  });
});

describe("the outcome", () => {
  const cellOf = (row: Json, value: Json) => transactionCell(row, "status", value, STATUS, nameOf);

  test("is a sign in its colour, with the reason of a failure", () => {
    expect(cellOf({}, "Success")).toMatchObject({ text: "✔", role: "good" });
    expect(cellOf({}, "Fail")).toMatchObject({ text: "✖", role: "bad" });
    expect(cellOf({ err: { InstructionError: [0, "InvalidAccountData"] } }, "Fail")?.text).toBe(
      "✖ Instruction 1 failed: invalid account data",
    );
    expect(cellOf({}, "other")).toBeUndefined();
  });
});
