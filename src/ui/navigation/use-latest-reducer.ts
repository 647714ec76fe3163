/** A reducer whose newest state can be read between renders, since keys arrive faster than frames. */
import { useCallback, useRef, useState } from "react";

/** The state that is drawn, what changes it, and what reads the newest. `step` must not change between frames. */
export function useLatestReducer<S, A>(
  reducer: (state: S, action: A) => S,
  initial: () => S,
): readonly [state: S, dispatch: (action: A) => void, read: () => S] {
  const [state, setState] = useState(initial);
  const newest = useRef(state);
  const dispatch = useCallback(
    (action: A) => {
      newest.current = reducer(newest.current, action);
      setState(newest.current);
    },
    [reducer],
  );
  return [state, dispatch, useCallback(() => newest.current, [])];
}
