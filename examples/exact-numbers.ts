/** Prints digits that a double would change: node exact-numbers.ts <address> */
import { createClient, isRawNumber, type Numeric, numericText, parseJson, stringifyJson } from "solx";

const [address = ""] = process.argv.slice(2);
if (address === "") {
  console.error("Usage: node exact-numbers.ts <address>");
  process.exit(2);
}
const client = createClient({ key: process.env.SOLX_API_KEY, baseUrl: process.env.SOLX_BASE_URL });

// The maximum 64-bit number as the server rounds it. Digits that a double would change remain text.
const { rent_epoch, lamports } = await client.account.detail({ address });
console.log("rent_epoch", numericText(rent_epoch), isRawNumber(rent_epoch) ? "as text" : "as a plain number");

// Most numbers are plain numbers. `numericText` returns the digits of both kinds, which BigInt parses.
const whole = BigInt(numericText(lamports));
console.log("SOL", `${whole / 1_000_000_000n}.${String(whole % 1_000_000_000n).padStart(9, "0")}`);

// The same for any JSON text, such as the maximum 64-bit number itself.
const text = '{"supply":18446744073709551615,"price":0.1}';
const value = parseJson(text) as { supply: Numeric };
console.log("supply", numericText(value.supply), isRawNumber(value.supply) ? "as text" : "as a plain number");
console.log(stringifyJson(value) === text ? "identical" : "digits were lost");
await client.close();
