/** The supported shells and how completion is installed in each. */

/** The names of the supported shells. */
export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;

/** A supported shell. */
export type Shell = (typeof SHELLS)[number];

/** How completion is installed in a shell. */
export interface ShellSetup {
  readonly name: string;
  readonly startFile: string;
  readonly command: string;
  /** The file that the shell loads on demand instead. */
  readonly file?: { readonly folder: string; readonly name: string; readonly requirement: string };
  readonly script: string;
}

/** The setup of each shell. */
export const SHELL_SETUPS: Readonly<Record<Shell, ShellSetup>> = {
  bash: {
    name: "bash",
    startFile: "~/.bashrc",
    command: 'eval "$(solx completion bash)"',
    file: {
      folder: "~/.local/share/bash-completion/completions",
      name: "solx",
      requirement: "requires the package bash-completion",
    },
    script: "solx.bash",
  },
  zsh: {
    name: "zsh",
    startFile: "~/.zshrc",
    command: 'eval "$(solx completion zsh)"',
    file: { folder: "~/.zfunc", name: "_solx", requirement: "add fpath+=(~/.zfunc) before compinit in ~/.zshrc" },
    script: "_solx",
  },
  fish: {
    name: "fish",
    startFile: "~/.config/fish/config.fish",
    command: "solx completion fish | source",
    file: { folder: "~/.config/fish/completions", name: "solx.fish", requirement: "" },
    script: "solx.fish",
  },
  powershell: {
    name: "PowerShell",
    startFile: "$PROFILE",
    command: "solx completion powershell | Out-String | Invoke-Expression",
    script: "solx.ps1",
  },
};

/** Returns the commands that install completion as a file, with a comment; undefined for PowerShell, which has none. */
export function fileCommands(shell: Shell): readonly string[] | undefined {
  const { name, file } = SHELL_SETUPS[shell];
  if (file === undefined) return undefined;
  return [
    `# ${name}${file.requirement === "" ? "" : `; ${file.requirement}`}`,
    `mkdir -p ${file.folder}`,
    `solx completion ${shell} > ${file.folder}/${file.name}`,
  ];
}
