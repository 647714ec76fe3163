/** `solx auth`. */
import { actionPrinter, type CommandDefinition, type Invocation } from "../run/command-definition.ts";

const print = actionPrinter(() => import("./auth.ts"));

const CHECK = { flags: "--no-check", description: "do not verify the key with the API" };
const isChecked = ({ options }: Invocation) => (options as { readonly check: boolean }).check;

const SUBCOMMAND = { audience: "message", flags: ["--sandbox"] } as const;

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
      run: (context, invocation) =>
        print(context, async (auth) => auth.login(await auth.loginOptions(context, isChecked(invocation)))),
    },
    {
      ...SUBCOMMAND,
      audience: "account",
      name: "status",
      summary: "Show which API key is used, and whether the API accepts it",
      options: [CHECK],
      run: (context, invocation) =>
        print(context, async (auth) => auth.status(await auth.authOptions(context, isChecked(invocation)))),
    },
    {
      ...SUBCOMMAND,
      name: "logout",
      summary: "Remove the saved API key",
      run: (context) => print(context, async (auth) => auth.logout(await auth.authOptions(context, false))),
    },
    {
      ...SUBCOMMAND,
      name: "token",
      summary: "Print the API key, for use by another program",
      run: (context) => print(context, async (auth) => auth.token(await auth.authOptions(context, false))),
    },
  ],
};
