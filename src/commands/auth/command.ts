/** `solx auth`. */
import { actionPrinter, type CommandDefinition, type Invocation } from "../run/command-definition.ts";

const print = actionPrinter(() => import("./auth.ts"));

const CHECK = { flags: "--no-check", description: "do not verify the key with the API" };
const isChecked = ({ options }: Invocation) => (options as { readonly check: boolean }).check;

const STORE = {
  flags: "--store <address>",
  description: "the password of a user of ClickHouse, such as clickhouse://user@host:8123, instead of an API key",
};
const storeOf = ({ options }: Invocation) => (options as { readonly store?: string }).store;

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
      options: [{ ...CHECK, description: "save the key without verifying it" }, STORE],
      examples: [
        ["Enter the key at a prompt; it is not displayed", "solx auth login"],
        ["From a file or a secret store", "solx auth login < key.txt"],
      ],
      run: (context, invocation) =>
        print(context, async (auth) => {
          const [options, store] = [await auth.loginOptions(context, isChecked(invocation)), storeOf(invocation)];
          return store === undefined ? auth.login(options) : auth.loginStore(options, store, isChecked(invocation));
        }),
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
      options: [STORE],
      run: (context, invocation) =>
        print(context, async (auth) => {
          const [options, store] = [await auth.authOptions(context, false), storeOf(invocation)];
          return store === undefined ? auth.logout(options) : auth.logoutStore(options, store);
        }),
    },
    {
      ...SUBCOMMAND,
      name: "token",
      summary: "Print the API key, for use by another program",
      run: (context) => print(context, async (auth) => auth.token(await auth.authOptions(context, false))),
    },
  ],
};
