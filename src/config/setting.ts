/** What is known of a setting, independent of the settings that there are. */

/**
 * The type of a value. A `path` is made absolute, a `url` loses its trailing slash, a `switch` is on or off, a `node` is
 * the name of a cluster, a URL that may contain a provider's key, or off.
 */
export type SettingType = "string" | "enum" | "switch" | "number" | "integer" | "url" | "path" | "node";

/** What is known of a setting. */
export interface Setting {
  readonly type: SettingType;
  /** One line, no full stop. */
  readonly description: string;
  /** The environment variable. */
  readonly env: string;
  /** The command-line option, in commander's notation. */
  readonly flag?: string;
  /** For `enum` and `switch`: the accepted values. */
  readonly values?: readonly string[];
  /** For `string`: values that completion offers; others are accepted too. */
  readonly suggestions?: readonly string[];
  /** For `number` and `integer`: the bounds, inclusive. */
  readonly min?: number;
  readonly max?: number;
  /** Whether it counts compute units, which may be typed as `10M`; the value is digits. */
  readonly units?: true;
  /** For `string`: the accepted form, as a pattern and in words. */
  readonly form?: { readonly pattern: RegExp; readonly words: string };
  readonly default?: string | number;
  /** The behaviour when no value is set and there is no default value. */
  readonly defaultDescription?: string;
  /** A more general setting from which this one follows, with `path` appended, when it is not set itself. */
  readonly derivedFrom?: { readonly setting: string; readonly path: string };
  /** Whether each profile has its own value; otherwise it is at the top of the file. */
  readonly perProfile: boolean;
}

/** Returns whether values of a type are servers: an invalid one must not be replaced by another server. */
export const isAddress = (type: SettingType): boolean => type === "url" || type === "node";
