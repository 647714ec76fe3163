/**
 * The digits of numbers that pass through jq. jq preserves the value of a number that a program does not change, but
 * writes it differently (`1e-19` as `1E-19`, `0.00000001164` as `1.164E-8`). This restores the literals of the input.
 */

/** JSON strings, which are skipped, and numbers. */
const TOKEN = /"(?:[^"\\]|\\.)*"|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g;
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Returns a function that restores the literals of the input in the output of jq, where they are unambiguous. */
export function createLiteralRestorer(input: string): (output: string) => string {
  const literals = new Map<string, Set<string>>();
  for (const [, literal] of input.matchAll(TOKEN)) {
    if (literal === undefined) continue;
    const value = normalize(literal);
    const same = literals.get(value) ?? new Set();
    literals.set(value, same.add(literal));
  }
  return (output) =>
    output.replace(TOKEN, (token, number?: string) =>
      number === undefined ? token : restoreLiteral(number, literals.get(normalize(number))),
    );
}

/**
 * Returns the literal for a number of jq. Literals of the same value differ in zeros and exponents: the one that jq would
 * write like this has precedence; a computed number in exponent form is matched by its value alone.
 */
function restoreLiteral(number: string, same: ReadonlySet<string> | undefined): string {
  if (!same) return number;
  const [written, ...others] = [...same].filter((literal) => formatLikeJq(literal) === number);
  if (written !== undefined) return others.length === 0 ? written : number;
  const [literal] = same;
  return literal !== undefined && same.size === 1 && /e/i.test(number) ? literal : number;
}

/** Returns the value of a number as text: digits without zeros at the ends, and a power of ten. */
function normalize(number: string): string {
  const { sign, digits, exponent } = parseNumber(number);
  const trimmed = digits.replace(/0+$/, "");
  return trimmed === "" ? `${sign}0` : `${sign}${trimmed}e${exponent + BigInt(digits.length - trimmed.length)}`;
}

function parseNumber(number: string): { sign: string; digits: string; exponent: bigint } {
  const [, sign = "", whole = "", fraction = "", power = "0"] = NUMBER.exec(number) ?? [];
  const digits = (whole + fraction).replace(/^0+(?=\d)/, "");
  return { sign, digits, exponent: BigInt(power) - BigInt(fraction.length) };
}

/** The exponent below which numbers are written with one. */
const MIN_PLAIN_EXPONENT = -6n;

/** Formats a literal like jq: in the scientific form of the General Decimal Arithmetic Specification. */
function formatLikeJq(literal: string): string {
  const { sign, digits, exponent } = parseNumber(literal);
  const leading = exponent + BigInt(digits.length - 1);
  if (exponent <= 0n && leading >= MIN_PLAIN_EXPONENT) {
    if (exponent === 0n) return sign + digits;
    const places = Number(-exponent);
    const padded = digits.padStart(places + 1, "0");
    return `${sign}${padded.slice(0, -places)}.${padded.slice(-places)}`;
  }
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : "";
  return `${sign}${digits.slice(0, 1)}${fraction}E${leading < 0n ? "" : "+"}${leading}`;
}
