import { describe, expect, test } from "vitest";
import {
  type ColorDepth,
  hasTheme,
  indexedColor,
  listThemes,
  parseCustomStyles,
  parseStyle,
  parseTheme,
  type ResolvedTheme,
  type Rgb,
  type Role,
  resolveTheme,
  THEME_NAMES,
  unknownThemeMessage,
} from "../../src/output/index.ts";

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

/** The relative luminance and the contrast ratio of WCAG 2. */
function luminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Rgb, other: Rgb): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** Returns the colour of SGR parameters: 38 for text, 48 for what is behind it. */
function colorIn(codes: string, ground: 38 | 48): Rgb | undefined {
  const [, red, green, blue, index] =
    new RegExp(`(?:^|;)${ground};(?:2;(\\d+);(\\d+);(\\d+)|5;(\\d+))`).exec(codes) ?? [];
  if (index !== undefined) return indexedColor(Number(index));
  return red === undefined ? undefined : [Number(red), Number(green), Number(blue)];
}

const SURFACES = ["selected", "cell", "popup"] as const;
/** Lines and grounds of bars are no text. */
const DECORATIONS: ReadonlySet<string> = new Set(["frame", "grid", "track"]);
/** These have the colour of text in the selected cell. */
const QUIET: ReadonlySet<string> = new Set(["key", "missing", "note", "axis", ...DECORATIONS]);

/** Returns the contrast of each role on the page and on each surface. */
function contrasts({ styles, background }: ResolvedTheme, page: Rgb): readonly (readonly [string, number])[] {
  const grounds = new Map<string, Rgb>([["page", page ?? background]]);
  // A surface that is inverse has the contrast of the page.
  for (const surface of SURFACES) {
    const ground = colorIn(styles[surface], 48);
    if (ground) grounds.set(surface, ground);
  }
  return (Object.entries(styles) as [Role, string][]).flatMap(([role, codes]) =>
    [...grounds].flatMap(([name, ground]) => {
      if ((SURFACES as readonly string[]).includes(role) && role !== name) return [];
      if (name === "cell" && QUIET.has(role)) return [];
      const text = colorIn(codes, 38);
      expect(text, `${role} has a colour`).toBeDefined();
      return [[`${role} on ${name}`, contrast(text as Rgb, colorIn(codes, 48) ?? ground)] as const];
    }),
  );
}

const COLORED = THEME_NAMES.filter((name) => name !== "mono");
const CASES = COLORED.flatMap((theme) => (["dark", "light"] as const).map((colorScheme) => ({ theme, colorScheme })));

describe("contrast", () => {
  test.each(CASES)("of every role of $theme on $colorScheme, on every surface", ({ theme, colorScheme }) => {
    const resolved = resolveTheme({ theme, colorScheme, depth: 24 });
    const text = theme === "high-contrast" ? 7 : 4.5;
    const low = contrasts(resolved, resolved.background).filter(
      ([name, ratio]) => ratio < (DECORATIONS.has(name.split(" ")[0] ?? "") ? 3 : text),
    );
    expect(low).toEqual([]);
  });

  test.each(CASES)("of $theme on $colorScheme in 256 colours", ({ theme, colorScheme }) => {
    const { background } = resolveTheme({ theme, colorScheme, depth: 24 });
    const low = contrasts(resolveTheme({ theme, colorScheme, depth: 8 }), background).filter(
      ([name, ratio]) => ratio < (DECORATIONS.has(name.split(" ")[0] ?? "") ? 2 : 3),
    );
    expect(low).toEqual([]);
  });

  test.each(CASES)("of the selected row, its cell and popups of $theme on $colorScheme is visible", (options) => {
    for (const depth of [24, 8] as const) {
      const { styles, background } = resolveTheme({ ...options, depth });
      const grounds = [styles.selected, styles.cell, styles.popup].map((codes) => colorIn(codes, 48)?.join());
      const isMarked = (codes: string) => /(^|;)7(;|$)/.test(codes.replace(/[34]8;[25];[\d;]*/, ""));
      expect(grounds[0]).not.toBe(background.join());
      expect(grounds[1] !== grounds[0] || isMarked(styles.cell) || options.theme === "high-contrast").toBe(true);
      expect(grounds[2]).not.toBe(grounds[0]);
    }
  });

  test("keeps its distance from the background of the terminal", () => {
    const declared = resolveTheme({ theme: "dark", colorScheme: "dark", depth: 24 });
    const moved = resolveTheme({ theme: "dark", colorScheme: "dark", depth: 24, background: [46, 52, 64] });
    const band = colorIn(declared.styles.selected, 48) as Rgb;
    const offset = band.map((part, at) => part - (declared.background[at] ?? 0));
    expect(colorIn(moved.styles.selected, 48)).toEqual(offset.map((part, at) => part + ([46, 52, 64][at] ?? 0)));
  });
});

describe("themes", () => {
  test.each(THEME_NAMES)(
    "%s has a style for every role on every terminal, and no colours where there are none",
    (theme) => {
      for (const colorScheme of ["dark", "light", "none"] as const) {
        for (const depth of [4, 8, 24] as const) {
          const { styles } = resolveTheme({ theme, colorScheme, depth });
          const codes = Object.values(styles).join(";");
          if (colorScheme === "none" || theme === "mono") expect(codes).not.toMatch(/(^|;)(3|4|9|10)\d/);
          else expect(codes).toMatch(depth === 4 ? /(^|;)3[0-7](;|$)/ : /38;/);
          if (depth === 4) expect(codes).not.toMatch(/[34]8;/);
        }
      }
    },
  );

  test.each([
    ["dark", 24, "dark"],
    ["light", 8, "light"],
    ["dark", 4, "terminal"],
    ["none", 24, "mono"],
  ] as const)("auto on a %s background in %d bits is %s", (colorScheme, depth: ColorDepth, theme) => {
    expect(resolveTheme({ theme: "auto", colorScheme, depth })).toEqual(resolveTheme({ theme, colorScheme, depth }));
  });

  test("kinds of entities have distinct colours", () => {
    for (const colorScheme of ["dark", "light"] as const) {
      const { styles } = resolveTheme({ theme: "auto", colorScheme, depth: 24 });
      const { account, token, program, transaction, block, market, nft, good, bad, warning } = styles;
      const all = [account, token, program, transaction, block, market, nft, good, bad, warning];
      expect(new Set(all).size).toBe(all.length);
    }
  });

  test("an unknown theme is answered with a similar one", () => {
    expect(["auto", "mono", "gruvbox", "terminal", "constructor"].filter((name) => hasTheme(name))).toEqual([
      "auto",
      "mono",
    ]);
    expect(unknownThemeMessage("drak")).toBe('unknown theme "drak"; did you mean dark?');
    const mine = { gruvbox: { description: "My Gruvbox" } };
    expect(hasTheme("gruvbox", mine)).toBe(true);
  });
});

describe("styles of a user", () => {
  test("precede those of the theme", () => {
    const problems: string[] = [];
    const customStyles = parseCustomStyles({ dark: { good: "magenta", title: "#88c0d0" } }, problems);
    expect(problems).toEqual([]);
    const options = { theme: "colour-blind", depth: 8, customStyles } as const;
    const { styles } = resolveTheme({ ...options, colorScheme: "dark" });
    expect([styles.good, styles.title]).toEqual(["35", "38;5;110"]);
    const light = resolveTheme({ ...options, colorScheme: "light" });
    expect(light).toEqual(resolveTheme({ theme: "colour-blind", colorScheme: "light", depth: 8 }));
  });

  test.each([
    [{ dark: { god: "red" } }, /looks: unknown role "god"; did you mean good\?/],
    [{ dark: { good: "mauve" } }, /looks: invalid style "mauve" for good/],
    [{ none: { good: "red" } }, /looks: good of none cannot have a colour/],
    [{ dim: {} }, /dim is not one of/],
    [3, /"looks" must be an object/],
  ] as const)("%j is reported", (input, message) => {
    const problems: string[] = [];
    expect(parseCustomStyles(input, problems).dark ?? {}).toEqual({});
    expect(problems).toEqual([expect.stringMatching(message)]);
  });

  test("a theme of a user changes another one, on every background", () => {
    const problems: string[] = [];
    const mine = parseTheme("mine", { extends: "high-contrast", styles: { token: "#123456 bold" } }, problems);
    const more = parseTheme(
      "more",
      { extends: "mine", description: "Mine, with more", styles: { good: "blue" } },
      problems,
    );
    expect(problems).toEqual([]);
    const customThemes = { mine, more };
    expect(listThemes(customThemes).at(-1)).toEqual(["more", "Mine, with more"]);
    for (const colorScheme of ["dark", "light"] as const) {
      const { styles } = resolveTheme({ theme: "more", colorScheme, depth: 24, customThemes });
      const base = resolveTheme({ theme: "high-contrast", colorScheme, depth: 24 }).styles;
      expect(styles).toEqual({ ...base, token: "38;2;18;52;86;1", good: "34" });
    }
    expect(resolveTheme({ theme: "more", colorScheme: "none", depth: 24, customThemes }).styles.good).toBe("");
  });

  test("themes that extend each other, or none that exists, still have every style", () => {
    const customThemes = { a: { description: "", extends: "b" }, b: { description: "", extends: "a" } };
    const dark = resolveTheme({ theme: "dark", colorScheme: "dark", depth: 24 });
    for (const theme of ["a", "gone"])
      expect(resolveTheme({ theme, colorScheme: "dark", depth: 24, customThemes })).toEqual(dark);
  });

  test.each([
    [{ extends: 5 }, /mine: "extends" must be the name of a theme/],
    [{ styles: [] }, /mine: "styles" must be an object/],
    [{ styles: { tokn: "red" } }, /mine: unknown role "tokn"; did you mean token\?/],
    [{ colors: {} }, /mine: unknown field "colors"/],
  ] as const)("of a theme, %j is reported", (data, message) => {
    const problems: string[] = [];
    parseTheme("mine", data, problems);
    expect(problems).toEqual([expect.stringMatching(message)]);
  });
});
