/** The pictures of the documentation. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { castText } from "../../scripts/captures/cast.ts";
import { PICTURES, SIZE, TOUR } from "../../scripts/captures/scenes.ts";
import { PAGE, parseScreen } from "../../scripts/captures/screen.ts";
import { describeWith } from "../support/programs.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

describeWith("tmux")("the pictures of the documentation", () => {
  test("are what the program draws", async () => {
    const { stderr } = await promisify(execFile)(process.execPath, [`${root}/scripts/captures.ts`, "--check"]).catch(
      (error) => error,
    );
    // The message says which pictures differ, and how to write them.
    expect(stderr).toBe("");
  });
});

describe("screens", () => {
  const text = async (capture: string) => (await parseScreen(capture, 1))[0]?.map((run) => [run.column, run.text]);

  test("are runs of equal style at their columns", async () => {
    expect(await text("a\u001B[31mb c\u001B[0m  d")).toEqual([
      [0, "a"],
      [1, "b c"],
      [6, "d"],
    ]);
    expect(await text("日本\u001B[1mx")).toEqual([
      [0, "日"],
      [2, "本"],
      [4, "x"],
    ]);
  });

  test("have colours of 16, 256 and 16 million", async () => {
    const [styles = []] = await parseScreen("\u001B[38;2;1;2;3ma\u001B[38;5;196mb\u001B[39;48;5;232mc\u001B[0;7md", 1);
    expect(styles.map(({ color }) => color).slice(0, 2)).toEqual(["#010203", "#ff0000"]);
    expect(styles[2]?.background).toBe("#080808");
    expect(styles[3]).toMatchObject({ color: "#11141a", background: "#d5dae3" });
  });
});

test("a recording has the screens one after another", async () => {
  const [header, ...events] = castText(
    [
      { screen: await parseScreen("one\n\u001B[31mtwo", 2), seconds: 2 },
      { screen: await parseScreen("three", 2), seconds: 1.5 },
    ],
    SIZE,
    "t",
  )
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(header).toMatchObject({ version: 2, width: SIZE.width, height: SIZE.height });
  expect(events.map(([time]) => time)).toEqual([0, 2, 3.5]);
  expect((await parseScreen(events[0][2].replaceAll(/\u001B\[(\d;)?\d+[HGK]/g, ""), 1))[0]).toMatchObject([
    { text: "one", color: PAGE.color },
    { text: "two", color: "#e06c75" },
  ]);
});

test("the README and the guide show pictures that exist", () => {
  const names = [...PICTURES.map(({ name }) => name), TOUR.name].map((name) => `docs/images/${name}.svg`);
  const paths = ["README.md", "docs/explore.md"].flatMap((file) =>
    [...readFileSync(`${root}/${file}`, "utf8").matchAll(/\]\(((?:docs\/)?images\/[^)]+\.svg)\)/g)].map(([, path]) =>
      path?.replace(/^(docs\/)?/, "docs/"),
    ),
  );
  expect(paths.length).toBeGreaterThanOrEqual(4);
  for (const path of paths) expect(names).toContain(path);
});
