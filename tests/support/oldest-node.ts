/** Whether this is the oldest Node supported: what is the same on every Node is looked at on the other one alone. */
export const IS_OLDEST = process.versions.node.startsWith("22.");
