/** The popups of the explorer as data: what opens one names its kind, and the root component draws it. */
import type { Json } from "../../base/index.ts";
import type { Endpoint, ParameterValues, Shape } from "../../catalogue/index.ts";
import type { NamePlan } from "./data-store.ts";
import type { Route } from "./route.ts";
import type { RuleWatch, WatchedRule } from "./rule-watch.ts";
import type { ApiKeyEntry } from "./services.ts";

/** A popup. */
export type Popup =
  /** The choices without an API key, and those of the current view and of themes. */
  | { readonly kind: "no-api-key" | "copy" | "command" | "export" | "bookmark" | "themes" }
  | { readonly kind: "api-key"; readonly entry: ApiKeyEntry }
  /** Everything that can be opened, or only the keys. */
  | { readonly kind: "palette"; readonly text?: string; readonly only?: "keys" }
  /** Sentences; the footnote is shown even when not all of them fit. */
  | {
      readonly kind: "notice";
      readonly title: string;
      readonly sentences: readonly string[];
      readonly footnote?: string | undefined;
      readonly onClose?: (() => void) | undefined;
    }
  | {
      readonly kind: "text";
      readonly title: string;
      readonly text: string;
      readonly onCopy?: (() => void) | undefined;
    }
  | { readonly kind: "name-address"; readonly address: string }
  | { readonly kind: "fetch-names"; readonly plan: NamePlan; readonly onConfirm: () => void }
  | { readonly kind: "links"; readonly links: readonly FieldLink[] }
  /** The form of a rule; undefined for a new one. */
  | { readonly kind: "rule"; readonly watch: RuleWatch; readonly rule: WatchedRule | undefined }
  | ColumnPopup
  | FilterPopup
  | { readonly kind: "compare"; readonly marked: readonly ComparedRow[]; readonly shape: Shape };

/** A popup of a kind. */
export type PopupOf<K extends Popup["kind"]> = Extract<Popup, { readonly kind: K }>;

/** A route, and the field that links to it. */
export interface FieldLink {
  readonly field: string;
  readonly route: Route;
}

/** A column that can be selected. */
export interface ColumnOption {
  readonly key: string;
  readonly head: string;
  readonly description: string;
  readonly isOn: boolean;
  /** The width in cells that the user chose; undefined for that of the content. */
  readonly width: number | undefined;
}

interface ColumnPopup {
  readonly kind: "columns";
  readonly options: readonly ColumnOption[];
  readonly defaults: readonly ColumnOption[];
  /** Called with the keys of the selected columns, undefined for the defaults, and their widths. */
  readonly onDone: (keys: readonly string[] | undefined, widths: Readonly<Record<string, number>>) => void;
}

interface FilterPopup {
  readonly kind: "filter-form";
  /** What Enter does (default: apply the filters). */
  readonly label?: string;
  readonly endpoint: Endpoint;
  readonly params: ParameterValues;
  readonly fixed: readonly string[];
  /** Called with all entered parameters, without the fixed and paging ones: times as typed, names as addresses. */
  readonly onDone: (params: ParameterValues) => void;
}

/** A row to compare, and the route of its entity, if it has one. */
export interface ComparedRow {
  readonly row: Json;
  readonly route: Route | undefined;
}

/** Maximum number of rows to compare; the details of each are one request. */
export const MAX_COMPARED = 6;
