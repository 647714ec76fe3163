/** The skill file for coding assistants. */
import { expect, test } from "vitest";
import { parse } from "yaml";
import { ExitCode } from "../../src/base/errors.ts";
import { endpoints } from "../../src/catalogue/index.ts";
import { skillText } from "../../src/commands/skill/skill.ts";

const text = skillText("1.2.3");
const [, front = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];

test("has the required front matter", () => {
  const { name, description, metadata } = parse(front);
  expect(name).toBe("solx");
  expect(metadata).toEqual({ version: "1.2.3" });
  // The limits of the format.
  expect(description.length).toBeLessThanOrEqual(1024);
  expect(description).toContain("Solana");
});

test("lists every command of the newer families with its filters, briefly", () => {
  for (const { command, family } of endpoints) {
    if (family !== "legacy") expect(body).toMatch(new RegExp(`^- \`${command}( <\\w+>)?\``, "m"));
  }
  expect(body).toMatch(/^- `token transfer <address>` \*: .*\[.*\bfrom-time\b.*\]$/m);
  expect(body.split(/\s+/).length).toBeLessThan(2500);
});

test("has the safety rules", () => {
  for (const word of ["SOLX_API_KEY", "--sandbox", "--limit", "-o json", "--yes", "untrusted", "docs --search"]) {
    expect(body).toContain(word);
  }
  for (const code of Object.values(ExitCode)) expect(body).toContain(`\n- ${code}: `);
});
