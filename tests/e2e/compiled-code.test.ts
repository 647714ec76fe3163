/** The code that earlier runs compiled and stored. */
import { readdirSync, readFileSync, statSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { createTempFolder, solx } from "../support/solx.ts";

const MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

/** Returns the files with the code of scripts below a home folder. */
const codeFiles = (home: string) =>
  readdirSync(home, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".code"))
    .map((path) => join(home, path));

const dryRun = (home: string) => solx(["token", "meta", MINT, "--dry-run"], { env: { SOLX_HOME: home } });

/** A home folder in which a command ran. */
async function usedHome() {
  const home = createTempFolder();
  const first = await dryRun(home);
  return { home, first, files: codeFiles(home) };
}

describe("compiled code", () => {
  test("of the functions that ran is stored for the next run, readable by its owner only", async () => {
    const { home, first, files } = await usedHome();
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(files.filter((file) => basename(file).startsWith("start-everyday-"))).toHaveLength(1);
    if (process.platform !== "win32")
      expect(files.map((file) => statSync(file).mode & 0o777)).toEqual(files.map(() => 0o600));
    const before = files.map((file) => readFileSync(file));
    expect(await dryRun(home)).toEqual(first);
    expect(files.map((file) => readFileSync(file))).toEqual(before);
  });

  test.each<[string, (file: string) => void]>([
    [
      "changed in many places",
      (file) => {
        const content = readFileSync(file);
        for (let at = 1000; at < content.length; at += 1000) content[at] = (content[at] ?? 0) ^ 0x55;
        writeFileSync(file, content);
      },
    ],
    ["cut off", (file) => truncateSync(file, Math.floor(statSync(file).size / 2))],
    ["empty", (file) => truncateSync(file)],
    ["from another version of V8", (file) => writeFileSync(file, "code of another version")],
  ])("that was %s is compiled again", async (_, damage) => {
    const { home, first, files } = await usedHome();
    for (const file of files) damage(file);
    const damaged = files.map((file) => readFileSync(file));
    expect(await dryRun(home)).toEqual(first);
    const renewed = files.map((file) => readFileSync(file));
    expect(renewed.every((content, at) => !content.equals(damaged[at] as Buffer))).toBe(true);
    expect(await dryRun(home)).toEqual(first);
    expect(files.map((file) => readFileSync(file))).toEqual(renewed);
  });

  test("grows by what other commands run, and that of replaced versions is removed", async () => {
    const { home, files } = await usedHome();
    const [everyday = ""] = files.filter((file) => file.includes("everyday"));
    const size = statSync(everyday).size;
    const old = everyday.replace("everyday-", "everyday-old");
    writeFileSync(old, "");
    const days = (count: number) => new Date(Date.now() - count * 86_400_000);
    utimesSync(old, days(31), days(31));
    for (const file of files) utimesSync(file, days(1), days(1));
    await solx(["account", "transfer", MINT, "--dry-run", "-o", "table"], { env: { SOLX_HOME: home } });
    expect(statSync(everyday).size).toBeGreaterThan(size);
    expect(codeFiles(home)).toEqual(files);
  });
});
