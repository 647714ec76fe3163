/** The sandbox of this machine: which world it is, where its ledger is kept, and how its making is told. */
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { parseUnixTime } from "../../client/index.ts";
import type { Settings } from "../../config/index.ts";
import type { RunContext } from "../run/context.ts";

/** What was typed for one run, in place of settings. */
export interface WorldOverrides {
  readonly seed?: string;
  readonly size?: number;
  readonly now?: string;
  readonly hostile?: boolean;
}

/** The folder, inside that of the cache, in which the sandbox keeps everything. */
export const SANDBOX_FOLDER = "sandbox";

/** What may be deleted at any time; without a home folder there is still a place for such files. */
export function cacheFolder({ paths }: Settings): string {
  return paths.cache ?? join(tmpdir(), `solx-${userInfo().username}`);
}

/** Where requests in process are counted, so that they count across runs. */
export function usageFile(settings: Settings): string {
  return join(cacheFolder(settings), SANDBOX_FOLDER, "usage.sqlite");
}

/** The options of the sandbox that the settings describe. */
export function worldOptions(settings: Settings, { io }: RunContext, overrides: WorldOverrides = {}) {
  const { seed = settings.get("sandbox-seed"), size = settings.get("sandbox-size") } = overrides;
  const { hostile = settings.get("sandbox-hostile") === "on" } = overrides;
  const now =
    overrides.now === undefined ? sandboxTime(settings, io.now()) : parseUnixTime(overrides.now, "--now", io.now());
  const plan = settings.get("plan");
  return {
    seed,
    size,
    hostile,
    faults: splitFaults(settings.get("sandbox-faults") ?? ""),
    folder: cacheFolder(settings),
    signal: io.signal,
    ...(now === undefined ? {} : { now }),
    ...(plan === undefined ? {} : { plan }),
  };
}

/** The faults of a text: spaces or commas are between them. */
export const splitFaults = (text: string): readonly string[] => text.split(/[\s,]+/).filter((fault) => fault !== "");

/** Unix seconds at which the sandbox's time stands still as the settings say; undefined when it does not. */
export function sandboxTime(settings: Settings, present: number): number | undefined {
  const { value, level, origin } = settings.entry("sandbox-now");
  const source = level === "environment" ? "SOLX_SANDBOX_NOW" : `sandbox-now of ${origin}`;
  return value === undefined ? undefined : parseUnixTime(String(value), source, present);
}

/** Loads the sandbox. */
export function loadSandbox(): Promise<typeof import("../../sandbox/index.ts")> {
  return import("../../sandbox/index.ts");
}

/** Loads what knows of the files of ledgers. */
export function loadLedgerStore(): Promise<typeof import("../../sandbox/ledger/store.ts")> {
  return import("../../sandbox/ledger/store.ts");
}

/** A line on a terminal that says how far something has come. */
export interface ProgressLine {
  /** @param share from 0 to 1 */
  update(share: number): void;
  /** Takes the line away. */
  end(): void;
}

/** The progress of making a ledger: one line on standard error, drawn anew, for people alone. */
export async function ledgerProgress(context: RunContext): Promise<ProgressLine> {
  const none = { update: () => {}, end: () => {} };
  const text = (share: number) => `Making the sandbox's ledger, once: ${Math.min(100, Math.floor(share * 100))} %`;
  const { onProgress } = context.reporter;
  if (onProgress) return { update: (share) => onProgress(text(share)), end: () => {} };
  if (!context.io.stderr.isTTY || context.globals.quiet) return none;
  const { canRedraw, getStatusLine: lineOn } = await import("../run/status-line.ts");
  if (!canRedraw(context.io)) return none;
  const slot = lineOn(context).open();
  return {
    update: (share) => slot.show(text(share)),
    end: slot.close,
  };
}
