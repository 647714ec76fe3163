/** What is under the pointer: the lines on the screen, where they are, and what handles the mouse there. */
import type { DOMElement } from "ink";
import { createEmitter } from "../../../base/index.ts";
import { type IdentifierUse, textWidth } from "../../../output/index.ts";
import type { MouseEvent, MouseMode } from "../../terminal/mouse.ts";
import { fitLine, type Span, type TextLine } from "../theme/text-line.ts";

/** Handles mouse events at a position counted from the first cell of the lines. */
export type MouseHandler = (event: MouseEvent) => void;

/** The lines that an element draws. */
export interface PointerArea {
  readonly lines: readonly TextLine[];
  readonly width: number;
  readonly height: number;
  readonly onMouse?: MouseHandler | undefined;
  /** Whether the handler also receives movements, and `leave` after the last one. */
  readonly hover?: boolean | undefined;
  /** Whether the terminal selects text while these lines are on the screen: nothing receives mouse events then. */
  readonly selectable?: boolean | undefined;
}

/** What is at a cell of the window: the topmost lines, the cell counted from their first one, and the span. */
export interface PointerHit {
  readonly area: PointerArea;
  readonly element: DOMElement;
  readonly x: number;
  readonly y: number;
  readonly span: Span | undefined;
}

/** The lines on the screen. */
export type Pointer = ReturnType<typeof createPointer>;

/** Creates an empty screen. */
export function createPointer() {
  const areas = new Map<DOMElement, PointerArea>();
  const changes = createEmitter();
  let mode: MouseMode = "buttons";
  let identifiers: readonly IdentifierUse[] = [];
  let isPending = false;
  const update = () => {
    isPending = false;
    const all = [...areas.values()];
    const visible = all.flatMap(visibleIdentifiers);
    const now = all.some(({ selectable }) => selectable)
      ? "off"
      : all.some(({ hover }) => hover)
        ? "motion"
        : "buttons";
    const isSame = visible.length === identifiers.length && visible.every(({ id }, at) => id === identifiers[at]?.id);
    if (now === mode && isSame) return;
    mode = now;
    if (!isSame) identifiers = visible;
    changes.emit();
  };
  // A frame sets dozens of areas.
  const updateLater = () => {
    if (!isPending) queueMicrotask(update);
    isPending = true;
  };
  return {
    set(element: DOMElement, area: PointerArea) {
      areas.set(element, area);
      updateLater();
    },
    remove(element: DOMElement) {
      areas.delete(element);
      updateLater();
    },
    get: (element: DOMElement) => areas.get(element),
    /** Returns what is at a cell of the window, counted from 0; undefined where nothing is drawn. */
    at(x: number, y: number) {
      const [first] = areas.keys();
      return first && findHit(rootOf(first), areas, x, y);
    },
    /** Returns what the terminal has to report for these lines. */
    mode: () => mode,
    /** Returns the identifiers without a name in these lines; the same array until they change. */
    identifiers: () => identifiers,
    /** Subscribes to changes of mode and identifiers. */
    subscribe: changes.on,
  };
}

function visibleIdentifiers({ lines, height }: PointerArea): readonly IdentifierUse[] {
  return lines.slice(0, Math.max(0, height)).flatMap((line) => line.flatMap(({ identifier }) => identifier ?? []));
}

function rootOf(element: DOMElement): DOMElement {
  return element.parentNode === undefined ? element : rootOf(element.parentNode);
}

/** Later elements are drawn over earlier ones: the last one at the cell is visible. */
function findHit(
  element: DOMElement,
  areas: ReadonlyMap<DOMElement, PointerArea>,
  outerX: number,
  outerY: number,
): PointerHit | undefined {
  const x = outerX - (element.yogaNode?.getComputedLeft() ?? 0);
  const y = outerY - (element.yogaNode?.getComputedTop() ?? 0);
  const area = areas.get(element);
  if (area) {
    const isInside = x >= 0 && x < area.width && y >= 0 && y < area.height;
    return isInside ? { area, element, x, y, span: spanAt(area, x, y) } : undefined;
  }
  for (const child of element.childNodes.toReversed()) {
    const hit = "childNodes" in child ? findHit(child, areas, x, y) : undefined;
    if (hit) return hit;
  }
  return undefined;
}

function spanAt({ lines, width }: PointerArea, x: number, y: number): Span | undefined {
  let end = 0;
  return fitLine(lines[y] ?? [], width).find(({ text }) => {
    end += textWidth(text);
    return x < end;
  });
}

/** Returns the line of a choice: it stands for its index, and is highlighted when it is selected. */
export function menuLine(line: TextLine, index: number, isSelected: boolean): TextLine {
  return line.map((one): Span => ({ ...one, hit: index, ...(isSelected && { cursor: "row" as const }) }));
}

/** Returns the mouse handler of choices: the wheel moves the cursor, a click chooses what it hits. */
export function menuMouse<Hit extends string | number = number>(
  move: (by: 1 | -1) => void,
  choose: (hit: Hit) => void,
): MouseHandler {
  return ({ type, hit }: MouseEvent) => {
    if (type === "up" || type === "down") move(type === "down" ? 1 : -1);
    else if (type === "click" && hit !== undefined) choose(hit as Hit);
  };
}
