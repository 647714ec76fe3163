/** The manifest of the package and the date of its version, for the scripts of a release. */
import { readFileSync } from "node:fs";

const readText = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), "utf8");

/** Returns the manifest, with the first part of the description as a summary. */
export function readManifest() {
  const manifest = JSON.parse(readText("package.json"));
  return { ...manifest, summary: manifest.description.replace(/:.*/, "") };
}

/** Returns the date of the version, as `2026-11-23`. Throws when the changelog does not have it. */
export function readVersionDate(): string {
  const { version } = readManifest();
  const heading = `## [${version}] - `;
  const line = readText("CHANGELOG.md")
    .split("\n")
    .find((text) => text.startsWith(heading));
  if (line === undefined) throw new Error(`CHANGELOG.md has no heading "${heading}<date>".`);
  return line.slice(heading.length);
}
