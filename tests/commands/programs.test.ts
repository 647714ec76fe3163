/** Programs of the user, run by the system. */
import { expect, test } from "vitest";
import { createProgramRunner } from "../../src/commands/run/programs.ts";

const run = createProgramRunner(new AbortController().signal);
const node = (code: string, ...args: readonly string[]) => run([process.execPath, "-e", code, "--", ...args], false);

test("a program gets its arguments as they are, and its output and code are reported", async () => {
  const hostile = ["$(exit 9)", "; exit 9", "`exit 9`", "a b", '"', "'", "*"];
  const { ok, message, output } = await node(
    "console.log(JSON.stringify(process.argv.slice(1))); console.error('note'); process.exitCode = 3",
    ...hostile,
  );
  expect([ok, message]).toEqual([false, `${process.execPath} ended with code 3`]);
  expect(output).toContain(JSON.stringify(hostile));
  expect(output).toContain("note");
});

test("long output is cut, and a program that does not exist is reported", async () => {
  const { ok, output } = await node("process.stdout.write('x'.repeat(1e6))");
  expect(ok).toBe(true);
  expect(output.length).toBeLessThan(201_000);
  expect(output).toMatch(/x\n… and more, which is left out$/);
  expect(await run(["no-such-program-at-all"], false)).toEqual({
    ...{ ok: false, message: "no-such-program-at-all was not found", output: "" },
  });
});
