/** What a setting is, as data. */

/** What a value is. `path` is made absolute, `url` loses its trailing slash, `switch` is on or off. */
export type SettingType = "string" | "enum" | "switch" | "number" | "integer" | "url" | "path";

/** A setting. */
export interface Setting {
  readonly type: SettingType;
  /** One line, no full stop. */
  readonly description: string;
  /** The environment variable. */
  readonly env: string;
  /** The option of the command line, as commander reads it. */
  readonly flag?: string;
  /** For `enum` and `switch`: the words allowed. */
  readonly values?: readonly string[];
  /** For `number` and `integer`: the bounds, both allowed. */
  readonly min?: number;
  readonly max?: number;
  /** Whether it counts compute units, which may be typed as `10M`; its value is digits. */
  readonly units?: true;
  /** For `string`: what it must look like, in a regular expression and in words. */
  readonly form?: { readonly pattern: RegExp; readonly words: string };
  readonly default?: string | number;
  /** Other names that it answers to. */
  readonly also?: readonly string[];
  /** What holds when nothing is given and there is no default value. */
  readonly otherwise?: string;
  /** A wider setting that gives this one its value, with `path` appended, where this one is not given itself. */
  readonly within?: { readonly setting: string; readonly path: string };
  /** Whether each profile has its own; else it stands at the top of the file. */
  readonly perProfile: boolean;
}
