/** `-q`: quiet at every command. */
import { expect, it } from "vitest";
import { allCommands } from "../../src/commands/docs/manual/command-tree.ts";
import { commandTree } from "../../src/commands/docs/manual/generate.ts";
import { runInProcess } from "../support/in-process.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

it("is the short form of --quiet wherever a command has options", () => {
  const short = allCommands(commandTree()).flatMap(({ path, options }) =>
    options.filter((option) => option.short === "-q").map(({ long }) => `${path.join(" ")}: ${long}`),
  );
  expect(short.length).toBeGreaterThan(80);
  expect(short.filter((text) => !text.endsWith(": --quiet"))).toEqual([]);
});

it("solx api names --query for a parameter after -q", async () => {
  const run = await runInProcess(["api", "/token/meta", "-q", `address=${USDC}`, "--curl", "--sandbox"]);
  expect(run.code).toBe(2);
  expect(run.stderr).toContain(`For a query parameter: --query address=${USDC}`);
});

it("solx api takes a path after -q, also one with a query", async () => {
  const run = await runInProcess(["api", "-q", `/token/meta?address=${USDC}`, "--curl", "--sandbox"]);
  expect(run).toMatchObject({ code: 0, stderr: "" });
  expect(run.stdout).toContain(`/v2.0/token/meta?address=${USDC}`);
});
