/** The shells, and how each gets its completion. */

/** The shells. */
export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;

/** A shell. */
export type Shell = (typeof SHELLS)[number];

/** How a shell gets its completion. */
export interface ShellSetup {
  /** What people call the shell. */
  readonly name: string;
  /** The file that it reads when it starts. */
  readonly startFile: string;
  /** What to put there. */
  readonly command: string;
  /** The command that writes a file instead, which the shell finds by itself when it is needed. */
  readonly fileCommand?: string;
  /** The file of the script, beside the program. */
  readonly script: string;
}

/** How each shell gets its completion. */
export const SHELL_SETUPS: Readonly<Record<Shell, ShellSetup>> = {
  bash: {
    name: "bash",
    startFile: "~/.bashrc",
    command: 'eval "$(solx completion bash)"',
    fileCommand:
      "mkdir -p ~/.local/share/bash-completion/completions; solx completion bash > ~/.local/share/bash-completion/completions/solx",
    script: "solx.bash",
  },
  zsh: {
    name: "zsh",
    startFile: "~/.zshrc",
    command: 'eval "$(solx completion zsh)"',
    fileCommand:
      "mkdir -p ~/.zfunc; solx completion zsh > ~/.zfunc/_solx    # and fpath+=(~/.zfunc) before compinit in ~/.zshrc",
    script: "_solx",
  },
  fish: {
    name: "fish",
    startFile: "~/.config/fish/config.fish",
    command: "solx completion fish | source",
    fileCommand: "mkdir -p ~/.config/fish/completions; solx completion fish > ~/.config/fish/completions/solx.fish",
    script: "solx.fish",
  },
  powershell: {
    name: "PowerShell",
    startFile: "$PROFILE",
    command: "solx completion powershell | Out-String | Invoke-Expression",
    script: "solx.ps1",
  },
};
