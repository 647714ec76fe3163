import { vi } from "vitest";

/** Milliseconds after which a test has failed that waits for something: many times what a busy machine takes. */
export const WAIT = 300_000;

/** Waits until a check passes, and returns its result; `vi.waitFor` alone gives up after a second. */
export const waitFor = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: WAIT / 2 });
