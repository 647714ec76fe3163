/** `solx inspect`: what a transaction would do, decoded and simulated. */

import {
  CheckError,
  errorMessage,
  fieldOf,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  parseJson,
  readInputFile,
  textOf,
  UsageError,
} from "../../base/index.ts";
import { type Column, loadEntities } from "../../catalogue/index.ts";
import { loadIdlDecoder } from "../../chain/solana/index.ts";
import { isTable } from "../../output/index.ts";
import { createSession, type LocalIdl, loadInspect } from "../../sources/node/index.ts";
import { isIdentifierSource, openIdentifiers } from "../endpoint/identifiers.ts";
import type { Invocation } from "../run/command-definition.ts";
import type { RunContext } from "../run/context.ts";

interface InspectOptions {
  readonly simulate?: boolean;
  readonly sigVerify?: boolean;
  readonly idl?: string;
}

/** Prints what a transaction contains and would do. Throws CheckError, after that, when the simulation fails. */
export async function inspect(context: RunContext, { args: [input = ""], options }: Invocation): Promise<void> {
  const { simulate = true, sigVerify = false, idl: idlFile } = options as InspectOptions;
  const idl = idlFile === undefined ? undefined : await readIdlFile(idlFile, context.io.signal);
  const text = isIdentifierSource(input) ? await readText(context, input) : input;
  const settings = await context.session.settings();
  const node = settings.node() ? (await context.session.client()).node() : undefined;
  const { inspectTransaction } = await loadInspect();
  const reading = node && { node, session: createSession(), sending: { signal: context.io.signal } };
  const result = await inspectTransaction(text, reading, { simulate, strict: sigVerify, idl });
  const { format } = await context.printer.options();
  await (isTable(format) ? printSections(context, result) : context.printer.printObject(result));
  const { simulation, notes } = result;
  for (const note of listOf(notes)) await context.reporter.note(String(note));
  if (isObject(simulation) && simulation.status === "failed") {
    throw new CheckError(`The simulation failed: ${simulation.error_text}.`, { code: "SIMULATION" });
  }
}

/** Bytes of an IDL's file, as of one on the chain. */
const MAX_IDL = 4 * 2 ** 20;

/** @throws UsageError for a file that cannot be read or is no IDL */
async function readIdlFile(path: string, signal: AbortSignal): Promise<LocalIdl> {
  const text = await readInputFile(path, { signal, maxBytes: MAX_IDL });
  const { readIdl } = await loadIdlDecoder();
  try {
    const document = parseJson(text);
    // Anchor since 0.30, Anchor before, and Codama.
    const places = [document, fieldOf(document, "metadata")].map((place) => fieldOf(place, "address"));
    const program = [...places, fieldOf(fieldOf(document, "program"), "publicKey")].find((place) => textOf(place));
    return { idl: readIdl(document), program: textOf(program) };
  } catch (cause) {
    throw new UsageError(`${path} is not an IDL: ${errorMessage(cause)}`, {
      code: "BAD_IDL",
      cause,
      hint: "Give the JSON file that anchor build, shank or codama writes.",
    });
  }
}

async function readText(context: RunContext, input: string): Promise<string> {
  const { read } = await openIdentifiers(context, [input], "text");
  for await (const line of read(context.io.signal)) return line;
  return "";
}

interface Section {
  readonly title: string;
  readonly rows: Json | undefined;
  readonly columns: readonly Column[];
  readonly entity?: "NodeInstruction" | "SimulatedSolChange" | "SimulatedTokenChange";
}

/** Prints the result for people: what it is, then a table for each of its parts. */
async function printSections(context: RunContext, result: JsonObject): Promise<void> {
  const { signatures, accounts, instructions, simulation, notes: _, ...head } = result;
  const outcome = isObject(simulation) ? simulation : {};
  const { sol_changes, token_changes, logs, return_data, ...summary } = outcome;
  const entities = await loadEntities();
  const record = { ...head, ...(simulation === undefined ? {} : { simulation: summary }) };
  const lists = { signatures: true, accounts: true, instructions: true, simulation: true } as const;
  await context.printer.printObject(record, { entity: async () => entities.InspectedTransaction.omit(lists) });
  const sections: readonly Section[] = [
    { title: "Signatures", rows: signatures, columns: ["signer", "status"] },
    { title: "Accounts", rows: accounts, columns: ["address", "name", "signer", "writable", "source"] },
    {
      title: "Instructions",
      rows: instructions,
      columns: ["index", "program_name|program", "type", "status", "compute_units", "info"],
      entity: "NodeInstruction",
    },
    { title: "SOL", rows: sol_changes, columns: ["address", "change", "pre", "post"], entity: "SimulatedSolChange" },
    {
      title: "Tokens",
      rows: token_changes,
      columns: ["owner", { path: "change_ui", head: "change" }, { path: "symbol|mint", head: "token" }, "address"],
      entity: "SimulatedTokenChange",
    },
  ];
  for (const { title, rows, columns, entity } of sections) {
    if (!isArray(rows) || rows.length === 0) continue;
    await context.printer.printText(`\n${title}\n`);
    await context.printer.printRows(rows, { columns, ...(entity && { entity: async () => entities[entity] }) });
  }
  if (isArray(logs) && logs.length > 0) await context.printer.printText(`\nLogs\n${logs.map(logLine).join("")}`);
}

/** Returns a log line, indented by the depth of its program where it begins. */
function logLine(line: Json): string {
  const depth = Number(/ invoke \[(\d+)\]$/.exec(String(line))?.[1] ?? 1);
  return `${"  ".repeat(depth)}${line}\n`;
}
