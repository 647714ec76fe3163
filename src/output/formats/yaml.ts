/** YAML with exact digits. Strings are always quoted, so that no loader takes one for a number, a date or a boolean. */

import { Document, type DocumentOptions, isScalar, Scalar, type ScalarTag, type ToStringOptions, visit } from "yaml";
import { isRawNumber, type Json, type RawNumber } from "../../base/index.ts";
import { escapeYaml } from "../text/safe.ts";
import type { RowWriter, WriteContext } from "./context.ts";
import { closeEnvelope, splitEnvelope } from "./envelope.ts";

const RAW_NUMBER: ScalarTag = {
  tag: "tag:yaml.org,2002:float",
  default: true,
  identify: isRawNumber,
  resolve: (text) => text,
  stringify: ({ value }) => (value as RawNumber).rawJSON,
};

const YAML_OPTIONS = {
  defaultStringType: Scalar.QUOTE_DOUBLE,
  blockQuote: false,
  doubleQuotedAsJSON: true,
  lineWidth: 0,
} as const satisfies ToStringOptions & DocumentOptions;

/** Keys that every loader reads as text. */
const PLAIN_KEY = /^(?!(?:y|n|yes|no|on|off|true|false|null|nan|inf)$)[a-z_][a-z0-9_-]*$/i;

/** Writes one value as YAML. */
export async function writeYaml({ selection, sink }: WriteContext, value: Json): Promise<void> {
  await sink.write(formatYaml(selection ? selection.pick(value) : value));
}

/** Writes rows as a YAML sequence, page by page, inside their envelope. */
export async function openYaml(context: WriteContext): Promise<RowWriter> {
  const { selection, sink, envelope } = context;
  const pick = selection?.pick ?? ((row: Json) => row);
  const { head, depth } = splitEnvelope(envelope, formatYaml);
  const margin = "  ".repeat(depth);
  let started = false;
  return {
    async write(page) {
      if (page.length === 0) return;
      const lead = started || depth === 0 ? "" : `${head.trimEnd()}\n`;
      started = true;
      await sink.write(lead + formatYaml(page.map(pick)).replace(/^(?!$)/gm, margin));
    },
    end: () => {
      const tail = closeEnvelope(context, formatYaml);
      return sink.write(started ? tail.slice(1) : `${head}[]${tail || "\n"}`);
    },
  };
}

/** Returns a value as YAML text. */
function formatYaml(value: Json): string {
  const document = new Document(value, { customTags: (tags) => [RAW_NUMBER, ...tags], aliasDuplicateObjects: false });
  visit(document, {
    Pair: (_at, { key }) => {
      if (isScalar(key) && PLAIN_KEY.test(String(key.value))) key.type = Scalar.PLAIN;
    },
  });
  return escapeYaml(document.toString({ ...YAML_OPTIONS, defaultKeyType: Scalar.QUOTE_DOUBLE }));
}
