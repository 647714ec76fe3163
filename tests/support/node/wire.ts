/** The JSON of the wire: integers of any size, without loss. */

/** A value of a JSON-RPC message; bigints are integers. */
export type Wire = null | boolean | number | bigint | string | readonly Wire[] | { readonly [key: string]: Wire };
/** An object of a JSON-RPC message. */
export type WireObject = { readonly [key: string]: Wire };

/** Whether a value is an object, and neither a list nor null. */
export const isObjectWire = (value: Wire | undefined): value is WireObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const { rawJSON } = JSON as unknown as { rawJSON(text: string): object };

/** Returns the JSON of a value, with bigints as integers. Properties that are undefined are left out. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === "bigint" ? rawJSON(part.toString()) : part));
}

/** Parses JSON; integers beyond 2^53 become bigints. */
export function fromJson(text: string): Wire {
  const revive = (_: string, value: unknown, { source }: { source?: string }) =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? "")
      ? BigInt(source ?? 0)
      : value;
  return (JSON.parse as (text: string, revive: unknown) => Wire)(text, revive);
}

/** Returns an amount in the units that users see: 1500000 with 6 decimals is "1.5". */
export function decimalText(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return fraction === "" ? whole : `${whole}.${fraction}`;
}
