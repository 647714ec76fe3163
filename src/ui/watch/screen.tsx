/** The watch in a terminal: lines, a clock that ticks each second, and keys. */
import { useInput, useWindowSize } from "ink";
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { wrap } from "../../output/text/width.ts";
import { decodeKeyPresses } from "../app/keys/keymap.ts";
import { SPARE_LINES } from "../app/layout.ts";
import { PaintedLines } from "../app/lines.tsx";
import { span, type TextLine, textLine } from "../app/theme/text-line.ts";
import { type ColorScheme, createPainter } from "../app/theme/theme.ts";
import type { TerminalControl } from "../terminal/control.ts";
import { type ExitReason, fullScreen } from "../terminal/full-screen.tsx";
import { useSuspend } from "../terminal/suspend.ts";
import { type ChartRange, defaultRange, RANGES } from "./usage-rates.ts";
import { type RateStatus, watchLines } from "./watch-lines.ts";
import type { Watcher } from "./watcher.ts";

/** What is watched, and in which terminal. */
export interface WatchOptions extends Omit<WatchScreenProps, "terminal" | "quit"> {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly signal: AbortSignal;
}

/** Runs the watch until it is left, stopped by the signal, or cannot go on; never rejects. */
export function runWatch({ stdin, stdout, signal, ...screen }: WatchOptions): Promise<ExitReason> {
  return fullScreen({
    stdin,
    stdout,
    signal,
    log: screen.log,
    draw: (terminal, quit) => <WatchScreen {...screen} terminal={terminal} quit={quit} />,
    close: async () => screen.watcher.close(),
  });
}

const HELP_KEYS: readonly (readonly [key: string, text: string])[] = [
  ["r", "look now"],
  ["+ -", "a longer interval, a shorter one (10 s at least)"],
  ["t", "the time of the chart: an hour to 30 days"],
  ["Ctrl-Z", "back to the shell; fg goes on"],
  ["q Ctrl-C", "quit"],
];

/** The lines of the help; each look costs so many compute units. */
export function helpLines(cost: number, width: number): readonly TextLine[] {
  const notes = [
    `Each look costs ${cost} compute units. While looks fail, they are further apart.`,
    "The chart is of what this machine saw: before the first look it is blank.",
    "The busiest endpoints are those of this machine, not of all who use the key.",
    "The forecast goes by the faster of the last 24 hours and what is usual.",
  ];
  return [
    textLine("Keys", "heading"),
    ...HELP_KEYS.map(([key, text]): TextLine => [span(`  ${key.padEnd(10)}`, "hotkey"), span(text)]),
    textLine("What is shown", "heading"),
    ...notes.flatMap((text) => wrap(text, Math.max(1, width - 2)).map((one) => textLine(`  ${one}`))),
    textLine("Any key closes this.", "note"),
  ];
}

/** Seconds between two looks that can be chosen. */
const INTERVALS = [10, 15, 30, 60, 120, 300, 600, 1800, 3600] as const;

export interface WatchScreenProps {
  readonly watcher: Watcher;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly rate: () => RateStatus | undefined;
  /** Compute units of a look. */
  readonly cost: number;
  readonly isSandbox: boolean;
  readonly palette: ColorScheme;
  readonly unicode: boolean;
  readonly terminal: TerminalControl;
  readonly log: (text: string) => void;
  readonly quit: () => void;
}

const TOAST_MS = 4000;
const TICK_MS = 1000;

export function WatchScreen(props: WatchScreenProps) {
  const { watcher, now, rate, cost, isSandbox, palette, unicode, terminal, quit } = props;
  const { columns, rows } = useWindowSize();
  const [chosen, setChosen] = useState<ChartRange>();
  const [isHelp, setHelp] = useState(false);
  const [toast, setToast] = useToast();
  const paint = useMemo(() => createPainter(palette, unicode), [palette, unicode]);
  const state = useSyncExternalStore(watcher.subscribe, watcher.state);
  const suspend = useSuspend(terminal, props.log, setToast);
  useEffect(() => {
    watcher.tick();
    const timer = setInterval(watcher.tick, TICK_MS);
    return () => clearInterval(timer);
  }, [watcher]);
  const range = chosen ?? defaultRange(state.history, now());
  // Keys may come faster than frames.
  const interval = () => watcher.state().interval;
  const choose = (seconds = interval()) => watcher.setInterval(seconds);
  const handlers: Readonly<Record<string, () => void>> = {
    q: quit,
    "ctrl+c": quit,
    "ctrl+z": suspend,
    r: watcher.refresh,
    "-": () => choose(INTERVALS.findLast((one) => one < interval())),
    "+": () => choose(INTERVALS.find((one) => one > interval())),
    t: () => setChosen(RANGES[(RANGES.indexOf(range) + 1) % RANGES.length]),
    "?": () => setHelp(true),
  };
  useInput((input, key) => {
    for (const { name } of decodeKeyPresses(input, key)) {
      const isLast = name === "q" || name === "ctrl+c" || name === "ctrl+z";
      if (isHelp && !isLast) setHelp(false);
      else handlers[name === "=" ? "+" : name]?.();
    }
  });
  const height = rows - SPARE_LINES;
  const lines = isHelp
    ? helpLines(cost, columns)
    : watchLines({
        width: columns,
        height,
        unicode,
        now: now(),
        state,
        range,
        isSandbox,
        cost,
        rate: rate(),
        toast,
      });
  return <PaintedLines lines={lines} width={columns} height={height} paint={paint} />;
}

/** A sentence for some seconds. */
function useToast(): readonly [toast: string | undefined, set: (text: string) => void] {
  const [toast, setToast] = useState<string>();
  useEffect(() => {
    if (toast === undefined) return;
    const timer = setTimeout(() => setToast(undefined), TOAST_MS);
    return () => clearTimeout(timer);
  }, [toast]);
  return [toast, useCallback((text: string) => setToast(text), [])];
}
