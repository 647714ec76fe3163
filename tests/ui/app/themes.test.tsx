import { describe, expect, test } from "vitest";
import { parseStyle } from "../../../src/ui/app/theme/style.ts";
import { BASE_THEMES, createPainter } from "../../../src/ui/app/theme/theme.ts";
import { parseThemeSettings, resolveTheme, THEME_NAMES } from "../../../src/ui/app/theme/themes.ts";
import { fakeData, renderExplorer } from "../support.tsx";

describe("parsing a style", () => {
  test.each([
    ["cyan", "36"],
    ["bright-black bold", "90;1"],
    ["black on-yellow", "30;43"],
    ["#88c0d0", "38;2;136;192;208"],
    ["208 underline", "38;5;208;4"],
    ["on-#000000 inverse", "48;2;0;0;0;7"],
    ["plain", ""],
    ["mauve", undefined],
    ["#12", undefined],
    ["256", undefined],
    ["", undefined],
    ["constructor", undefined],
  ])("%j", (style, code) => {
    expect(parseStyle(style, 24)).toBe(code);
  });

  test("is the nearest that the terminal has", () => {
    expect(parseStyle("#ff0000", 8)).toBe("38;5;196");
    expect(["#fe5555", "#00aa00", "#5555ff", "196"].map((style) => parseStyle(style, 4))).toEqual([
      "91",
      "32",
      "94",
      "31",
    ]);
    expect(parseStyle("on-#5555ff", 4)).toBe("104");
  });
});

describe("themes", () => {
  test.each(THEME_NAMES)(
    "%s has a style for every role on every terminal, without colours where there are none",
    (theme) => {
      for (const palette of ["dark", "light", "none"] as const) {
        const styles = resolveTheme({ colorScheme: palette, depth: 24, theme, customStyles: {} });
        expect(Object.keys(styles)).toEqual(Object.keys(BASE_THEMES.dark));
        const codes = Object.values(styles).join(";");
        if (palette === "none" || theme === "mono") expect(codes).not.toMatch(/3\d|4\d|9\d/);
      }
    },
  );

  test("custom styles take precedence over the theme", () => {
    const settings = parseThemeSettings("colour-blind", { dark: { good: "magenta", title: "#88c0d0" } });
    expect(settings.problems).toEqual([]);
    const styles = resolveTheme({
      colorScheme: "dark",
      depth: 8,
      theme: settings.theme ?? "default",
      customStyles: settings.styles,
    });
    expect([styles.good, styles.title, styles.bad]).toEqual(["35", "38;5;110", "38;5;178;1"]);
    expect(createPainter(styles)([{ text: "in", role: "good" }])).toBe("\u001B[35min\u001B[0m");
  });

  test.each([
    [["high-contrst", undefined], /unknown theme "high-contrst"; did you mean high-contrast\?/],
    [[undefined, { dark: { god: "red" } }], /unknown role "god"; did you mean good\?/],
    [[undefined, { dark: { good: "mauve" } }], /invalid style "mauve" for good/],
    [[undefined, { none: { good: "red" } }], /good of none cannot have a colour/],
    [[undefined, { dim: {} }], /dim is not one of/],
    [[undefined, 3], /"looks" must be an object/],
  ] as const)("%j is reported", ([theme, styles], message) => {
    const read = parseThemeSettings(theme, styles);
    expect(read.problems).toEqual([expect.stringMatching(message)]);
    expect(read.styles.dark ?? {}).toEqual({});
  });

  test("are chosen in the palette, apply at once and are saved", async () => {
    const saved: string[] = [];
    const services = { colorScheme: "dark" as const, saveTheme: async (name: string) => void saved.push(name) };
    const place = { kind: "page", page: "bookmarks" } as const;
    const window = renderExplorer({ route: place, data: fakeData(), services });
    await window.waitFor(/\? help/);
    expect(window.styled()).toContain("\u001B[35msolx ");
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
});
