/** Whether this is the oldest supported Node; tests that do not depend on the version only run on the current one. */
export const IS_OLDEST = process.versions.node.startsWith("22.");
