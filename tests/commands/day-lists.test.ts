/** Lists of days, whose oldest row comes first: `--limit` returns the latest days, in the same order. */
import { describe, expect, it, test } from "vitest";
import { endpoints } from "../../src/catalogue/index.ts";
import { JUP } from "../../src/catalogue/samples.ts";
import { runInProcess } from "../support/in-process.ts";
import { useSandbox } from "../support/running-sandbox.ts";

const sandbox = useSandbox();
const solx = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await runInProcess(args, { env: sandbox.env() });
  expect(stderr).toBe("");
  expect(code).toBe(0);
  return stdout.trim().split("\n");
};

const dayLists = endpoints.filter(({ oldestFirst }) => oldestFirst);

test.each(dayLists.map(({ command, query }) => [command, "address" in query ? [JUP] : []] as const))(
  "%s --limit 3 is the last three of all days",
  async (command, identifiers) => {
    const args = [...command.split(" "), ...identifiers, "-o", "ndjson"];
    const all = await solx(...args);
    const latest = await solx(...args, "--limit", "3");
    expect(all.length).toBeGreaterThan(3);
    expect(latest).toEqual(all.slice(-3));
  },
);

test("no other list of days starts with the oldest one", () => {
  const isDay = ({ identity = [], ascendingPages }: (typeof endpoints)[number]) =>
    !ascendingPages && identity.length === 1 && /date/.test(identity[0] ?? "");
  expect(dayLists.map(({ command }) => command)).toEqual(endpoints.filter(isDay).map(({ command }) => command));
});

test("a dry run of all days announces no further pages", async () => {
  for (const { command } of dayLists.filter(({ query }) => !("address" in query)))
    expect(await solx(...command.split(" "), "--all", "--curl")).toHaveLength(1);
});

describe("a limit above the API's default number of days", () => {
  const ofToken = ["token", "historical-data", JUP, "--limit", "20", "-o", "ndjson"];
  const urlOf = async (...args: readonly string[]) => {
    const [printed = ""] = await solx(...args, "--curl");
    return printed;
  };

  it("requests as many days", async () => {
    expect(await solx(...ofToken)).toHaveLength(20);
    expect(await urlOf(...ofToken)).toContain("range=30");
    expect(await urlOf("analytics", "stake", "--limit", "1000")).toContain("range=365");
  });

  it("leaves a smaller limit and a requested range as they are", async () => {
    expect(await urlOf("analytics", "stake", "--limit", "7")).not.toContain("range=");
    expect(await solx(...ofToken, "--range", "7")).toHaveLength(7);
    const dates = ["--from-time", "2026-05-01", "--to-time", "2026-05-10"];
    expect(await urlOf("analytics", "stake", "--limit", "120", ...dates)).not.toContain("range=");
  });
});
