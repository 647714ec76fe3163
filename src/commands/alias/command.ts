/** `solx alias`. */
import { actionPrinter, type CommandDefinition } from "../run/command-definition.ts";

const print = actionPrinter(() => import("./alias.ts"));

const NAME = { name: "<name>", description: "name of the alias" };

/** The command. */
export const ALIAS: CommandDefinition = {
  name: "alias",
  summary: "Manage aliases of commands",
  audience: "none",
  examples: [
    ["Create an alias, used as: solx top JUP", "solx alias set top 'token holders --limit 20'"],
    ["With a placeholder, used as: solx sent <address>", "solx alias set sent 'account transfer $1 --flow out'"],
  ],
  commands: [
    {
      name: "list",
      summary: "List the aliases",
      audience: "print",
      run: (context) => print(context, async ({ listAliases }) => listAliases(context)),
    },
    {
      name: "set",
      summary: "Create an alias of a command line",
      audience: "message",
      arguments: [
        NAME,
        {
          name: "<command>",
          description:
            "command line after solx, in quotes, with $1 to $9 for arguments; or - to read it from standard input",
        },
      ],
      options: [{ flags: "--clobber", description: "replace an existing alias" }],
      examples: [
        ["The largest holders of a token", "solx alias set top 'token holders --limit 20'"],
        ["Placeholders", "solx alias set between 'account transfer $1 --to $2 --all'"],
      ],
      run: (context, { args: [name = "", line = ""], options }) =>
        print(context, async ({ setAlias }) => setAlias(context, { name, line }, options)),
    },
    {
      name: "delete",
      aliases: ["remove", "rm"],
      summary: "Delete aliases",
      audience: "message",
      arguments: [{ name: "<name...>", description: "names of the aliases" }],
      run: (context, { args }) => print(context, async ({ deleteAliases }) => deleteAliases(context, args)),
    },
  ],
};
