/** The ledger in this process that answers a run: the sandbox's world or an index. */
import type { Settings } from "../../config/index.ts";
import type { Sandbox } from "../../sandbox/index.ts";
import type { LedgerOptions } from "../../sources/ledger/index.ts";
import type { RunContext } from "../run/context.ts";
import { sourceOf } from "../run/data-source.ts";
import { ledgerProgress, loadSandbox, usageFile, worldOptions } from "./world.ts";

/**
 * Returns the index or the sandbox of the settings, which is opened by the first request.
 * @param live whether the chain of the sandbox gets new blocks
 */
export function ledgerOptions(context: RunContext, settings: Settings, live = false): LedgerOptions {
  if (sourceOf(settings).facts.isSimulated) {
    return {
      source: { kind: "sandbox", name: settings.get("sandbox-seed") },
      open: () => openInProcess(context, settings, live),
      failure: { code: "SANDBOX", hint: "Recreate its data: solx sandbox reset" },
    };
  }
  const name = String(settings.get("index"));
  return {
    source: { kind: "index", name },
    open: () => openIndexService(context, settings),
    failure: {
      code: "INDEX",
      hint: `If the file is damaged, remove it and index again: solx index remove ${name}`,
    },
  };
}

/** Opens the index in process; its new blocks appear in later answers. */
async function openIndexService(context: RunContext, settings: Settings): Promise<Sandbox> {
  const [{ openLedgerService }, { openIndexForAnswers }] = await Promise.all([
    loadSandbox(),
    import("../indexer/open-ledger.ts"),
  ]);
  const key = await settings.key(context.io.signal);
  const name = String(settings.get("index"));
  const options = { name, key: key?.value, onNote: (text: string) => void context.reporter.note(text) };
  return openLedgerService(await openIndexForAnswers(settings, name), options);
}

async function openInProcess(context: RunContext, settings: Settings, live: boolean): Promise<Sandbox> {
  const options = worldOptions(settings, context);
  const { openSandbox } = await loadSandbox();
  const progress = await ledgerProgress(context);
  try {
    const usage = usageFile(settings);
    return await openSandbox({
      ...options,
      live,
      usage,
      onProgress: progress.update,
      onNote: (text) => void context.reporter.note(text),
    });
  } finally {
    progress.end();
  }
}
