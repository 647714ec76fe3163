/** Numbers beyond 2^53 with all digits: node exact-numbers.ts <address> */
import { createClient, parseJson, stringifyJson } from "solx";

const [address = ""] = process.argv.slice(2);
if (address === "") {
  console.error("Usage: node exact-numbers.ts <address>");
  process.exit(2);
}
const { SOLX_API_KEY: key, SOLX_BASE_URL: baseUrl } = process.env;
const client = createClient({ key, baseUrl });

// Fields that can exceed 2^53 are bigints, whatever their value. All other numbers are plain.
const { rent_epoch, lamports } = await client.account.detail({ address });
console.log("rent_epoch", rent_epoch, typeof rent_epoch);
console.log("SOL", `${lamports / 1_000_000_000n}.${String(lamports % 1_000_000_000n).padStart(9, "0")}`);

// Any JSON text with its digits, such as the maximum 64-bit number.
const text = '{"supply":18446744073709551615,"price":0.1}';
const value = parseJson(text) as { supply: bigint };
console.log("supply", value.supply + 1n, typeof value.supply);
console.log(stringifyJson(value) === text ? "identical" : "digits were lost");
await client.close();
