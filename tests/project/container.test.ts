/** The Dockerfile: what can be checked of it without building the image. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readManifest } from "../../scripts/manifest.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const lines = readFileSync(join(ROOT, "Dockerfile"), "utf8").replaceAll("\\\n", " ").split("\n");
const ignored = readFileSync(join(ROOT, ".dockerignore"), "utf8").split("\n");
const manifest = readManifest();

/** Returns the arguments of an instruction in the last stage. */
const instruction = (name: string): string[] =>
  lines
    .slice(lines.findLastIndex((line) => line.startsWith("FROM ")))
    .filter((line) => line.startsWith(`${name} `))
    .map((line) => line.slice(name.length + 1));

test("the image runs as an ordinary user, by number, as orchestrators check it", () => {
  expect(instruction("USER")).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)]);
  expect(instruction("ENTRYPOINT")).toEqual([`["${Object.keys(manifest.bin)[0]}"]`]);
});

test("SOLX_HOME is the volume", () => {
  const [folder = ""] = instruction("VOLUME");
  expect(instruction("ENV").join(" ").split(" ")).toContain(`SOLX_HOME=${folder}`);
});

test("the build has what it needs: no source is ignored, and nothing that it makes itself is copied", () => {
  for (const name of ["node_modules", "dist", ".git"]) expect(ignored).toContain(name);
  for (const name of ["src", "bin", "docs", "scripts", "README.md", "LICENSE", "package.json", "package-lock.json"]) {
    expect([name, existsSync(join(ROOT, name)), ignored.includes(name)]).toEqual([name, true, false]);
  }
  const [, script = ""] = /^RUN node (\S+)/m.exec(lines.join("\n")) ?? [];
  expect(existsSync(join(ROOT, script))).toBe(true);
  expect(instruction("RUN").join(" ")).toContain(`lib/solx/${manifest.bin.solx}`);
});

test("the labels of the image say what the manifest says", () => {
  const pairs = [
    ...instruction("LABEL")
      .join(" ")
      .matchAll(/org\.opencontainers\.image\.([\w.]+)="(.*?)"/g),
  ];
  const labels = Object.fromEntries(pairs.map(([, name, value]) => [name, value]));
  const source = manifest.repository.url.replace(/^git\+|\.git$/g, "");
  expect(labels).toEqual({
    ...{ title: manifest.name, description: manifest.summary, version: manifest.version, licenses: manifest.license },
    ...{ vendor: manifest.author, source, url: manifest.homepage, "base.name": "${".concat("NODE_IMAGE}") },
    ...{
      revision: "${".concat("REVISION}"),
      documentation: `${source}/blob/v${manifest.version}/docs/sandbox.md#container`,
    },
  });
});
