/** The names of help topics, none of which is the name of a command. Their text is loaded when it is read. */

/** Every topic, in the order of their list. */
export const TOPIC_NAMES = [
  "formatting",
  "filters",
  "times",
  "naming",
  "bulk",
  "following",
  "rules",
  "limits",
  "exit-codes",
  "options",
  "settings",
  "environment",
  "api-key",
  "security",
  "testing",
  "nodes",
  "indexing",
  "facts",
  "store",
  "grpc",
  "explorer",
  "uninstall",
] as const;

/** The name of a topic. */
export type TopicName = (typeof TOPIC_NAMES)[number];
