/**
 * Keeps memory flat while much is read. Left alone, V8 lets the space for new objects grow to 64 MB, and takes what is
 * made once a page for long-lived, with all that it holds: a long list would take half as much again as a short one.
 */

/** Bytes from which the space for new objects is large enough; it grows in steps, to 32 MB. */
const ENOUGH = 24 * 1024 * 1024;
/** Bytes up to which it may grow to the fourfold at once. */
const SMALL = 8 * 1024 * 1024;
/** The last Node whose V8 is known to know these flags: others would complain on standard error. */
const LAST_KNOWN = 26;

/** What is to be called after each page of a long reading. */
export async function steadyHeap(): Promise<() => void> {
  if (Number.parseInt(process.versions.node, 10) > LAST_KNOWN) return () => {};
  const { getHeapSpaceStatistics, setFlagsFromString } = await import("node:v8");
  setFlagsFromString("--no-allocation-site-pretenuring");
  let grows = true;
  return () => {
    if (!grows) return;
    const size = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? 0;
    grows = size < ENOUGH;
    // A short list gets there as well, so that a long one takes no more.
    setFlagsFromString(`--semi-space-growth-factor=${grows ? (size <= SMALL ? 4 : 2) : 1}`);
  };
}
