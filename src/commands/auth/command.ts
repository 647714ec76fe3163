/** `solx auth`. */
import { actionPrinter, type CommandDefinition, type Invocation } from "../run/command-definition.ts";
import type { ServerFlags } from "./auth.ts";

const print = actionPrinter(() => import("./auth.ts"));

const CHECK = { flags: "--no-check", description: "do not verify the key with the API" };
const isChecked = ({ options }: Invocation) => (options as { readonly check: boolean }).check;

const STORE = {
  flags: "--store <address>",
  description: "the password of a user of ClickHouse, such as clickhouse://user@host:8123, instead of an API key",
};
const GRPC = {
  flags: "--grpc <address>",
  description: "the token of a server of Yellowstone gRPC, such as https://host:443, instead of an API key",
};
/** The server whose secret is meant; undefined for the API. */
function serverOf({ options }: Invocation): ServerFlags | undefined {
  const { store, grpc } = options as ServerFlags;
  return store === undefined && grpc === undefined ? undefined : (options as ServerFlags);
}

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
      options: [{ ...CHECK, description: "save the key without verifying it" }, STORE, GRPC],
      examples: [
        ["Enter the key at a prompt; it is not displayed", "solx auth login"],
        ["From a file or a secret store", "solx auth login < key.txt"],
      ],
      run: (context, invocation) =>
        print(context, async (auth) => {
          const [options, server] = [await auth.loginOptions(context, isChecked(invocation)), serverOf(invocation)];
          return server ? auth.loginServer(options, server, isChecked(invocation)) : auth.login(options);
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
      options: [STORE, GRPC],
      run: (context, invocation) =>
        print(context, async (auth) => {
          const [options, server] = [await auth.authOptions(context, false), serverOf(invocation)];
          return server ? auth.logoutServer(options, server) : auth.logout(options);
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
