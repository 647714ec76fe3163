/** The help topics: what applies to many commands. */
import type { ManualPage } from "./page.ts";
import { readTopics } from "./topic-source.ts";

/** All topics, in the order of their list. */
export const TOPICS: readonly ManualPage[] = readTopics();

const normalize = (name: string) => name.toLowerCase().replace(/[\s_-]/g, "");

/** Returns the topic of a name or alias, however it is written; undefined when there is none. */
export function topicNamed(words: string): ManualPage | undefined {
  const name = normalize(words);
  return TOPICS.find(({ id, aliases }) => [id, ...aliases].some((known) => normalize(known) === name));
}
