/**
 * Writes `docs/images/`: pictures of solx and a recording of its tour, from the built program in a window of tmux. With
 * `--check` it writes nothing and fails when a picture is not current.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type CastFrame, castText } from "./captures/cast.ts";
import { PICTURES, type Picture, SIZE, TOUR } from "./captures/scenes.ts";
import { parseScreen } from "./captures/screen.ts";
import { animation, stillPicture } from "./captures/svg.ts";
import { closeTerminals, Terminal } from "./captures/terminal.ts";

const { values } = parseArgs({ options: { check: { type: "boolean" }, only: { type: "string" } } });
const FOLDER = fileURLToPath(new URL("../docs/images/", import.meta.url));
const DEFAULT_SECONDS = 2;

const home = mkdtempSync(join(tmpdir(), "solx-captures-"));
try {
  Terminal.prepare(home);
  const files = await renderAll();
  if (values.check) checkFiles(files);
  else writeFiles(files);
} finally {
  closeTerminals();
  rmSync(home, { recursive: true, force: true });
}

/** Returns the files by name. Pictures are made one after the other: they share the ledger of the sandbox. */
async function renderAll(): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  const isSelected = ({ name }: Picture) => values.only === undefined || values.only === name;
  for (const picture of PICTURES.filter(isSelected)) {
    const frames = await play(picture);
    const screen = parseScreen(frames.at(-1)?.capture ?? "", SIZE.height);
    files.set(`${picture.name}.svg`, stillPicture(screen, SIZE, picture.title));
  }
  if (isSelected(TOUR)) {
    const frames = await play(TOUR);
    const scenes = frames.map(({ capture, seconds }) => ({ screen: parseScreen(capture, SIZE.height), seconds }));
    files.set(`${TOUR.name}.svg`, animation(scenes, SIZE, TOUR.title));
    files.set(`${TOUR.name}.cast`, castText(frames, SIZE, TOUR.title));
  }
  return files;
}

/** Plays the steps of a picture and returns the screen after each. */
async function play({ args, waitFor, steps = [] }: Picture): Promise<readonly CastFrame[]> {
  const terminal = new Terminal(args, SIZE, home);
  const frames: CastFrame[] = [{ capture: await terminal.waitFor(waitFor), seconds: DEFAULT_SECONDS }];
  for (const { type, press = [], waitFor: text, seconds = DEFAULT_SECONDS } of steps) {
    if (type !== undefined) terminal.type(type);
    if (press.length > 0) terminal.press(...press);
    frames.push({ capture: await terminal.waitFor(text), seconds });
  }
  terminal.close();
  return frames;
}

function checkFiles(files: ReadonlyMap<string, string>): void {
  const stale = [...files].filter(([name, text]) => readText(name) !== text).map(([name]) => name);
  for (const name of stale) console.error(`docs/images/${name} is not current`);
  if (stale.length > 0) console.error("Run: node scripts/captures.ts");
  process.exitCode = stale.length > 0 ? 1 : 0;
}

function writeFiles(files: ReadonlyMap<string, string>): void {
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, text] of files) writeFileSync(join(FOLDER, name), text);
  console.log(`${files.size} files written`);
}

/** Returns the text of a file; undefined when it does not exist. */
function readText(name: string): string | undefined {
  try {
    return readFileSync(join(FOLDER, name), "utf8");
  } catch {
    return undefined;
  }
}
