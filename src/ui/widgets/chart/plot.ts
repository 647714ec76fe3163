/** What every kind of chart provides: its points, its extent, and how it draws them between the axes. */
import type { Role } from "../../navigation/theme/text-line.ts";
import type { ColorRange } from "../../navigation/theme/tint.ts";
import type { Canvas } from "./canvas.ts";
import type { Extent } from "./scale.ts";

/** What a terminal can draw. */
export interface ChartStyle {
  readonly unicode: boolean;
  readonly colors: ColorRange;
}

/** A point and where it is. */
export interface PlotPoint {
  /** Its position among the data. */
  readonly index: number;
  /** The cell in the middle of it. */
  readonly x: number;
  /** Unix seconds. */
  readonly time: number;
  /** What the cursor labels; undefined when unknown. */
  readonly value: number | undefined;
  readonly volume?: VolumeBar | undefined;
}

/** A bar below a point. */
export interface VolumeBar {
  readonly value: number;
  readonly role: Role;
}

/** The lines between the axes. */
export interface Field {
  readonly canvas: Canvas;
  readonly width: number;
  /** Lines of values, from the first line of the canvas. */
  readonly height: number;
  /** Returns the height of a value above the lower edge in parts of a line, from 0 to `height × parts`. */
  readonly level: (value: number, parts: number) => number;
}

/** A label below a chart and its first cell. */
export interface AxisLabel {
  readonly x: number;
  readonly label: string;
}

/** A chart without its axes. */
export interface Plot {
  /** From left to right. */
  readonly points: readonly PlotPoint[];
  readonly extent: Extent;
  /** Whether values are counts, so that the axis has whole numbers only. */
  readonly isWhole?: boolean | undefined;
  /** Cells of a point with its bar or body. */
  readonly pointWidth: number;
  /** Returns the time of a cell, where the cells between points have one; otherwise only points have times. */
  readonly timeAt?: ((x: number) => number) | undefined;
  /** Labels below the chart in place of times. */
  readonly labels?: readonly AxisLabel[] | undefined;
  /** The role of the newest value beside the axis; without it, it is not labelled. */
  readonly role?: Role | undefined;
  /** What the cursor highlights besides its column: a mark at the value (default), the bar, or nothing. */
  readonly highlight?: "mark" | "bar" | "none" | undefined;
  readonly draw: (field: Field) => void;
}

/** Lays a chart out in a number of cells; undefined without values. */
export type PlotOf = (width: number, style: ChartStyle) => Plot | undefined;
