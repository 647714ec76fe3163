/** A node that the tests of a file share. */
import { afterAll, beforeAll } from "vitest";
import { startTestNode, type TestNode, type TestNodeOptions } from "./node.ts";
import { type Scenario, startScenario } from "./scenario.ts";

/** Starts a node before the tests of a file and stops it afterwards; read its properties within tests only. */
export function useTestNode(options: TestNodeOptions = {}): TestNode {
  let node: TestNode | undefined;
  beforeAll(async () => {
    node = await startTestNode(options);
  });
  afterAll(() => node?.close());
  return whileRunning(() => node);
}

/** A node on which the story of scenario.ts has happened. */
export interface SharedScenario {
  readonly node: TestNode;
  readonly scenario: Scenario;
}

/** Starts a node with the story before the tests of a file and stops it afterwards; about a third of a second. */
export function useScenario(options: Parameters<typeof startScenario>[0] = {}): SharedScenario {
  let shared: SharedScenario | undefined;
  beforeAll(async () => {
    shared = await startScenario(options);
  });
  afterAll(() => shared?.node.close());
  return whileRunning(() => shared);
}

/** Returns an object whose properties are those of another one that exists later. */
function whileRunning<T extends object>(current: () => T | undefined): T {
  return new Proxy({} as T, {
    get(_, name) {
      const target = current();
      if (target === undefined) throw new Error("The node runs only while tests do");
      return Reflect.get(target, name, target);
    },
  });
}
