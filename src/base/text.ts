/** Numbers and nouns in sentences. */

/** Returns a decimal number with commas between thousands: `1234567.5` becomes `1,234,567.5`. */
export function groupThousands(number: number | bigint | string): string {
  const [whole = "", ...fraction] = String(number).split(".");
  const sign = whole.startsWith("-") ? "-" : "";
  // One pass from the first group: a lookahead for every digit is quadratic in the length of the number.
  const first = sign.length + ((whole.length - sign.length) % 3 || 3);
  return [whole.slice(0, first) + whole.slice(first).replace(/\d{3}/g, ",$&"), ...fraction].join(".");
}

/** Returns a count with its noun: `1 row`, `1,234 rows`. */
export function pluralize(count: number, singular: string, plural = `${singular}s`): string {
  return `${groupThousands(count)} ${count === 1 ? singular : plural}`;
}
