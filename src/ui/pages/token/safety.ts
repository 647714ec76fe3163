/** What a holder of a token has to know: who can mint, freeze, take or tax it, and whether its name imitates another. */
import { fieldOf, groupThousands, type Json, listOf, textOf, toNumber } from "../../../base/index.ts";
import { TokenMeta } from "../../../catalogue/schemas.ts";
import { type NameOf, safeText } from "../../../output/index.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { formatField, idSpan } from "../../widgets/cells.ts";
import type { LinkSpan, TreeRow } from "../../widgets/tree/rows.ts";
import { fieldValues } from "../entity/fields.ts";
import type { EntityView } from "../entity/record.ts";
import { joinSections, titledRows } from "../entity/rows.ts";

const LABEL_WIDTH = 17;

const row = (label: string, ...value: readonly LinkSpan[]): TreeRow => ({
  key: `safety ${label}`,
  line: [span(label.padEnd(LABEL_WIDTH), "key"), ...value],
});

/** What extensions of a mint take from holders, by their names in the API. */
const DANGERS: Readonly<Record<string, string>> = {
  permanentDelegate: "can take tokens from every account",
  transferFeeConfig: "takes a fee of each transfer",
  transferHook: "runs a program at each transfer",
  pausableConfig: "can stop all transfers",
  nonTransferable: "cannot be transferred",
};
/** What others do that holders should know; those that are in neither list only describe. */
const TRAITS: Readonly<Record<string, string>> = {
  defaultAccountState: "new accounts may start frozen",
  mintCloseAuthority: "can be closed and created anew",
  confidentialTransferMint: "amounts can be hidden",
  interestBearingConfig: "shows another balance than it has",
  scaledUiAmountConfig: "shows another balance than it has",
};

/** Returns the rows of the safety of a token. */
export function safetyRows({ answers: { meta }, clock, nameOf, unicode }: EntityView<"meta">): readonly TreeRow[] {
  if (!meta) return [];
  const warnings = ["symbol", "name"].flatMap((field) => formatField(TokenMeta, meta, field, clock).warning ?? []);
  const signs = unicode ? { good: "✔ ", bad: "▲ " } : { good: "", bad: "! " };
  const good = (text: string) => span(`${signs.good}${text}`, "good");
  const bad = (text: string) => span(`${signs.bad}${text}`, "warning");
  const imitated = warnings.length === 0 ? [good("imitates no known token")] : warnings.map(bad);
  const { short, line } = fieldValues(TokenMeta, meta, clock);
  const holders = toNumber(meta.holder);
  const facts: readonly (readonly [string, TextLine])[] = [
    ["supply", short("supply")],
    ["holders", holders === undefined ? [] : [span(groupThousands(holders))]],
    ["volume 24h", short("volume_24h")],
    ["created", line("created_time")],
  ];
  const extensions = listOf(meta.extensions).flatMap((one) => extensionRow(one, bad) ?? []);
  return joinSections([
    [
      row("name", ...imitated),
      ...authorityRow("mint authority", meta.mint_authority, "can mint more", { good, bad, nameOf }),
      ...authorityRow("freeze authority", meta.freeze_authority, "can freeze accounts", { good, bad, nameOf }),
      ...(extensions.length === 0 ? [row("extensions", span("none", "note"))] : []),
    ],
    titledRows("Extensions", extensions),
    facts.filter(([, value]) => value.length > 0).map(([label, value]) => row(label, ...value)),
  ]);
}

interface Wording {
  readonly good: (text: string) => LinkSpan;
  readonly bad: (text: string) => LinkSpan;
  readonly nameOf: NameOf;
}

/** Returns who has an authority; nothing where the API does not say it. */
function authorityRow(
  label: string,
  value: Json | undefined,
  ability: string,
  { good, bad, nameOf }: Wording,
): readonly TreeRow[] {
  if (value === undefined) return [];
  const id = textOf(value);
  if (id === undefined || id === "") return [row(label, good("revoked"))];
  const target = { kind: "entity", entity: "account", id } as const;
  return [row(label, bad(ability), span(" · ", "note"), { ...idSpan(id, nameOf), target })];
}

function extensionRow(value: Json, bad: (text: string) => LinkSpan): TreeRow | undefined {
  const name = textOf(fieldOf(value, "extension"));
  if (name === undefined) return undefined;
  const [danger, trait] = [DANGERS[name], TRAITS[name]];
  const words = safeText(name)
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  const says = danger !== undefined ? [bad(danger)] : trait !== undefined ? [span(trait, "note")] : [];
  return { key: `extension ${name}`, line: [span(`${words}  `), ...says], row: value };
}
