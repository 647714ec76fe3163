/** The metadata of NFTs: on the chain, and as published by their creators. */
import type { CollectionPlan } from "../data/collections.ts";
import { TRAITS } from "../data/collections.ts";
import { arweaveUri } from "../data/uris.ts";
import { Random } from "../random.ts";

type Json = Readonly<Record<string, unknown>>;

/** The texts of one NFT. */
export interface NftTexts {
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
  readonly image: string;
  /** Metadata on the chain, as the API returns it. */
  readonly data: Json;
  /** Published metadata. */
  readonly meta: Json;
}

const STRANGE_PREFIXES = ["№ ", "Nº ", "🐉 #", "『雲』 ", "ﷺ ", "Ⅻ·", "z̈ #"] as const;

function nameOf(random: Random, plan: CollectionPlan, number: number): string {
  if (plan.oddity === "no number")
    return `${plan.item} ${random.pick(["I", "in blue", "at dawn", "again", "(study)"])}`;
  if (plan.oddity === "strange letters") return `${plan.item} ${random.pick(STRANGE_PREFIXES)}${number}`;
  return plan.item.includes("#") ? plan.item.replace("#", `#${number}`) : `${plan.item} #${number}`;
}

function attributesOf(random: Random): readonly Json[] {
  return Object.entries(TRAITS).map(([trait_type, values]) => ({ trait_type, value: random.pickEarly(values) }));
}

/** Returns well-formed published metadata. */
function publishedMetadata(
  random: Random,
  plan: CollectionPlan,
  text: Pick<NftTexts, "name" | "image"> & { readonly number: number },
  creator: string,
): Json {
  return {
    name: text.name,
    symbol: plan.symbol,
    description: plan.description,
    seller_fee_basis_points: plan.royalties,
    image: text.image,
    edition: text.number,
    external_url: plan.website,
    attributes: attributesOf(random),
    collection: { name: plan.name, family: plan.name },
    properties: {
      files: [{ uri: text.image, type: "image/png" }],
      category: "image",
      creators: [{ address: creator, share: 100 }],
    },
  };
}

/** Metadata with wrong types: numbers for text, text for numbers, values that are lists. */
const WRONG_METADATA: Json = {
  name: 404,
  description: null,
  seller_fee_basis_points: "5%",
};
const WRONG_TRAITS: readonly Json[] = [
  { trait_type: "Weight", value: 12.5 },
  { trait_type: "Locked", value: true },
  { trait_type: null, value: ["a", "b"] },
  { value: { nested: 1 } },
];

function withOddity(random: Random, plan: CollectionPlan, meta: Json): Json {
  if (plan.oddity === "nothing") return {};
  if (plan.oddity === "wrong types") return { ...meta, ...WRONG_METADATA, attributes: WRONG_TRAITS };
  if (plan.oddity !== "missing keys") return meta;
  return Object.fromEntries(Object.entries(meta).filter(() => random.chance(0.6)));
}

/** Returns the texts of item `number` of a collection. */
export function describeNft(random: Random, plan: CollectionPlan, number: number, creator: string): NftTexts {
  const special = plan.texts?.[(number - 1) % plan.texts.length];
  const name = special?.name ?? nameOf(random, plan, number);
  const symbol = special?.symbol ?? plan.symbol;
  const folder = arweaveUri(new Random(plan.name));
  const uri = special?.uri ?? `${folder}/${number}.json`;
  const image = `${folder}/${number}.png`;
  const meta = withOddity(random, plan, publishedMetadata(random, plan, { name, image, number }, creator));
  return {
    name,
    symbol,
    uri,
    image,
    data: {
      name,
      symbol,
      uri,
      sellerFeeBasisPoints: plan.royalties,
      creators: [{ address: creator, verified: 1, share: 100 }],
      ...(plan.oddity !== "no number" && { id: number }),
    },
    meta: special?.meta ?? meta,
  };
}
