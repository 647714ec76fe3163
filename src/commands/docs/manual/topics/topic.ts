/** What all topics are made with. */
import type { TopicName } from "../../../run/topic-names.ts";
import { filled, type Page } from "../page.ts";

/** The heading of topics in the index. */
export const TOPIC_GROUP = "topics";

/** Makes a topic. */
export function topic(
  id: TopicName,
  summary: string,
  { aliases = [], sections, see = [] }: Pick<Page, "sections"> & Partial<Pick<Page, "aliases" | "see">>,
): Page {
  return {
    id,
    kind: "topic",
    title: id,
    command: "",
    group: TOPIC_GROUP,
    summary,
    aliases,
    sections: filled(sections),
    see,
  };
}
