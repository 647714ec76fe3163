/** The usage watch in a terminal. */
import { useInput, useWindowSize } from "ink";
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { type ResolvedTheme, wrap } from "../../output/index.ts";
import { SPARE_LINES } from "../frame/layout.ts";
import { PaintedLines } from "../frame/lines.tsx";
import { decodeKeyPresses } from "../navigation/keys/keymap.ts";
import { createPainter } from "../navigation/theme/painter.ts";
import { span, type TextLine, textLine } from "../navigation/theme/text-line.ts";
import type { TerminalControl } from "../terminal/control.ts";
import { type ExitReason, fullScreen, useSuspend } from "../terminal/full-screen.tsx";
import { type ChartRange, defaultRange, RANGES } from "../widgets/usage-charts.ts";
import { type RateStatus, watchLines } from "./watch-lines.ts";
import type { UsageWatcher } from "./watcher.ts";

/** The watcher and its terminal. */
export interface WatchOptions extends Omit<WatchScreenProps, "terminal" | "quit"> {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly signal: AbortSignal;
}

/** Runs the watch until the user quits, the signal aborts or an error ends it; never rejects. */
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
  ["r", "refresh now"],
  ["+ -", "longer or shorter interval (minimum 10 s)"],
  ["t", "time range of the chart: 1 hour to 30 days"],
  ["Ctrl-Z", "suspend; fg resumes"],
  ["q Ctrl-C", "quit"],
];

/** Returns the lines of the help. @param cost compute units of a poll */
export function helpLines(cost: number, width: number): readonly TextLine[] {
  const notes = [
    `Each poll costs ${cost} compute units. Failed polls are retried less often.`,
    "The chart shows what this machine recorded: before the first poll it is blank.",
    "The busiest endpoints are those of this machine, not of all users of the key.",
    "The forecast uses the higher of the last 24 hours and the average.",
  ];
  return [
    textLine("Keys", "heading"),
    ...HELP_KEYS.map(([key, text]): TextLine => [span(`  ${key.padEnd(10)}`, "hotkey"), span(text)]),
    textLine("Display", "heading"),
    ...notes.flatMap((text) => wrap(text, Math.max(1, width - 2)).map((one) => textLine(`  ${one}`))),
    textLine("Press any key to close help.", "note"),
  ];
}

const INTERVALS = [10, 15, 30, 60, 120, 300, 600, 1800, 3600] as const;

/** What the watch screen shows and controls. */
export interface WatchScreenProps {
  /** Whatever its polls return. */
  readonly watcher: Pick<UsageWatcher, keyof UsageWatcher>;
  readonly now: () => number;
  readonly rate: () => RateStatus | undefined;
  readonly cost: number;
  readonly isSandbox: boolean;
  readonly theme: ResolvedTheme;
  readonly unicode: boolean;
  readonly terminal: TerminalControl;
  readonly log: (text: string) => void;
  readonly quit: () => void;
}

const TOAST_MS = 4000;
const TICK_MS = 1000;

/** The usage watch. */
export function WatchScreen(props: WatchScreenProps) {
  const { watcher, now, rate, cost, isSandbox, theme, unicode, terminal, quit } = props;
  const { columns, rows } = useWindowSize();
  const [chosen, setChosen] = useState<ChartRange>();
  const [isHelp, setHelp] = useState(false);
  const [toast, setToast] = useToast();
  const paint = useMemo(() => createPainter(theme, unicode), [theme, unicode]);
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
        colors: paint.colors,
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

function useToast(): readonly [toast: string | undefined, set: (text: string) => void] {
  const [toast, setToast] = useState<string>();
  useEffect(() => {
    if (toast === undefined) return;
    const timer = setTimeout(() => setToast(undefined), TOAST_MS);
    return () => clearTimeout(timer);
  }, [toast]);
  return [toast, useCallback((text: string) => setToast(text), [])];
}
