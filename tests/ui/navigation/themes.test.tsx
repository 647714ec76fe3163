import { describe, expect, test } from "vitest";
import { type ResolvedTheme, type Rgb, resolveTheme, THEME_NAMES } from "../../../src/output/index.ts";
import { readCustomKeys } from "../../../src/ui/navigation/keys/read-custom-keys.ts";
import { createPainter } from "../../../src/ui/navigation/theme/painter.ts";
import { fakeData, NO_TERMINAL, renderExplorer } from "../support.tsx";

describe("the selected row", () => {
  test.each(THEME_NAMES)(
    "of %s keeps its colours, on one ground or beside a mark, or all of it is inverse",
    (theme) => {
      for (const depth of [4, 8, 24] as const) {
        const resolved = resolveTheme({ theme, colorScheme: "dark", depth });
        const { styles } = resolved;
        const line = (["token", "bad", undefined, "track"] as const).map((role) => ({ text: "x", role }));
        const row = createPainter(resolved)(
          [{ text: " " }, ...line].map((one) => ({ ...one, cursor: "row" as const })),
        );
        const ground = /48;(?:2;\d+;\d+;\d+|5;\d+)/.exec(styles.selected)?.[0];
        const isInverse = styles.selected.split(";").includes("7");
        const parts = [...row.matchAll(/\u001B\[([\d;]+)m([^\u001B]+)/g)].map(([, one = "", text]) => ({ one, text }));
        const [margin, ...cells] = parts;
        expect(cells).toHaveLength(4);
        for (const { one } of cells)
          expect(ground === undefined ? one.split(";") : one).toContain(ground ?? (isInverse ? "7" : "1"));
        if (isInverse) expect(cells.map(({ one }) => one).join(";")).not.toMatch(/(^|;)[39]\d/);
        else expect(cells[0]?.one).toContain(styles.token);
        expect(margin?.text).toBe(ground === undefined && !isInverse ? "▌" : " ");
      }
    },
  );

  test("without a ground is recognized by its start, also in ASCII and where it has no margin", () => {
    const resolved = resolveTheme({ theme: "terminal", colorScheme: "dark", depth: 4 });
    const row = [" a", "b"].map((text) => ({ text, cursor: "row" as const }));
    const textOf = (line: string) => line.replace(/\u001B\[[\d;]*m/g, "");
    expect(textOf(createPainter(resolved, false)(row))).toBe(">ab");
    expect(createPainter(resolved)([{ text: "a ", cursor: "row" }])).toBe("\u001B[1;7ma\u001B[0m\u001B[1m \u001B[0m");
    expect(textOf(createPainter(resolved)([{ text: " a" }]))).toBe(" a");
  });

  test("shows marks on their ground, and the cell of the cursor in its own text", () => {
    const resolved = resolveTheme({ theme: "dark", colorScheme: "dark", depth: 24 });
    const { styles } = resolved;
    const paint = createPainter(resolved);
    expect(paint([{ text: "x", role: "chip", cursor: "row" }])).toContain(styles.chip);
    expect(paint([{ text: "x", role: "note", cursor: "cell" }])).toBe(`\u001B[${styles.cell}mx\u001B[0m`);
    expect(paint([{ text: "x", role: "token", cursor: "cell" }])).toBe(
      `\u001B[${styles.cell};${styles.token}mx\u001B[0m`,
    );
    expect(paint([{ text: "x" }], "popup")).toBe(`\u001B[${styles.popup}mx\u001B[0m`);
    expect(paint([{ text: "x", cursor: "caret" }], "popup")).toBe("\u001B[7mx\u001B[0m");
  });
});

/** Returns the colour of the program's name, which Ink writes apart from its weight. */
const colorOf = ({ styles }: ResolvedTheme) => styles.brand.split(";").slice(0, 5).join(";");

describe("themes", () => {
  test("are chosen in the palette, apply at once and are saved", async () => {
    const saved: string[] = [];
    const services = { colorScheme: "dark" as const, saveTheme: async (name: string) => void saved.push(name) };
    const place = { kind: "page", page: "bookmarks" } as const;
    const window = renderExplorer({ route: place, data: fakeData(), services });
    await window.waitFor(/\? help/);
    expect(window.styled()).toContain("\u001B[35m\u001B[1msolx ");
    await window.press(":theme mono");
    await window.waitFor(/Theme: no colours/);
    await window.press("enter");
    await window.waitFor(/theme mono/);
    await window.press("j");
    await window.waitFor(/\? help/);
    expect(window.styled()).not.toMatch(/\u001B\[[\d;]*3\d/);
    expect(saved).toEqual(["mono"]);
    expect(window.frame()).toMatch(/solx bookmarks/);
  });

  test("are shown while the cursor is on them, and used or left", async () => {
    const saved: string[] = [];
    const services = {
      ...{ colorScheme: "dark" as const, depth: 24 as const },
      saveTheme: async (name: string) => void saved.push(name),
      customization: {
        ...{ hotkeyRoutes: new Map(), styles: {}, problems: [], theme: "dark" },
        keys: readCustomKeys(undefined, undefined),
        themes: { mine: { description: "Mine", extends: "high-contrast", styles: { brand: "#010203" } } },
      },
    };
    const route = { kind: "page", page: "bookmarks" } as const;
    const window = renderExplorer({ route, data: fakeData(), services });
    const { themes: customThemes } = services.customization;
    const brandOf = (theme: string) => colorOf(resolveTheme({ theme, colorScheme: "dark", depth: 24, customThemes }));
    const shows = (theme: string) => expect.poll(window.styled).toContain(brandOf(theme));
    await window.waitFor(/\? help/);
    await shows("dark");
    await window.press("T");
    await window.waitFor(/✓ dark[\s\S]*mine +Mine/);
    await window.press("jj");
    await shows("high-contrast");
    await window.press("esc");
    await shows("dark");
    expect(saved).toEqual([]);
    await window.press("Tkk");
    await shows("mine");
    await window.press("enter");
    await window.waitFor(/theme mine/);
    expect(saved).toEqual(["mine"]);
    await shows("mine");
  });

  test("follow the background that the terminal reports", async () => {
    const services = { colorScheme: "dark" as const, depth: 24 as const };
    const route = { kind: "page", page: "bookmarks" } as const;
    const terminal = { ...NO_TERMINAL, askBackground: (onColor: (color: Rgb) => void) => onColor([250, 250, 245]) };
    const window = renderExplorer({ route, data: fakeData(), services, terminal });
    const light = resolveTheme({ theme: "light", colorScheme: "light", depth: 24 });
    await expect.poll(window.styled).toContain(colorOf(light));
  });
});
