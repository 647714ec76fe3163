/** What to do without an API key: asked once, when the explorer finds none. */
import { useEffect } from "react";
import { openApiKeyPopup } from "./api-key-popup.tsx";
import { useBindings, useExplorer } from "./context.ts";
import { Notice } from "./notice.tsx";
import { Popup } from "./popup.tsx";
import { span, type TextLine, textLine } from "./theme/text-line.ts";

/** The title names the file already. */
const withoutFileName = (problem: string) => problem.replace(/^explore\.json: /, "");

/**
 * Lays over the screen what of the user's file cannot be obeyed, then, as soon as it is known that there is no key, the
 * question what to do.
 */
export function useStartupNotices(): void {
  const { services, setOverlay } = useExplorer();
  useEffect(() => {
    let isMounted = true;
    const { problems = [] } = services.customization ?? {};
    const last = services.logPath && `Also in the log: ${services.logPath}`;
    const isRead = new Promise<void>((resolve) => {
      if (problems.length === 0) return resolve();
      setOverlay(
        <Notice
          title="Not all of explore.json holds"
          sentences={problems.map(withoutFileName)}
          footnote={last}
          onClose={resolve}
        />,
      );
    });
    const promptForKey = () => {
      if (isMounted && !services.identity.hasKey) setOverlay(<NoApiKey />);
    };
    // Why there is no client is told where an answer is missing.
    services
      .client()
      .catch(() => {})
      .then(() => isRead)
      .then(promptForKey);
    return () => {
      isMounted = false;
    };
  }, [services, setOverlay]);
}

function NoApiKey() {
  const explorer = useExplorer();
  const { services, setOverlay, quit } = explorer;
  const { switchToSandbox: toSandbox, apiKeyEntry: keyEntry } = services;
  const close = () => setOverlay(undefined);
  useBindings(
    "overlay",
    [
      {
        keys: ["k"],
        label: "enter a key",
        group: "solx",
        hint: 0,
        active: keyEntry !== undefined,
        run: () => openApiKeyPopup(explorer),
      },
      {
        keys: ["s"],
        label: "made-up data",
        group: "solx",
        hint: 1,
        active: toSandbox !== undefined,
        run: () => toSandbox?.(),
      },
      { keys: ["enter", "esc"], label: "go on without", group: "solx", hint: 2, run: close },
      { keys: ["q", "ctrl+c"], label: "quit", group: "solx", hint: 3, run: quit },
    ],
    { modal: true },
  );
  const choice = (key: string, text: string): TextLine => [span(key.padEnd(7), "hotkey"), span(text)];
  const lines = [
    textLine("Most of this data needs a key of the API."),
    textLine(""),
    ...(keyEntry ? [choice("k", "enter a key: it is checked, and kept if you like")] : []),
    ...(toSandbox ? [choice("s", "look around on made-up data (the sandbox)")] : []),
    choice("Enter", "go on without: public data still comes"),
    choice("q", "quit"),
    textLine(""),
    textLine(`In the shell: ${services.command(["auth", "login"])}`, "note"),
  ];
  return <Popup title="There is no API key" lines={lines} />;
}
