/**
 * Finding the addresses of a host as all programs of this machine do. Done by a child process: a name server that says
 * nothing blocks the caller for as long as the system likes, and keeps its process from ending.
 */
import { execFile } from "node:child_process";

const SCRIPT = `require("node:dns").lookup(process.argv[1], { all: true }, (error, found) =>
  process.stdout.write(JSON.stringify(error ? { code: error.code } : { addresses: found.map((one) => one.address) })))`;

/** What is known of a host. */
export interface Found {
  readonly addresses: readonly string[];
  /** Why there are none: the system's code; `EAI_AGAIN` also when there was no answer in time. */
  readonly code?: string;
}

/** Asks for a host; an answer always comes within the seconds. Rejects when the signal fires. */
export function addressesOf(host: string, seconds: number, signal: AbortSignal): Promise<Found> {
  return new Promise((resolve, reject) => {
    const options = { timeout: seconds * 1000, killSignal: "SIGKILL", signal, windowsHide: true, env: {} } as const;
    execFile(process.execPath, ["-e", SCRIPT, host], options, (_error, stdout) => {
      if (signal.aborted) return reject(signal.reason);
      try {
        const { addresses = [], code } = JSON.parse(stdout) as Partial<Found>;
        resolve(code === undefined ? { addresses } : { addresses, code });
      } catch {
        // It was ended before it had said anything.
        resolve({ addresses: [], code: "EAI_AGAIN" });
      }
    });
  });
}
