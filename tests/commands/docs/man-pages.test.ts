/** Man pages: valid roff. */
import { execFile, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { manFiles, manualPages } from "../../../src/commands/docs/manual/generate.ts";
import { manPage } from "../../../src/commands/docs/manual/man-page.ts";
import type { ManualPage } from "../../../src/commands/docs/manual/page.ts";
import { testWith } from "../../support/programs.ts";
import { createTempFolder } from "../../support/solx.ts";

const manuals = manFiles({ version: "1.2.3", date: "2026-11-23" }, manualPages());
const hasGroff = spawnSync("groff", ["--version"]).status === 0;

test("puts commands into section 1 and topics into section 7", () => {
  for (const path of [
    "man1/solx.1",
    "man1/solx-account-transfer.1",
    "man1/solx-auth-login.1",
    "man7/solx-exit-codes.7",
  ]) {
    expect([...manuals.keys()]).toContain(path);
  }
});

test.each([...manuals])("%s is valid", (path, text) => {
  const lines = text.trimEnd().split("\n");
  const [, section, name] = /^man(\d)\/(.*)\.\d$/.exec(path) ?? [];
  expect(lines[0]).toBe(
    `.TH "${name?.toUpperCase().replaceAll("-", "\\-")}" "${section}" "2026-11-23" "solx 1.2.3" "solx"`,
  );
  expect(lines[1]).toBe(".SH NAME");
  // The line that whatis and apropos read.
  expect(lines[2]).toMatch(new RegExp(`^${name?.replaceAll("-", "\\\\-")} \\\\- \\S`));
  const requests = lines.filter((line) => /^[.']/.test(line)).map((line) => /^[.'](\w*)/.exec(line)?.[1] ?? "");
  expect(
    requests.filter((request) => !["TH", "SH", "PP", "TP", "IP", "RS", "RE", "nf", "fi"].includes(request)),
  ).toEqual([]);
  // Bytes outside ASCII depend on the locale; a backslash starts one of these escapes.
  expect(text).toMatch(/^[\n -~]*$/);
  expect(text.replace(/\\(?:f[BR]|\(\w\w|\[u[0-9A-F]{4,6}\]|e|&|-)/g, "")).not.toContain("\\");
});

test("escapes requests in text and hyphens in code", () => {
  const hostile: ManualPage = {
    id: "x",
    kind: "command",
    title: "solx x",
    command: "x",
    group: "",
    summary: ".so /etc/passwd",
    aliases: [],
    seeAlso: [],
    sections: [
      {
        title: 'A "quoted" .heading',
        blocks: [
          { kind: "code", content: ".sp\n'br\n\\fB--a-b ~^`" },
          { kind: "text", content: "'tis a \\(em `--x-y`" },
          { kind: "terms", content: [[".TH", ".de"]] },
        ],
      },
    ],
  };
  const text = manPage(hostile, [hostile], { version: "1", date: "2026-11-23" });
  expect(text.split("\n").filter((line) => /^[.'](?!TH |SH |PP$|TP$|RS |RE$|nf$|fi$)/.test(line))).toEqual([]);
  if (!hasGroff) return;
  const { stdout, stderr } = spawnSync("groff", ["-man", "-Tascii", "-P-cbou", "-ww"], {
    input: text,
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  for (const line of [".sp", "'br", "\\fB--a-b ~^`", "'tis a \\(em", "--x-y", ".TH", ".de"])
    expect(stdout).toContain(line);
});

test.skipIf(!hasGroff)("groff prints no warnings", () => {
  const { status, stderr } = spawnSync("groff", ["-man", "-Tutf8", "-ww", "-z"], {
    input: [...manuals.values()].join(""),
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
});

testWith("mandoc")("mandoc has nothing to say, not about style either", async () => {
  const folder = createTempFolder();
  const files = [...manuals].map(([path, text]) => {
    const file = join(folder, path.replace("/", "-"));
    writeFileSync(file, text);
    return file;
  });
  const lint = promisify(execFile)("mandoc", ["-Tlint", ...files]);
  expect((await lint.catch(({ stdout }) => ({ stdout }))).stdout).toBe("");
});
