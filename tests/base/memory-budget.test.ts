/** The budget that calls share for what they receive: they wait beyond it, but never for each other. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MemoryBudget, type ReceivedBytes } from "../../src/base/index.ts";

const LIMIT = 100;

describe("a memory budget", () => {
  test("calls wait beyond it, the oldest one continues, and what it releases lets the next one continue", async () => {
    const budget = new MemoryBudget(LIMIT);
    const [first, second, third] = [budget.open(), budget.open(), budget.open()];
    expect(first.add(60)).toBeUndefined();
    const waits = [second.add(50), third.add(1)];
    expect(waits).toEqual([expect.any(Promise), expect.any(Promise)]);
    expect(first.add(500)).toBeUndefined();
    first.release();
    await Promise.all(waits);
    expect(second.add(20)).toBeUndefined();
  });

  test("a call that ends while it waits is waited for by nobody", async () => {
    const budget = new MemoryBudget(LIMIT);
    const [first, second, third] = [budget.open(), budget.open(), budget.open()];
    first.add(90);
    const waits = [second.add(50), third.add(50)];
    second.release();
    first.release();
    await Promise.all(waits);
    expect(third.add(1)).toBeUndefined();
  });

  test("whatever calls receive and release: one of them always continues, and the others stop soon", async () => {
    const steps = fc.array(fc.record({ call: fc.nat(7), bytes: fc.integer({ min: 1, max: 30 }), ends: fc.boolean() }), {
      maxLength: 200,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (commands) => {
        const budget = new MemoryBudget(LIMIT);
        const open = () => ({ account: budget.open(), total: 0, waits: false });
        const calls: { account: ReceivedBytes; total: number; waits: boolean }[] = Array.from({ length: 8 }, open);
        for (const { call: at, bytes, ends } of commands) {
          const call = calls[at] ?? open();
          if (ends) {
            call.account.release();
            Object.assign(call, open());
          } else if (!call.waits) {
            call.total += bytes;
            const room = call.account.add(bytes);
            call.waits = room !== undefined;
            void room?.then(() => Object.assign(call, { waits: false }));
          }
          await Promise.resolve();
          const active = calls.filter((each) => each.total > 0);
          expect(active.length === 0 || active.some(({ waits }) => !waits)).toBe(true);
          const used = active.reduce((sum, { total }) => sum + total, 0);
          const largest = Math.max(0, ...active.map(({ total }) => total));
          // Besides one call of any size, each has one part beyond the budget at most.
          expect(used - largest).toBeLessThanOrEqual(LIMIT + 8 * 30);
        }
      }),
    );
  });
});
