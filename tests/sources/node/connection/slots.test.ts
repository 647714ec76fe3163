/** Nodes that answer from another state than before, as gateways with several nodes do: the answer says so. */
import { afterEach, expect, test } from "vitest";
import { createClient } from "../../../../src/sources/index.ts";
import { useScenario } from "../../../support/node/use-test-node.ts";
import type { Wire } from "../../../support/node/wire.ts";
import { endpointOf } from "../answers.ts";

const shared = useScenario();
afterEach(() => shared.node.clearFaults());

test.each([
  ["an older one", -500, 1],
  ["a newer one", 500_000, 1],
  ["one that is a little older", -20, 0],
])("a call is answered from %s", async (_, difference, reports) => {
  const texts: string[] = [];
  await using client = createClient({
    rpc: shared.node.url,
    onEvent: (event) => event.type === "coverage" && texts.push(event.text),
  });
  const read = () => client.fetch(endpointOf("v2-account-detail"), { address: shared.scenario.addresses.bob });
  const { coverage } = await read();
  expect(coverage?.incomplete).toBe(undefined);
  const change = (result: Wire): Wire => {
    const { context, value } = result as { context: { slot: number }; value: Wire };
    return { context: { slot: context.slot + difference }, value };
  };
  const restore = shared.node.fail({ method: "getMultipleAccounts", change });
  await read();
  expect(texts).toHaveLength(reports);
  for (const text of texts) expect(text).toContain("and then from slot");
  restore();
});
