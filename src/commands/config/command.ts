/** `solx config`. */
import { SETTING_NAMES } from "../../config/index.ts";
import type { CommandDefinition } from "../run/command-definition.ts";

const NAME = { name: "<name>", description: "name of the setting", values: SETTING_NAMES };

/** The command. */
export const CONFIG: CommandDefinition = {
  name: "config",
  summary: "Manage settings and profiles",
  heading: "Configuration:",
  audience: "none",
  commands: [
    {
      name: "list",
      summary: "List all settings with their values and sources",
      audience: "local",
      run: async (context) => (await import("./actions.ts")).list(context),
    },
    {
      name: "get",
      summary: "Print the value of a setting",
      audience: "local",
      arguments: [NAME],
      run: async (context, { args: [name = ""] }) => (await import("./actions.ts")).get(context, name),
    },
    {
      name: "set",
      summary: "Change a setting of a profile",
      audience: "local",
      arguments: [NAME, { name: "<value>", description: "value of the setting" }],
      examples: [
        ["Print tables in pipes too", "solx config set output table"],
        ["Create a profile with its own server", "solx config set base-url http://127.0.0.1:8899 --profile local"],
      ],
      run: async (context, { args: [name = "", value = ""] }) =>
        (await import("./actions.ts")).set(context, name, value),
    },
    {
      name: "unset",
      summary: "Reset a setting to its default",
      audience: "local",
      arguments: [NAME],
      run: async (context, { args: [name = ""] }) => (await import("./actions.ts")).unset(context, name),
    },
    {
      name: "profiles",
      summary: "List the profiles with their servers and keys",
      audience: "local",
      run: async (context) => (await import("./actions.ts")).profiles(context),
    },
    {
      name: "path",
      summary: "Show where settings, keys, state and cache are stored",
      audience: "local",
      run: async (context) => (await import("./actions.ts")).path(context),
    },
  ],
};
