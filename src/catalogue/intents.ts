/**
 * What people want, in their words, and the endpoints that answer it. Modules that are loaded lazily themselves import
 * it: commands that only send a request load no phrases.
 */
import { ACCOUNT_INTENTS } from "./intents/accounts.ts";
import { CHAIN_INTENTS } from "./intents/chain.ts";
import { LEGACY_INTENTS } from "./intents/legacy.ts";
import { MARKET_INTENTS } from "./intents/markets.ts";
import { NODE_INTENTS } from "./intents/nodes.ts";
import { TOKEN_INTENTS } from "./intents/tokens.ts";

/** The phrases of each endpoint by its command, separated by semicolons. */
export const INTENTS: Readonly<Record<string, string>> = {
  ...ACCOUNT_INTENTS,
  ...CHAIN_INTENTS,
  ...LEGACY_INTENTS,
  ...MARKET_INTENTS,
  ...NODE_INTENTS,
  ...TOKEN_INTENTS,
};

/** Returns the phrases of a text. */
export const phrasesOf = (text: string): readonly string[] =>
  text.split(/;\s+/).map((phrase) => phrase.replace(/\s+/g, " "));
