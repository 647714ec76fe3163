import { vi } from "vitest";

/**
 * Waits until a check passes, and returns its result: as long as `expect.poll` does, where `vi.waitFor` alone gives up
 * after a second, which a busy machine can take.
 */
export const waitFor = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 30_000 });
