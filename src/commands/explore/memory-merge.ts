/** Two processes that change one list: what each added and took away counts, whoever writes last. Pure. */

/**
 * The list that is wanted, with what others added since `before` and without what others took away.
 * @param before what was there when it was last looked at
 * @param current what is there now
 */
export function merged<T>(
  before: readonly T[],
  wanted: readonly T[],
  current: readonly T[],
  keyOf: (item: T) => string,
): readonly T[] {
  const [known, there, own] = [before, current, wanted].map((list) => new Set(list.map(keyOf)));
  const kept = wanted.filter((item) => !known?.has(keyOf(item)) || there?.has(keyOf(item)));
  const others = current.filter((item) => !known?.has(keyOf(item)) && !own?.has(keyOf(item)));
  return [...kept, ...others];
}

/** The same for named values: of each name, the value of who changed it. Names that were taken away become empty lists. */
export function mergedRecord(
  before: Readonly<Record<string, readonly string[]>>,
  wanted: Readonly<Record<string, readonly string[]>>,
  current: Readonly<Record<string, readonly string[]>>,
): Readonly<Record<string, readonly string[]>> {
  const isChanged = (name: string) => JSON.stringify(before[name]) !== JSON.stringify(wanted[name]);
  const names = new Set([...Object.keys(before), ...Object.keys(wanted)]);
  const changes = [...names].filter(isChanged).map((name) => [name, wanted[name] ?? []] as const);
  return { ...current, ...Object.fromEntries(changes) };
}
