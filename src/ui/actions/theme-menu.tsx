/** The menu of themes: moving through it shows each theme at once. */
import { useLayoutEffect, useState } from "react";
import { listThemes } from "../../output/index.ts";
import { type Explorer, useExplorer } from "../navigation/context.ts";
import { type ThemeState, useTheme } from "../navigation/theme/use-theme.ts";
import { Menu } from "../widgets/menu.tsx";

/** Applies a theme and saves it for later runs. */
export function chooseTheme({ services, toast }: Explorer, setTheme: ThemeState["setTheme"], theme: string): void {
  setTheme(theme);
  const saving = services.saveTheme?.(theme) ?? Promise.resolve();
  saving.then(
    () => toast(`theme ${theme}`, "good"),
    () => toast(`theme ${theme}; it could not be saved`, "warning"),
  );
}

/** Shows a theme while a component is mounted; afterwards, the chosen one returns. */
export function useThemePreview(name: string | undefined): void {
  const { previewTheme } = useTheme();
  useLayoutEffect(() => previewTheme(name), [previewTheme, name]);
  useLayoutEffect(() => () => previewTheme(undefined), [previewTheme]);
}

/** Lists the themes. */
export function ThemeMenu() {
  const explorer = useExplorer();
  const { theme, setTheme } = useTheme();
  const themes = listThemes(explorer.services.customization?.themes);
  const initial = themes.findIndex(([name]) => name === theme);
  const mark = explorer.services.unicode ? "✓" : "*";
  const [selected, select] = useState(initial);
  useThemePreview(themes[selected]?.[0]);
  const choices = themes.map(([name, about]) => ({
    title: `${name === theme ? mark : " "} ${name}`,
    about,
    run: () => chooseTheme(explorer, setTheme, name),
  }));
  return <Menu {...{ choices, initial }} title="Theme" at="bottom" label="use" closeKeys={["T"]} onSelect={select} />;
}
