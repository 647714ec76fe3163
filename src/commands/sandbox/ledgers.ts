/** `solx sandbox info` and `solx sandbox reset`: the files of the sandbox on this machine. */

import { join } from "node:path";
import { type JsonObject, measureFiles } from "../../base/index.ts";
import { loadLedgerStore } from "../../chain/ledger/index.ts";
import { isTable } from "../../output/index.ts";
import { rowSchema } from "../row-schema.ts";
import type { RunContext } from "../run/context.ts";
import { cacheFolder, SANDBOX_FOLDER, usageFile } from "./world.ts";

/** Prints the saved ledgers with their seed, size and path. */
export async function printSandboxInfo(context: RunContext): Promise<void> {
  const settings = await context.session.settings({ sandbox: true });
  const { listLedgers } = await loadLedgerStore();
  const ledgers = (await listLedgers(cacheFolder(settings))).map(({ path, bytes, meta, rows }): JsonObject => {
    const { seed = null, size, hostile } = meta;
    return { seed, size: size === undefined ? null : Number(size), hostile: hostile === "true", bytes, path, rows };
  });
  const { bytes: usage } = await measureFiles(usageFile(settings));
  const bytes = ledgers.reduce((sum, ledger) => sum + Number(ledger.bytes), usage);
  const folder = join(cacheFolder(settings), SANDBOX_FOLDER);
  if (!isTable(await context.printer.format())) return context.printer.printObject({ folder, bytes, ledgers });
  await context.printer.printRows(ledgers, {
    entity: ledgerRowSchema,
    columns: ["seed", "size", "hostile", { path: "rows.transactions", head: "transactions" }, "bytes", "path"],
  });
  await context.reporter.hint(
    `${Math.round(bytes / 100_000) / 10} MB in ${folder}. To remove them: solx sandbox reset`,
  );
}

const ledgerRowSchema = rowSchema((f) => ({
  seed: f.text("Seed of the simulated chain").nullable(),
  size: f.number("Amount of data").nullable(),
  hostile: f.boolean("Whether its texts contain attacks"),
  bytes: f.count("Size of the file"),
  path: f.text("The file"),
  rows: f.json("Rows of each table"),
}));

/** Removes the ledgers and the usage counted for in-process requests. */
export async function resetSandbox(context: RunContext): Promise<void> {
  const settings = await context.session.settings({ sandbox: true });
  const { listLedgers, removeLedgers } = await loadLedgerStore();
  const folder = cacheFolder(settings);
  const before = await listLedgers(folder);
  const { bytes: usage } = await measureFiles(usageFile(settings));
  const bytes = before.reduce((sum, ledger) => sum + ledger.bytes, usage);
  const removed = (await removeLedgers(folder)).length;
  await context.printer.printObject({ removed, bytes, folder: join(folder, SANDBOX_FOLDER) });
}
