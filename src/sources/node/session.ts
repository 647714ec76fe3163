/** What requests of one client to one node share: facts about the cluster that do not change, and walks in progress. */

/** Values that are loaded once, by name. */
export interface NodeSession {
  /** Returns a value, loading it the first time. A failure is not remembered. */
  once<T>(name: string, load: () => Promise<T>): Promise<T>;
}

/** Creates an empty session. */
export function createSession(): NodeSession {
  const values = new Map<string, Promise<unknown>>();
  return {
    once<T>(name: string, load: () => Promise<T>): Promise<T> {
      const known = values.get(name);
      if (known) return known as Promise<T>;
      const loading = load();
      values.set(name, loading);
      loading.catch(() => values.delete(name));
      return loading;
    },
  };
}
