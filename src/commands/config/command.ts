/** `solx config`. */
import { ENTRY_NAMES } from "../../config/index.ts";
import { SETTING_FLAGS } from "../options/global-options.ts";
import { actionPrinter, type CommandDefinition } from "../run/command-definition.ts";

const print = actionPrinter(() => import("./config.ts"));

const CHANGE = { allowsNewProfile: true, changesFile: true } as const;

const NAME = { name: "<name>", description: "name of the setting", values: ENTRY_NAMES };

/** The command. */
export const CONFIG: CommandDefinition = {
  name: "config",
  summary: "Manage settings and profiles",
  audience: "none",
  commands: [
    {
      name: "list",
      summary: "List all settings with their values and sources",
      audience: "print",
      flags: SETTING_FLAGS,
      run: (context) => print(context, async ({ configList }) => configList(await context.session.settings())),
    },
    {
      name: "get",
      summary: "Print the value of a setting",
      audience: "print",
      flags: SETTING_FLAGS,
      arguments: [NAME],
      run: (context, { args: [name = ""] }) =>
        print(context, async ({ configGet }) => configGet(await context.session.settings(), name)),
    },
    {
      name: "set",
      summary: "Change a setting of a profile",
      audience: "message",
      arguments: [NAME, { name: "<value>", description: "value of the setting" }],
      examples: [
        ["Print tables in pipes too", "solx config set output table"],
        ["Create a profile with its own server", "solx config set base-url http://127.0.0.1:8899 --profile local"],
      ],
      run: (context, { args: [name = "", value = ""] }) =>
        print(context, async ({ configSet }) => {
          const settings = await context.session.settings(CHANGE);
          return configSet({ settings, name, value, signal: context.io.signal });
        }),
    },
    {
      name: "unset",
      summary: "Reset a setting to its default",
      audience: "message",
      arguments: [NAME],
      run: (context, { args: [name = ""] }) =>
        print(context, async ({ configUnset }) => {
          const settings = await context.session.settings(CHANGE);
          return configUnset({ settings, name, signal: context.io.signal });
        }),
    },
    {
      name: "profiles",
      summary: "List the profiles with their servers and keys",
      audience: "print",
      run: (context) => print(context, async ({ configProfiles }) => configProfiles(await context.session.settings())),
    },
    {
      name: "path",
      summary: "Show where settings, keys, state and cache are stored",
      audience: "print",
      run: (context) =>
        print(context, async ({ configPath }) =>
          configPath(await context.session.settings({ allowsNewProfile: true })),
        ),
    },
  ],
};
