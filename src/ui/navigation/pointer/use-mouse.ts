/** Dispatches mouse events to what is under the pointer. */
import { type DOMElement, useStdin } from "ink";
import { type RefObject, useEffect, useEffectEvent, useRef } from "react";
import type { TerminalControl } from "../../terminal/control.ts";
import { listenForMouse, type MouseMode, type MouseReport, parseMouseReport } from "../../terminal/mouse.ts";
import { type Explorer, useExplorer } from "../context.ts";
import { formatKeyHints, keyLabelsOf } from "../keys/bindings.ts";
import type { Pointer, PointerHit } from "./pointer.ts";

/** The keys that other buttons and the horizontal wheel press. */
const REPORT_KEYS: Readonly<Partial<Record<MouseReport["type"], string>>> = {
  left: "left",
  right: "right",
  back: "esc",
  forward: "]",
};

/**
 * Reads mouse reports while mounted.
 * @param overlay the element of the overlay; while there is one, only its lines and the key hints receive events
 * @param footTop the line of the window where the key hints start
 */
export function useMouse(terminal: TerminalControl, overlay: RefObject<DOMElement | null>, footTop: number): void {
  const explorer = useExplorer();
  const { keys, pointer, services } = explorer;
  const { stdin } = useStdin();
  const onDrag = useDragHint(explorer);
  const hovered = useRef<DOMElement>(undefined);
  const onReport = useEffectEvent((text: string) => {
    const report = parseMouseReport(text);
    if (!report) return;
    keys.reportInput();
    onDrag(report);
    const key = REPORT_KEYS[report.type];
    if (key !== undefined) return void keys.press(key, undefined);
    const cover = overlay.current;
    const topmost = pointer.at(report.x, report.y);
    const isHint = report.y >= footTop && topmost?.span?.press !== undefined;
    const hit = cover === null || isHint || isWithin(topmost?.element, cover) ? topmost : undefined;
    if (report.type === "move") hovered.current = leave(pointer, hovered.current, hit);
    if (hit) deliver(explorer, report, hit);
    // A click beside a popup closes it.
    else if (report.type === "click" && cover !== null) keys.press("esc", undefined);
  });
  useEffect(() => listenForMouse(stdin, onReport), [stdin]);
  useEffect(() => {
    const { customization, memory } = services;
    terminal.setMouse(customization?.mouse ?? memory.switches().mouse ?? true);
  }, [terminal, services]);
  useEffect(() => {
    let requested: MouseMode | undefined;
    const update = () => {
      const mode = pointer.mode();
      if (mode !== requested) terminal.requestMouse(mode);
      requested = mode;
    };
    update();
    return pointer.subscribe(update);
  }, [terminal, pointer]);
}

function useDragHint({ keys, services, toast }: Explorer): (report: MouseReport) => void {
  const pressed = useRef<MouseReport>(undefined);
  const isDone = useRef(false);
  return (report) => {
    const { type, x, y } = report;
    const from = pressed.current;
    if (type === "click") pressed.current = report;
    if (type !== "release" || isDone.current || !from || (x === from.x && y === from.y)) return;
    isDone.current = true;
    const hint = formatKeyHints(keyLabelsOf({ keys, services }), [["solx.mouse", "turns the mouse off"]]);
    toast(["Shift and drag to select text", hint].filter(Boolean).join(" · "));
  };
}

function isWithin(element: DOMElement | undefined, container: DOMElement): boolean {
  for (let at = element; at; at = at.parentNode) if (at === container) return true;
  return false;
}

/** Reports the end of movements to the lines that the pointer has left; returns the element that it is on now. */
function leave(pointer: Pointer, before: DOMElement | undefined, hit: PointerHit | undefined): DOMElement | undefined {
  const now = hit?.area.hover ? hit.element : undefined;
  if (before && before !== now) pointer.get(before)?.onMouse?.({ type: "leave", x: -1, y: -1 });
  return now;
}

/** Clicks first press the key or open the link of their span. */
function deliver({ keys, navigation }: Explorer, report: MouseReport, { area, span, x, y }: PointerHit): void {
  const { type } = report;
  if (type === "click" && span?.press !== undefined) keys.press(span.press, undefined);
  else if (type === "click" && span?.target) navigation.open(span.target);
  else if (type === "click" || type === "up" || type === "down" || (type === "move" && area.hover)) {
    area.onMouse?.({ ...report, type, x, y, hit: span?.hit });
  }
}
