/** Plays the scenes of the pictures in windows of tmux, each with its own copy of the sandbox. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UsageStore } from "../../src/sandbox/service/usage.ts";
import { castText, drawScreen, readCast } from "./cast.ts";
import { listShots, SIZES, THEMES } from "./gallery.ts";
import { type Picture, SIZE } from "./scenes.ts";
import { PAGES, parseScreen, type Scene, type Screen } from "./screen.ts";
import { animation, stillPicture } from "./svg.ts";
import { closeTerminals, createLedger, NOW, STILL_CHAIN, Terminal } from "./terminal.ts";

const DEFAULT_SECONDS = 2;
/** Milliseconds without a change until a screen is complete, and until it counts as another one than expected. */
const SETTLE_MS = 1000;
const DIFFERENT_MS = 30_000;
/** Units that the key used in the month of the pictures, and in each half hour of the last day. */
const MONTH_UNITS = 61_400_000;
const HALF_HOUR_UNITS = 118_000;

/** Texts of files by name. */
export type Files = ReadonlyMap<string, string>;

/**
 * Plays pictures and returns their files.
 * @param current the current files; playing a picture stops where it differs from them
 */
export async function recordPictures(pictures: readonly Picture[], current: Files = new Map()): Promise<Files> {
  return withHomes(async (homeFor) => {
    const files = pictures.map(async (picture) =>
      filesOf(picture, await play(picture, homeFor(picture.name), currentScreens(picture, current))),
    );
    return new Map((await Promise.all(files)).flat());
  });
}

/** Draws every screen in every size and theme; gives each picture to a function as soon as there is one. */
export async function recordGallery(save: (name: string, svg: string) => void): Promise<void> {
  const windows = SIZES.flatMap((size) => THEMES.map((theme) => ({ size, theme })));
  await withHomes((homeFor) =>
    Promise.all(
      windows.map(async ({ size, theme }) => {
        const folder = `${size.width}x${size.height}-${theme}`;
        const env = { ...STILL_CHAIN, SOLX_THEME: theme, SOLX_PLAN: "level-2" };
        const terminal = new Terminal({ lines: ["solx explore"], env }, size, homeFor(folder));
        await terminal.waitFor({ text: "latest blocks", settleMs: SETTLE_MS });
        for (const { name, words, press, leave } of listShots()) {
          if (words !== undefined) await terminal.open(words);
          if (press !== undefined) terminal.press(press);
          const capture = await terminal.waitFor({ text: "solx", settleMs: SETTLE_MS });
          const screen = await parseScreen(capture, size.height, PAGES[theme]);
          save(`${folder}/${name}.svg`, stillPicture(screen, size, name, PAGES[theme]));
          if (leave === undefined) continue;
          terminal.press(leave);
          await terminal.waitFor({ text: "solx", settleMs: SETTLE_MS });
        }
        terminal.close();
      }),
    ),
  );
}

/** Runs an action with folders that contain the same sandbox, and removes them. */
async function withHomes<T>(action: (homeFor: (name: string) => string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "solx-captures-"));
  try {
    const template = join(folder, "template");
    createLedger(template);
    addUsage(join(template, "cache", "sandbox", "usage.sqlite"));
    return await action((name) => {
      const home = join(folder, name);
      cpSync(template, home, { recursive: true });
      return home;
    });
  } finally {
    closeTerminals();
    // Until it has ended, solx may write to its folder.
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

/** Returns the files of a picture. */
function filesOf({ name, title, isAnimated }: Picture, scenes: readonly Scene[]): readonly [string, string][] {
  if (!isAnimated) return [[`${name}.svg`, stillPicture(scenes.at(-1)?.screen ?? [], SIZE, title)]];
  return [
    [`${name}.svg`, animation(scenes, SIZE, title)],
    [`${name}.cast`, castText(scenes, SIZE, title)],
  ];
}

/** Returns the screens of the current files as texts, by step; a still picture has only the last one. */
function currentScreens({ name, isAnimated, steps = [] }: Picture, current: Files): readonly (string | undefined)[] {
  if (isAnimated) return readCast(current.get(`${name}.cast`) ?? "");
  return [...steps.map(() => undefined), current.get(`${name}.svg`)];
}

/** Returns a screen as the text that is compared. */
const screenText = ({ title, isAnimated }: Picture, screen: Screen) =>
  isAnimated ? drawScreen(screen) : stillPicture(screen, SIZE, title);

/** Adds the use of the key before the pictures. */
function addUsage(path: string): void {
  const store = new UsageStore({ path, name: "solx" });
  for (let half = 1; half < 48; half++) {
    const request = { time: NOW - half * 30 * 60_000, route: "v2-account-transfer", status: 200, exported: false };
    store.add({ ...request, units: HALF_HOUR_UNITS });
  }
  store.setPeriodUnits(MONTH_UNITS, NOW);
  store.close();
}

/** Plays the steps of a picture and returns the screen after each; no more after one that differs. */
async function play(
  picture: Picture,
  home: string,
  current: readonly (string | undefined)[],
): Promise<readonly Scene[]> {
  const terminal = new Terminal(picture, SIZE, home);
  const scenes: Scene[] = [];
  for (const { type, press = [], waitFor: text, seconds = DEFAULT_SECONDS } of [picture, ...(picture.steps ?? [])]) {
    if (type !== undefined) terminal.type(type);
    if (press.length > 0) terminal.press(...press);
    const expected = current[scenes.length];
    const isExpected = async (capture: string) =>
      screenText(picture, await parseScreen(capture, SIZE.height)) === expected;
    const capture = await terminal.waitFor(
      expected === undefined ? { text, settleMs: SETTLE_MS } : { text, settleMs: DIFFERENT_MS, isExpected },
    );
    scenes.push({ screen: await parseScreen(capture, SIZE.height), seconds });
    if (expected !== undefined && !(await isExpected(capture))) break;
  }
  terminal.close();
  return scenes;
}
