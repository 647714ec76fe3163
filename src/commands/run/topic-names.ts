/** The topics of `solx help`, by name: no command has such a name. What they say is loaded when they are read. */

/** Every topic, in the order of the list. */
export const TOPIC_NAMES = [
  "formatting",
  "filters",
  "times",
  "bulk",
  "limits",
  "exit-codes",
  "options",
  "settings",
  "environment",
  "api-key",
  "security",
  "testing",
  "explorer",
] as const;

/** The name of a topic. */
export type TopicName = (typeof TOPIC_NAMES)[number];
