/** The topics of `solx help`: what is true of many commands. */
import { TOPIC_NAMES, type TopicName } from "../../../run/topic-names.ts";
import type { Page } from "../page.ts";
import { explorer } from "./explorer.ts";
import { apiKey, security } from "./keys.ts";
import { exitCodes, limits } from "./limits.ts";
import { options } from "./options.ts";
import { environment, settings } from "./settings.ts";
import { filters, formatting, times } from "./values.ts";
import { bulk, testing } from "./work.ts";

const BY_NAME: Readonly<Record<TopicName, Page>> = {
  formatting,
  filters,
  times,
  bulk,
  limits,
  "exit-codes": exitCodes,
  options,
  settings,
  environment,
  "api-key": apiKey,
  security,
  testing,
  explorer,
};

/** Every topic, in the order of the list. */
export const TOPICS: readonly Page[] = TOPIC_NAMES.map((name) => BY_NAME[name]);

/** A name without what people write otherwise. */
const plain = (name: string) => name.toLowerCase().replace(/[\s_-]/g, "");

/** The topic that goes by some words, its own name or another one. */
export function topicNamed(words: string): Page | undefined {
  const wanted = plain(words);
  return TOPICS.find(({ id, aliases }) => [id, ...aliases].some((name) => plain(name) === wanted));
}
