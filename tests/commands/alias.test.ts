/** Aliases of commands: how they are stored, expanded, listed and completed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { expandAlias } from "../../src/commands/run/arguments.ts";
import { runInProcess } from "../support/in-process.ts";
import { createTempFolder } from "../support/solx.ts";

const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";
const OTHER = "2iXUd6pLkdVWkJUDoMLBEqdKEHSxNEY1wHc4Rha1LSZd";

let home: string;
beforeEach(() => {
  home = createTempFolder();
});

const solx = (args: readonly string[], input = "") => runInProcess(args, { input, env: { SOLX_HOME: home } });
const set = (name: string, line: string, ...more: readonly string[]) => solx(["alias", "set", name, line, ...more]);
const failure = async (...args: Parameters<typeof solx>) => JSON.parse((await solx(...args)).stderr).errors;
const requestedUrl = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await solx([...args, "--dry-run", "-o", "json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return new URL(JSON.parse(stdout).url);
};

describe("an alias", () => {
  test("is set, listed and deleted", async () => {
    await set("top", "token holders --limit 20");
    await solx(["alias", "set", "out", "-"], `account transfer $1 --flow out\n`);
    expect((await solx(["alias", "list", "-o", "csv"])).stdout).toBe(
      "name,command\nout,account transfer $1 --flow out\ntop,token holders --limit 20\n",
    );
    await solx(["alias", "delete", "top"]);
    expect(JSON.parse(readFileSync(join(home, "aliases.json"), "utf8"))).toEqual({
      aliases: { out: "account transfer $1 --flow out" },
    });
  });

  test("runs its command with further arguments, behind options too", async () => {
    await set("top", "solx token holders --page-size 20");
    const url = await requestedUrl("top", "JUP", "--page", "2");
    expect(url.pathname).toMatch(/token\/holders$/);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ page: "2", page_size: "20" });
    expect((await requestedUrl("--sandbox", "top", "JUP")).pathname).toMatch(/token\/holders$/);
    expect((await solx(["top", "--help"])).stdout).toContain("Usage: solx token holders");
  });

  test("takes arguments at its placeholders, quoted words stay words", async () => {
    await set("between", `account transfer $1 --to $2 --flow out`);
    const url = await requestedUrl("between", WALLET, "--exclude-amount-zero", OTHER);
    expect([url.searchParams.get("address"), url.searchParams.get("to")]).toEqual([WALLET, OTHER]);
    expect(url.searchParams.get("exclude_amount_zero")).toBe("true");
    expect(await failure(["between", WALLET])).toMatchObject({
      code: "USAGE",
      message: expect.stringContaining("expected 2, got 1"),
      hint: expect.stringContaining("account transfer $1 --to $2"),
    });
    const words = expandAlias("a", `api /x --jq '.[] | .a' $1`, ["$(rm) b"]);
    expect(words).toEqual(["api", "/x", "--jq", ".[] | .a", "$(rm) b"]);
  });

  test.each([
    ["token", "account detail", "it is a command"],
    ["tx", "account detail", "it is a command"],
    ["help", "account detail", "it is a command"],
    ["a b", "account detail", "letters, digits"],
    ["-x", "account detail", "letters, digits"],
    ["mine", "nothing here", "is not a command of solx"],
    ["mine", "!ls", "is not a command of solx"],
  ])("%s for %s is refused", async (name, line, message) => {
    expect(await failure(["alias", "set", "--", name, line])).toMatchObject({
      message: expect.stringContaining(message),
    });
  });

  test("for no command is refused with an example of one", async () => {
    expect(await failure(["alias", "set", "foo", "foo"])).toMatchObject({
      message: 'invalid command "foo": "foo" is not a command of solx',
      hint: "Start with a command: token holders",
    });
  });

  test("is replaced only with --clobber", async () => {
    await set("top", "token holders");
    expect(JSON.parse((await set("top", "token top")).stderr).errors).toMatchObject({ code: "ALIAS_EXISTS" });
    expect((await set("top", "token top", "--clobber")).code).toBe(0);
    expect((await requestedUrl("top")).pathname).toMatch(/token\/top$/);
  });

  test("never replaces a command, even when the file has one of its name", async () => {
    const { writeFileSync } = await import("node:fs");
    writeFileSync(join(home, "aliases.json"), JSON.stringify({ aliases: { token: "account detail" } }));
    expect((await requestedUrl("token", "top")).pathname).toMatch(/token\/top$/);
  });

  test("is in the help, and suggested when it is mistyped", async () => {
    await set("largest", "token holders --limit 20");
    expect((await solx(["--help"])).stdout).toMatch(/Your aliases:\n +largest +token holders --limit 20/);
    expect(await failure(["lagest", "JUP"])).toMatchObject({ hint: 'Did you mean "solx largest"?' });
  });
});
