/** The sandbox in place of the network: requests are answered in process. */
import type { Transport } from "../client/index.ts";
import type { Settings } from "../config/index.ts";
import type { Sandbox } from "../sandbox/index.ts";
import type { Frame } from "./frame.ts";
import { ledgerProgress, loadSandbox, usageFile, worldOptions } from "./sandbox-world.ts";

/** A transport over the sandbox, which is opened by the first request. */
export function sandboxTransport(frame: Frame, settings: Settings): Transport {
  let opened: Promise<Sandbox> | undefined;
  return {
    async send({ url, headers, signal }) {
      opened ??= open(frame, settings);
      const sandbox = await opened;
      const reply = await sandbox.handle({ method: "GET", url: url.href, headers, signal });
      return { ...reply, url, bytes: Buffer.from(reply.body) };
    },
    async close() {
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}

async function open(frame: Frame, settings: Settings): Promise<Sandbox> {
  const options = worldOptions(settings, frame);
  const { openSandbox } = await loadSandbox();
  const progress = ledgerProgress(frame);
  try {
    const usage = usageFile(settings);
    return await openSandbox({ ...options, usage, onProgress: progress.tell, onNote: (text) => void frame.note(text) });
  } finally {
    progress.end();
  }
}
