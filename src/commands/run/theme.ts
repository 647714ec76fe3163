/** The theme of a run: from the option, the settings and the files of the user. Loaded only where colours are used. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type JsonObject, UsageError } from "../../base/index.ts";
import { type Paths, readJsonFile, resolvePaths, type Settings } from "../../config/index.ts";
import {
  type CustomStyles,
  colorDepth,
  DEFAULT_THEME,
  detectBackground,
  hasTheme,
  NAMED_THEME,
  parseCustomStyles,
  parseTheme,
  type ResolvedTheme,
  resolveTheme,
  type Themes,
  unknownThemeMessage,
} from "../../output/index.ts";
import type { Io } from "./context.ts";

/** What the files of the user say about themes. */
export interface ThemeFiles {
  /** The theme chosen in explore.json. */
  readonly theme: string | undefined;
  readonly styles: CustomStyles;
  /** The themes in the folder `themes`, by the names of their files. */
  readonly themes: Themes;
  /** What is invalid, in sentences. */
  readonly problems: readonly string[];
}

/** Returns the path of explore.json; undefined without a configuration folder. */
export function exploreFilePath({ config }: Pick<Paths, "config">): string | undefined {
  return config && join(config, "explore.json");
}

/** Reads the themes of the user. @param data the content of explore.json, which is read where it is absent */
export function readThemeFiles(paths: Pick<Paths, "config">, data = readExploreFile(paths)): ThemeFiles {
  const problems: string[] = [];
  const themes = readThemes(paths, problems);
  for (const [name, { extends: base }] of Object.entries(themes))
    if (base !== undefined && !hasTheme(base, themes))
      problems.push(`themes/${name}.json: ${unknownThemeMessage(base, themes)}`);
  const styles = parseCustomStyles(data.looks, problems);
  const theme = typeof data.theme === "string" && hasTheme(data.theme, themes) ? data.theme : undefined;
  if (data.theme !== undefined && theme === undefined) problems.push(unknownThemeMessage(String(data.theme), themes));
  return { theme, styles, themes, problems };
}

function readExploreFile(paths: Pick<Paths, "config">): JsonObject {
  const path = exploreFilePath(paths);
  return path === undefined ? {} : readJsonFile(path).data;
}

/** A name that can be typed. */
const THEME_FILE = /^([A-Za-z0-9][\w.-]{0,63})\.json$/;

function readThemes({ config }: Pick<Paths, "config">, problems: string[]): Themes {
  if (config === undefined) return {};
  const folder = join(config, "themes");
  const names = listFiles(folder).flatMap((file) => THEME_FILE.exec(file)?.[1] ?? []);
  return Object.fromEntries(
    names.map((name) => {
      const { data, problem } = readJsonFile(join(folder, `${name}.json`));
      if (problem) problems.push(problem.message);
      return [name, parseTheme(`themes/${name}.json`, data, problems)];
    }),
  );
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/**
 * Returns the theme that a run is to use; undefined where none is chosen.
 * @throws UsageError when the option or the variable names no theme
 */
export function requestedTheme(
  settings: Settings,
  files?: Partial<Pick<ThemeFiles, "theme" | "themes">>,
): string | undefined {
  const { value, level, origin } = settings.resolve("theme");
  if (value === undefined) return files?.theme;
  const theme = String(value);
  if (hasTheme(theme, files?.themes)) return theme;
  if (level === "profile") return files?.theme;
  throw new UsageError(unknownThemeMessage(theme, files?.themes), { hint: `Set by: ${origin}` });
}

/**
 * Returns the theme of text on a stream.
 * @param unknown the theme on a background that is not known, where none is chosen
 */
export function themeOfStream(
  { env, settings }: { readonly env: Io["env"]; readonly settings: Settings | undefined },
  stream: Pick<Io["stdout"], "getColorDepth">,
  unknown: "dark" | typeof NAMED_THEME = NAMED_THEME,
): ResolvedTheme {
  const files = readThemeFiles(settings?.paths ?? resolvePaths(env));
  const theme = (settings ? requestedTheme(settings, files) : files.theme) ?? DEFAULT_THEME;
  const background = detectBackground(env);
  return resolveTheme({
    theme: theme === DEFAULT_THEME && background === undefined ? unknown : theme,
    colorScheme: background ?? "dark",
    depth: colorDepth(stream, env),
    customThemes: files.themes,
    customStyles: files.styles,
  });
}
