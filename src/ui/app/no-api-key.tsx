/** Notices at start: problems in explore.json, and the choices without an API key. */
import { useEffect } from "react";
import { Popup } from "../frame/popup.tsx";
import { useBindings, useExplorer } from "../navigation/context.ts";
import { keyLabel } from "../navigation/keys/keymap.ts";
import { span, type TextLine, textLine } from "../navigation/theme/text-line.ts";

/** Removes the file name, which the title shows. */
const withoutFileName = (problem: string) => problem.replace(/^explore\.json: /, "");

/** Shows the problems found in the user's file, then, when there is no API key, the choices without one. */
export function useStartupNotices(): void {
  const { services, openPopup } = useExplorer();
  useEffect(() => {
    let isMounted = true;
    const { problems = [] } = services.customization ?? {};
    const last = services.logPath && `Log file: ${services.logPath}`;
    const isRead = new Promise<void>((resolve) => {
      if (problems.length === 0) return resolve();
      openPopup({
        kind: "notice",
        title: "Problems in explore.json",
        sentences: problems.map(withoutFileName),
        footnote: last,
        onClose: resolve,
      });
    });
    const promptForKey = () => {
      if (isMounted && !services.identity.hasKey) openPopup({ kind: "no-api-key" });
    };
    // A client that cannot be created is reported where an answer is missing.
    services
      .client()
      .catch(() => {})
      .then(() => isRead)
      .then(promptForKey);
    return () => {
      isMounted = false;
    };
  }, [services, openPopup]);
}

/** The choices without an API key. */
export function NoApiKey() {
  const { services, openPopup, closePopup, quit } = useExplorer();
  const { switchToSandbox, apiKeyEntry } = services;
  useBindings(
    "overlay",
    [
      {
        keys: ["k"],
        label: "enter a key",
        group: "solx",
        hint: 0,
        active: apiKeyEntry !== undefined,
        run: () => apiKeyEntry && openPopup({ kind: "api-key", entry: apiKeyEntry }),
      },
      {
        keys: ["s"],
        label: "sandbox",
        group: "solx",
        hint: 1,
        active: switchToSandbox !== undefined,
        run: () => switchToSandbox?.(),
      },
      { keys: ["enter", "esc"], label: "continue without", group: "solx", hint: 2, run: closePopup },
      { keys: ["q", "ctrl+c"], label: "quit", group: "solx", hint: 3, run: quit },
    ],
    { modal: true },
  );
  const choice = (press: string, text: string): TextLine => [
    { ...span(keyLabel(press).padEnd(7), "hotkey"), press },
    { ...span(text), press },
  ];
  const lines = [
    textLine("Most data needs an API key."),
    textLine(""),
    ...(apiKeyEntry ? [choice("k", "enter an API key; it is checked and can be saved")] : []),
    ...(switchToSandbox ? [choice("s", "use the sandbox, which has simulated data")] : []),
    choice("enter", "continue without a key; public data still loads"),
    choice("q", "quit"),
    textLine(""),
    textLine(`In the shell: ${services.command(["auth", "login"])}`, "note"),
  ];
  return <Popup title="No API key" lines={lines} />;
}
