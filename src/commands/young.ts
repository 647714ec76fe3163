/** Parts of Node that are young: it says so when they are loaded, and nobody who runs solx can act on that. */

/** Runs something that loads them, without that remark. */
export function quietly<T>(load: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
