/** A process of its own that changes settings: `node writer.ts <folder> <profile> <name> <value>…`. */
import { changeSetting } from "../../src/config/change.ts";
import { parseSettingName, parseValue } from "../../src/config/values.ts";

const [home = "", profile = "", ...changes] = process.argv.slice(2);
for (let index = 0; index < changes.length; index += 2) {
  const name = parseSettingName(changes[index] ?? "");
  const value = parseValue(name, changes[index + 1] ?? "");
  await changeSetting({ config: home, state: undefined, cache: undefined }, profile, { name, value });
}
