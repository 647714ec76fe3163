/** `solx auth`. */
import type { CommandDefinition } from "../run/command-definition.ts";

const CHECK = { flags: "--no-check", description: "do not verify the key with the API" };

const SUBCOMMAND = { audience: "message", offersSandbox: false } as const;

/** The command. */
export const AUTH: CommandDefinition = {
  name: "auth",
  summary: "Manage the API key: log in, check, log out",
  audience: "none",
  commands: [
    {
      ...SUBCOMMAND,
      name: "login",
      flags: ["--sandbox", "--timeout", "--max-wait"],
      summary: "Save an API key after verifying it with the API",
      options: [{ ...CHECK, description: "save the key without verifying it" }],
      examples: [
        ["Enter the key at a prompt; it is not displayed", "solx auth login"],
        ["From a file or a secret store", "solx auth login < key.txt"],
      ],
      run: async (context, { options }) =>
        (await import("./actions.ts")).login(context, options as { readonly check: boolean }),
    },
    {
      ...SUBCOMMAND,
      audience: "account",
      name: "status",
      summary: "Show which API key is used, and whether the API accepts it",
      options: [CHECK],
      run: async (context, { options }) =>
        (await import("./actions.ts")).status(context, options as { readonly check: boolean }),
    },
    {
      ...SUBCOMMAND,
      name: "logout",
      summary: "Remove the saved API key",
      run: async (context) => (await import("./actions.ts")).logout(context),
    },
    {
      ...SUBCOMMAND,
      name: "token",
      summary: "Print the API key, for use by another program",
      run: async (context) => (await import("./actions.ts")).token(context),
    },
  ],
};
