/** Times that cannot be meant, and time ranges without rows. */
import { describe, expect, it } from "vitest";
import { WALLET } from "../../src/catalogue/samples.ts";
import { runInProcess } from "../support/in-process.ts";
import { SANDBOX_NOW, useSandbox } from "../support/running-sandbox.ts";

const sandbox = useSandbox();
const list = (...args: string[]) => runInProcess(["account", "transfer", WALLET, ...args], { env: sandbox.env() });

describe("a time that cannot be meant", () => {
  it("is refused with the likely correction, before anything is sent", async () => {
    const sent = sandbox.requests().length;
    const { code, stderr, stdout } = await list("--from-time", "17828640000");
    expect([code, stdout]).toEqual([2, ""]);
    const { errors } = JSON.parse(stderr);
    expect(errors.message).toContain("--from-time");
    expect(errors.hint).toContain("Did you mean 1782864000 (2026-07-01T00:00:00Z)?");
    expect(sandbox.requests()).toHaveLength(sent);
  });

  it("is refused by options that are no parameters, too", async () => {
    const { code, stderr } = await list("--follow", "--until", "17828640000");
    expect(code).toBe(2);
    expect(stderr).toContain("17828640000");
  });

  it("does not concern milliseconds", async () => {
    const { code, stderr } = await list("--from-time", "1720137600123", "-v", "--limit", "1");
    expect(code).toBe(0);
    expect(stderr).toContain("1720137600123 was read as milliseconds: 2024-07-05T00:00:00Z");
  });
});

describe("a time range that starts in the future", () => {
  const from = String(SANDBOX_NOW + 86_400);

  it.each([
    ["a page", []],
    ["all rows", ["--all"]],
    ["CSV", ["-o", "csv"]],
  ])("is reported once with an empty result: %s", async (_name, args) => {
    const { code, stderr } = await list("--from-time", from, ...args);
    expect(code).toBe(0);
    const notes = stderr.split("\n").filter((line) => line.includes("future"));
    expect(notes).toEqual(['{"note":"No rows: the time range starts in the future, at 2024-07-06T12:00:00Z."}']);
  });

  it("is not reported where the range has started", async () => {
    const { stderr } = await list("--from-time", String(SANDBOX_NOW - 60), "--to-time", from);
    expect(stderr).not.toContain("future");
  });
});
