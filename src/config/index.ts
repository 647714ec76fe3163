/** Settings, profiles, paths and API keys. The only way into this module; import it statically, as re-exports. */
export { addProfile, changeSetting, selectProfile } from "./change.ts";
export { type KeyChange, readSavedEntry, removeKey, type SavedKey, saveKey } from "./credentials.ts";
export { readConfigFile, readJsonFile } from "./file.ts";
export { ENTRY_NAMES, type EntryName, joinEntry, partsOf, placeOf, settingWords, splitEntry } from "./groups.ts";
export { type ApiKey, abbreviateKey, checkKey, findKeyVariable, KEY_VARIABLES, noKeyError } from "./key.ts";
export { requestKeychain } from "./keychain.ts";
export { type LoadOptions, loadSettings, type Settings } from "./load.ts";
export { configFilePath, credentialsFilePath, type Paths, resolvePaths } from "./paths.ts";
export { profileNames, unknownProfileError } from "./profiles.ts";
export { type HiddenInput, promptHidden, readPipedKey } from "./prompt.ts";
export { profileSource, type ResolvedSetting, resolveSetting, type SettingSource, sandboxSource } from "./resolve.ts";
export { isFixed, SANDBOX_PROFILE } from "./sandbox.ts";
export type { Setting } from "./setting.ts";
export {
  getFlag,
  getSetting,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
} from "./settings.ts";
export type { DataSource, NodeAddress } from "./source.ts";
export { findName, listEntries, readTextMap, type TextMap, textMapPath, updateTextMap } from "./text-map.ts";
export { ADDRESS_BOOK, ALIASES, isNameForm, NAME_FORM } from "./user-names.ts";
export { formatValue, maskValue, matchSwitch, NODE_NAMES, parseEntryName, parseValue, quoteText } from "./values.ts";
export { updateJsonFile } from "./write.ts";
