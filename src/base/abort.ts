/** Waiting that ends when an abort signal fires. */
import { setTimeout as delay } from "node:timers/promises";
import { InterruptedError } from "./errors.ts";

/** Returns the error for a signal that has fired: its reason, where that is an InterruptedError already. */
export function toInterruptedError(signal: AbortSignal | undefined): InterruptedError {
  const reason: unknown = signal?.reason;
  return reason instanceof InterruptedError ? reason : new InterruptedError(undefined, { cause: reason });
}

/** @throws InterruptedError when the signal has fired */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw toInterruptedError(signal);
}

/**
 * Waits for a number of milliseconds.
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
