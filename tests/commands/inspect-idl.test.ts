/** `solx inspect --idl`: instructions of a program that publishes no IDL, decoded by a file. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import { afterAll, expect, test } from "vitest";
import { runInProcess } from "../support/in-process.ts";

const folder = mkdtempSync(join(tmpdir(), "solx-idl-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PROGRAM = "Gh9ZwEmdLJ8DscKNTkTqPbNwLNNBjuSzaG9Vp2KGtKJr" as Address;
const PAYER = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM" as Address;

const IDL = {
  address: PROGRAM,
  metadata: { name: "mine", version: "0.1.0", spec: "0.1.0" },
  instructions: [
    {
      name: "do_it",
      discriminator: [1, 2, 3, 4, 5, 6, 7, 8],
      accounts: [{ name: "payer", writable: true, signer: true }],
      args: [{ name: "amount", type: "u64" }],
    },
  ],
};

const data = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 42, 0, 0, 0, 0, 0, 0, 0);

const transaction = getBase64EncodedWireTransaction(
  compileTransaction(
    pipe(
      createTransactionMessage({ version: 0 }),
      (draft) => setTransactionMessageFeePayer(PAYER, draft),
      (draft) =>
        setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: "1".repeat(32), lastValidBlockHeight: 0n } as never,
          draft,
        ),
      (draft) =>
        appendTransactionMessageInstructions(
          [{ programAddress: PROGRAM, accounts: [{ address: PAYER, role: 3 }], data }],
          draft,
        ),
    ),
  ),
);

/** Inspects the transaction without a node, by an IDL. */
async function inspectBy(text: string | undefined, path = join(folder, "idl.json")) {
  if (text !== undefined) writeFileSync(path, text);
  const env = { SOLX_HOME: folder };
  return await runInProcess(["inspect", transaction, "-o", "json", ...(text === undefined ? [] : ["--idl", path])], {
    env,
  });
}

test("names instruction, arguments and accounts", async () => {
  const { stdout } = await inspectBy(JSON.stringify(IDL));
  expect(JSON.parse(stdout).instructions).toMatchObject([
    { program: PROGRAM, type: "do_it", info: { amount: { type: "u64", data: "42" }, payer: PAYER } },
  ]);
});

test("is not used for other programs", async () => {
  const { stdout } = await inspectBy(JSON.stringify({ ...IDL, address: PAYER }));
  expect(JSON.parse(stdout).instructions[0]).not.toHaveProperty("type");
});

test("without it, an unknown program keeps its bytes", async () => {
  const { stdout } = await inspectBy(undefined);
  expect(JSON.parse(stdout).instructions).toMatchObject([{ program: PROGRAM, data: expect.any(String) }]);
});

test.each([
  ["no JSON", "{"],
  ["no IDL", "[1]"],
  ["empty", ""],
  ["larger than an IDL", " ".repeat(5 * 2 ** 20)],
])("%s: an error of usage", async (_, text) => {
  const { code, stderr } = await inspectBy(text);
  expect(code).toBe(2);
  expect(stderr).toContain("idl.json");
});

test("a device is refused", async () => {
  const run = await runInProcess(["inspect", transaction, "--idl", "/dev/zero"], { env: { SOLX_HOME: folder } });
  expect([run.code, run.stderr]).toEqual([2, expect.stringContaining("/dev/zero")]);
});
