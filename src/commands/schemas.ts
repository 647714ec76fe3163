/** Schemas of the output of commands about this machine: settings, keys, names, aliases, bookmarks and findings. */
import * as z from "zod";
import { f, Usage } from "../catalogue/schemas.ts";

/** The key in use, as printed by login and status. */
export const Login = z.object({
  profile: f.text("Name of the profile"),
  kind: f.enum("What answers requests", ["api", "rpc", "index", "sandbox"]).optional(),
  key: f.text("Last characters of the key").nullable(),
  place: f.text("Where the key was saved").nullable().optional(),
  source: f.text("Where the key comes from").optional(),
  server: f.url("Server of the v2 family"),
  plan: f.text("Plan set in the profile").nullable().optional(),
  usage: f.object("Usage of the key, when it was checked", Usage).nullable(),
});

/** Result of a logout. */
export const Logout = z.object({
  profile: f.text("Name of the profile"),
  removed: f.boolean("Whether there was a key"),
  place: f.text("Where the key was").nullable(),
});

/** A setting with its current value. */
export const SettingRow = z.object({
  name: f.text("Name of the setting"),
  value: f.json("Current value"),
  source: f.text("Where the value comes from"),
  default: f.json("Value used when none is set"),
  description: f.text("Purpose of the setting"),
});

/** Result of a change of a setting. */
export const SettingChange = z.object({
  name: f.text("Name of the setting"),
  value: f.json("New value"),
  place: f.text("Where it was written"),
});

/** A profile. */
export const ProfileRow = z.object({
  name: f.text("Name of the profile"),
  active: f.boolean("Whether it is the current profile"),
  kind: f.enum("What answers its requests", ["api", "rpc", "index", "sandbox"]),
  server: f.url("Server of the v2 family, or the Solana node").nullable(),
  plan: f.text("Plan of the key").nullable(),
  key: f.text("Where its key is saved").nullable(),
});

/** The files and folders of solx. */
export const FileLocations = z.object({
  config: f.text("Settings").nullable(),
  credentials: f.text("Saved keys").nullable(),
  state: f.text("State saved between runs").nullable(),
  cache: f.text("Cache; can be deleted at any time").nullable(),
});

/** An alias with its command line. */
export const AliasRow = z.object({
  name: f.text("Name of the alias"),
  command: f.text("Arguments after solx that it stands for"),
});

/** A name with its address. */
export const NameRow = z.object({ name: f.text("Your name of the address"), address: f.address("The address") });

/** A finding of `solx doctor`. */
export const FindingRow = z.object({
  area: f.text("Area: program, settings, files, key, network, budget, terminal, parts, drift"),
  check: f.text("Name of the check"),
  level: f.text("ok, note, warning or problem"),
  value: f.json("Measured value"),
  message: f.text("Message"),
  hint: f.text("How to fix it").nullable(),
});

/** A bookmark with its command. */
export const ViewRow = z.object({
  name: f.text("Name of the bookmark"),
  command: f.text("Command that prints what it shows"),
});
