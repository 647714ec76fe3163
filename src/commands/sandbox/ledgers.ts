/** `solx sandbox info` and `solx sandbox reset`: what the sandbox keeps on this machine. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "../../base/json.ts";
import type { Frame } from "../run/context.ts";
import { cacheFolder, loadStore, SANDBOX_FOLDER, usageFile } from "./world.ts";

const view = async () => import("./view.ts");

/** The ledgers that are kept: which worlds, how large, and where. */
export async function info(frame: Frame): Promise<void> {
  const settings = await frame.settings({ sandbox: true });
  const { listLedgers } = await loadStore();
  const ledgers = (await listLedgers(cacheFolder(settings))).map(({ path, bytes, meta, rows }): JsonObject => {
    const { seed = null, size, hostile } = meta;
    return { seed, size: size === undefined ? null : Number(size), hostile: hostile === "true", bytes, path, rows };
  });
  const usage = await sizeOf(usageFile(settings));
  const bytes = ledgers.reduce((sum, ledger) => sum + Number(ledger.bytes), usage);
  const folder = join(cacheFolder(settings), SANDBOX_FOLDER);
  if ((await frame.format()) !== "table") return frame.printObject({ folder, bytes, ledgers });
  await frame.printRows(ledgers, {
    entity: async () => (await view()).LedgerRow,
    columns: ["seed", "size", "hostile", { path: "rows.transactions", head: "transactions" }, "bytes", "path"],
  });
  await frame.hint(`${Math.round(bytes / 100_000) / 10} MB in ${folder}; remove them with: solx sandbox reset`);
}

async function sizeOf(path: string): Promise<number> {
  const about = await stat(path).catch(() => undefined);
  return about?.size ?? 0;
}

/** Removes the ledgers and what was counted of requests in process. */
export async function reset(frame: Frame): Promise<void> {
  const settings = await frame.settings({ sandbox: true });
  const { listLedgers, removeLedgers } = await loadStore();
  const folder = cacheFolder(settings);
  const before = await listLedgers(folder);
  const bytes = before.reduce((sum, ledger) => sum + ledger.bytes, await sizeOf(usageFile(settings)));
  const removed = (await removeLedgers(folder)).length;
  await frame.printObject({ removed, bytes, folder: join(folder, SANDBOX_FOLDER) });
}
