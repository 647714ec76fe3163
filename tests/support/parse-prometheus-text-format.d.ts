declare module "parse-prometheus-text-format" {
  /** A metric with all its values, as the parser reads them. */
  interface Family {
    readonly name: string;
    readonly help: string;
    readonly type: string;
    readonly metrics: readonly { readonly value: string; readonly labels?: Readonly<Record<string, string>> }[];
  }
  export default function parse(text: string): readonly Family[];
}
