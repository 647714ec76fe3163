/**
 * Writes `docs/images/`: pictures of solx and a recording of its tour, from the built program in windows of tmux. With
 * `--check` it writes nothing and fails when a picture is not current. With `--gallery <folder>` it writes pictures of
 * every page in several sizes and themes to a folder, to look at.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Files, recordGallery, recordPictures } from "./captures/record.ts";
import { PICTURES, TOUR } from "./captures/scenes.ts";

const { values } = parseArgs({
  options: { check: { type: "boolean" }, only: { type: "string" }, gallery: { type: "string" } },
});
const FOLDER = fileURLToPath(new URL("../docs/images/", import.meta.url));
const pictures = [TOUR, ...PICTURES].filter(({ name }) => values.only === undefined || values.only === name);

if (values.gallery !== undefined) {
  const { gallery } = values;
  await recordGallery((name, svg) => {
    mkdirSync(dirname(join(gallery, name)), { recursive: true });
    writeFileSync(join(gallery, name), svg);
  });
} else if (values.check) {
  const current = readFiles();
  checkFiles(await recordPictures(pictures, current), current);
} else writeFiles(await recordPictures(pictures));

function readFiles(): Files {
  const names = existsSync(FOLDER) ? readdirSync(FOLDER) : [];
  return new Map(names.map((name) => [name, readFileSync(join(FOLDER, name), "utf8")]));
}

function checkFiles(files: Files, current: Files): void {
  const stale = [...files].filter(([name, text]) => current.get(name) !== text);
  for (const [name, text] of stale) {
    console.error(`docs/images/${name} is not current.${firstDifference(current.get(name) ?? "", text)}`);
  }
  if (stale.length > 0) console.error("Run: node scripts/captures.ts");
  process.exitCode = stale.length > 0 ? 1 : 0;
}

/** Returns the first line that differs, without its markup. */
function firstDifference(before: string, after: string): string {
  const [old, now] = [before, after].map((text) => text.split("\n"));
  const at = now?.findIndex((line, index) => line !== old?.[index]) ?? -1;
  const plain = (line = "") =>
    line
      .replace(/<[^>]*>/g, " ")
      .replace(/ +/g, " ")
      .trim()
      .slice(0, 200);
  return at < 0 ? "" : ` Its line ${at + 1}:\n- ${plain(old?.[at])}\n+ ${plain(now?.[at])}`;
}

function writeFiles(files: Files): void {
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, text] of files) writeFileSync(join(FOLDER, name), text);
  console.log(`${files.size} files written`);
}
