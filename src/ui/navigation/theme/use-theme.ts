/** The theme of the explorer: the chosen one, or another one while it is previewed, on the background of the terminal. */
import { createContext, useContext, useEffect, useMemo, useState } from "react";
import { DEFAULT_THEME, isDark, type Rgb, resolveTheme } from "../../../output/index.ts";
import type { TerminalControl } from "../../terminal/control.ts";
import type { Services } from "../services.ts";
import { createPainter, type Painter } from "./painter.ts";

/** A theme, and how it is changed. */
export interface ThemeState {
  readonly theme: string;
  readonly setTheme: (name: string) => void;
  readonly previewTheme: (name: string | undefined) => void;
  readonly paint: Painter;
}

/** The context of {@link useTheme}. */
export const ThemeContext = createContext<ThemeState | undefined>(undefined);

/** Returns the theme. Throws outside of the explorer. */
export function useTheme(): ThemeState {
  const theme = useContext(ThemeContext);
  if (!theme) throw new Error("useTheme must be used inside the explorer.");
  return theme;
}

/** Returns the state of the theme; it follows the background as soon as the terminal reports it. */
export function useThemeState(services: Services, terminal: Pick<TerminalControl, "askBackground">): ThemeState {
  const { depth = 4, unicode, customization } = services;
  const [theme, setTheme] = useState(services.theme ?? customization?.theme ?? DEFAULT_THEME);
  const [preview, previewTheme] = useState<string>();
  const [background, setBackground] = useState<Rgb>();
  const hasColors = services.colorScheme !== "none" && depth > 4;
  useEffect(() => {
    if (hasColors) terminal.askBackground(setBackground);
  }, [hasColors, terminal]);
  const paint = useMemo(() => {
    const { styles: customStyles, themes: customThemes } = customization ?? {};
    const colorScheme = background && hasColors ? (isDark(background) ? "dark" : "light") : services.colorScheme;
    const options = { theme: preview ?? theme, colorScheme, depth, background, customStyles, customThemes };
    return createPainter(resolveTheme(options), unicode);
  }, [theme, preview, background, hasColors, services.colorScheme, depth, unicode, customization]);
  return useMemo(() => ({ theme, setTheme, previewTheme, paint }), [theme, paint]);
}
