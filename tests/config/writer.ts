/** A separate process that creates profiles, one after the other: `node writer.ts <folder> <prefix> <count>`. */
import { changeSettings } from "../../src/config/config-file.ts";

const [config = "", prefix = "", count = "0"] = process.argv.slice(2);
for (let index = 1; index <= Number(count); index += 1) {
  const paths = { config, state: undefined, cache: undefined };
  await changeSettings(paths, `${prefix}${index}`, { timeout: index });
}
