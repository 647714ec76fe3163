/** `solx names`: the address book. */
import { NAME_FORM } from "../../config/index.ts";
import { actionPrinter, type CommandDefinition } from "../run/command-definition.ts";

const print = actionPrinter(() => import("./address-book.ts"));

const CLOBBER = { flags: "--clobber", description: "replace existing names" };
const NAME = { name: "<name>", description: `name: ${NAME_FORM}` };

const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";

/** The command. */
export const NAMES: CommandDefinition = {
  name: "names",
  summary: "Manage your names of addresses, which can be typed in place of addresses",
  audience: "none",
  examples: [
    ["Name an address", `solx names add treasury ${WALLET}`],
    ["Back up the names", "solx names list -o csv > names.csv"],
  ],
  commands: [
    {
      name: "list",
      summary: "List your names with their addresses",
      audience: "print",
      examples: [["Back up the address book", "solx names list -o csv > names.csv"]],
      run: (context) => print(context, async ({ listNames }) => listNames(context)),
    },
    {
      name: "add",
      summary: "Name an address",
      audience: "message",
      flags: ["--rpc", "--timeout", "--max-wait", "--record"],
      arguments: [NAME, { name: "<address>", description: "address of an account, mint or program, or a .sol name" }],
      options: [CLOBBER],
      examples: [
        ["Name an account", `solx names add treasury ${WALLET}`],
        ["Store the owner of a .sol name", "solx names add toly toly.sol --rpc mainnet"],
      ],
      run: (context, { args: [name = "", address = ""], options }) =>
        print(context, async ({ addName }) => addName(context, name, address, options)),
    },
    {
      name: "remove",
      aliases: ["delete", "rm"],
      summary: "Remove names",
      audience: "message",
      arguments: [{ name: "<name...>", description: "names to remove" }],
      run: (context, { args }) => print(context, async ({ removeNames }) => removeNames(context, args)),
    },
    {
      name: "rename",
      aliases: ["mv"],
      summary: "Change a name",
      audience: "message",
      arguments: [
        { name: "<name>", description: "current name" },
        { name: "<new-name>", description: `new name: ${NAME_FORM}` },
      ],
      run: (context, { args: [name = "", next = ""] }) =>
        print(context, async ({ renameName }) => renameName(context, name, next)),
    },
    {
      name: "import",
      summary: "Add names from a JSON or CSV file; all of them, or none when one is invalid",
      audience: "message",
      arguments: [
        { name: "<file>", description: "file that names list printed with -o json or -o csv, or - for stdin" },
      ],
      options: [CLOBBER],
      examples: [["Restore the address book", "solx names import names.csv"]],
      run: (context, { args: [file = ""], options }) =>
        print(context, async ({ importNames }) => importNames(context, file, options)),
    },
  ],
};
