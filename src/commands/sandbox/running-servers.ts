/** The sandboxes that run on this machine: each has a file in the state folder until it ends. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, type JsonObject, parseJson } from "../../base/index.ts";

/** A sandbox that runs on this machine. */
export interface RunningServer {
  readonly url: string;
  /** The seed of the simulated chain, or the name of the index. */
  readonly seed: string;
}

const ANSWER_MS = 2000;

/** Records a server. Returns a function that removes the record; both do nothing where the folder cannot be written. */
export function recordServer(stateFolder: string | undefined, server: RunningServer): () => void {
  if (stateFolder === undefined) return () => {};
  const folder = recordFolder(stateFolder);
  const path = join(folder, `${new URL(server.url).port}.json`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(path, JSON.stringify(server), { mode: 0o600 });
  } catch {
    return () => {};
  }
  return () => rmSync(path, { force: true });
}

/** Returns the servers that answer. Records of servers that were killed are removed. */
export async function findRunningServers(
  stateFolder: string | undefined,
  signal: AbortSignal,
): Promise<readonly RunningServer[]> {
  if (stateFolder === undefined) return [];
  const folder = recordFolder(stateFolder);
  const found = await Promise.all(
    listFiles(folder).map(async (name) => {
      const server = readRecord(join(folder, name));
      if (server && (await answers(server, signal))) return [server];
      rmSync(join(folder, name), { force: true });
      return [];
    }),
  );
  return found.flat();
}

const recordFolder = (stateFolder: string) => join(stateFolder, "sandboxes");

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch {
    return [];
  }
}

function readRecord(path: string): RunningServer | undefined {
  try {
    const { url, seed } = parseJson(readFileSync(path, "utf8")) as JsonObject;
    return typeof url === "string" && typeof seed === "string" ? { url, seed } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a sandbox answers at the address: another program may have its port by now. */
async function answers({ url }: RunningServer, signal: AbortSignal): Promise<boolean> {
  try {
    const reply = await fetch(`${url}/_sandbox/time`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
    });
    return isObject(parseJson(await reply.text()));
  } catch {
    signal.throwIfAborted();
    return false;
  }
}
