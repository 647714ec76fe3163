/** Settings, profiles, paths and API keys. The only way into this module; import it statically, as re-exports. */
export { addProfile, changeSettings, readConfigFile, selectProfile } from "./config-file.ts";
export {
  findSavedEntry,
  type KeyChange,
  type KeyOwner,
  loadSecret,
  removeKey,
  requestKeychain,
  saveKey,
} from "./credentials.ts";
export { readJsonFile, updateJsonFile } from "./json-file.ts";
export { abbreviateKey, checkKey, findKeyVariable, KEY_VARIABLES, noKeyError } from "./key.ts";
export { type LoadOptions, loadSettings, type Settings } from "./load.ts";
export { configFilePath, credentialsFilePath, type Paths, resolvePaths, rulesFilePath } from "./paths.ts";
export { type HiddenInput, type PipeLimits, promptHidden, readLine, readPipedKey } from "./prompt.ts";
export type { DataSource, NodeAddress } from "./resolve.ts";
export {
  isFixed,
  profileNames,
  profileSource,
  type ResolvedSetting,
  resolveSetting,
  SANDBOX_PROFILE,
  type SettingSource,
  sandboxSource,
  unknownProfileError,
} from "./resolve.ts";
export type { Setting } from "./settings.ts";
export {
  ENTRY_NAMES,
  type EntryName,
  getFlag,
  getSetting,
  joinEntry,
  partsOf,
  placeOf,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  settingVariable,
  settingWords,
  splitEntry,
} from "./settings.ts";
export {
  ADDRESS_BOOK,
  ALIASES,
  findName,
  isNameForm,
  listEntries,
  NAME_FORM,
  readTextMap,
  type TextMap,
  textMapPath,
  updateTextMap,
} from "./text-map.ts";
export { formatValue, maskValue, matchSwitch, NODE_NAMES, parseEntryName, parseValue, quoteText } from "./values.ts";
