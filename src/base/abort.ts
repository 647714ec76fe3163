/** Stopping: every wait ends when its signal fires. */
import { setTimeout as delay } from "node:timers/promises";
import { InterruptedError } from "./errors.ts";

/** The error for a signal that fired: its reason where that is ours already. */
export function toInterruptedError(signal: AbortSignal | undefined): InterruptedError {
  const reason: unknown = signal?.reason;
  return reason instanceof InterruptedError ? reason : new InterruptedError(undefined, { cause: reason });
}

/** @throws InterruptedError when the signal has fired */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw toInterruptedError(signal);
}

/**
 * Waits.
 * @throws InterruptedError when the signal fires
 */
export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  throwIfAborted(signal);
  try {
    await delay(milliseconds, undefined, signal && { signal });
  } catch (cause) {
    if (signal?.aborted) throw toInterruptedError(signal);
    throw cause;
  }
}
