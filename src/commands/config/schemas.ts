/** What the commands about keys and settings give, as schemas for tables and documentation. */
import * as z from "zod";
import { Usage } from "../../catalogue/entities/monitor.ts";
import { f } from "../../catalogue/kinds.ts";

/** The key in use, after a login or asked for. */
export const Login = z.object({
  profile: f.text("Name of the profile"),
  key: f.text("The last characters of the key").nullable(),
  place: f.text("Where the key was saved").nullable().optional(),
  source: f.text("Where the key comes from").optional(),
  server: f.url("Server of the v2 family"),
  plan: f.text("Plan that the profile names").nullable().optional(),
  usage: f.object("Usage of the key, when the API was asked", Usage).nullable(),
});

/** What a logout did. */
export const Logout = z.object({
  profile: f.text("Name of the profile"),
  removed: f.boolean("Whether there was a key"),
  place: f.text("Where the key was").nullable(),
});

/** A setting as it holds. */
export const SettingRow = z.object({
  name: f.text("Name of the setting"),
  value: f.json("Value that holds"),
  source: f.text("Where the value comes from"),
  default: f.json("Value that holds when none is given"),
  description: f.text("What it is for"),
});

/** What a change of a setting did. */
export const SettingChange = z.object({
  name: f.text("Name of the setting"),
  value: f.json("New value"),
  place: f.text("Where it was written"),
});

/** A profile. */
export const ProfileRow = z.object({
  name: f.text("Name of the profile"),
  active: f.boolean("Whether it is in use"),
  server: f.url("Server of the v2 family").nullable(),
  plan: f.text("Plan of the key").nullable(),
  key: f.text("Where its key is saved").nullable(),
});

/** The files and folders of solx. */
export const FileLocations = z.object({
  config: f.text("Settings").nullable(),
  credentials: f.text("Saved keys").nullable(),
  state: f.text("What solx remembers between runs").nullable(),
  cache: f.text("What may be deleted at any time").nullable(),
});
