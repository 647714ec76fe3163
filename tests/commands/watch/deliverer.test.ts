/** What makes the deliveries of an outbox. */
import { expect, test } from "vitest";
import { sleep } from "../../../src/base/index.ts";
import { Deliverer } from "../../../src/commands/watch/deliverer.ts";
import { Outbox } from "../../../src/commands/watch/outbox.ts";

test("says at once that the outbox could not store a delivery", async () => {
  const outbox = new Outbox(":memory:");
  const error = new Error("database or disk is full");
  outbox.delivered = () => {
    throw error;
  };
  const timing = { now: Date.now, sleep };
  const deliverer = new Deliverer(outbox, [{ name: "a", deliver: async () => {} }], {
    timing,
    onFailure: async () => {},
  });
  const failed = new Promise((resolve) => deliverer.failed.addEventListener("abort", resolve));
  const event = { rule: "a" };
  outbox.commit(0, { subject: "s", events: [event], deliveries: [{ action: "a", key: "k", event }] });
  await failed;
  expect(deliverer.failed.reason).toBe(error);
  expect(() => deliverer.wake()).toThrow(error);
  await deliverer.stop();
  outbox.close();
});
