/**
 * Values to bytes on a stream: formats, tables, safe text, formatting by kind. The only way into this module.
 *
 * Import it statically: these are re-exports, of which the bundler takes those that are used, while `import()` of this
 * file would load all of them at once. What is heavy (jq, yaml, csv, tables, zod) is loaded by `write` when needed.
 */
export { formatError } from "./error.ts";
export { entityOfDescription, entityOfName, entityRole } from "./fields/entity-role.ts";
export { loadEntityShape } from "./fields/entity-shapes.ts";
export { fieldNames, orderFields } from "./fields/field-order.ts";
export { fieldWords, headingOf } from "./fields/heading.ts";
export { leadsTo, type Path, parsePath, valueAt } from "./fields/path.ts";
export { omitRedundant } from "./fields/redundant.ts";
export { shapeOf } from "./fields/schema.ts";
export { checkFields, parseColumns, parseFields, parseSortFields, selectFields } from "./fields/selection.ts";
export { type Shape, shapeAt, UNKNOWN_SHAPE } from "./fields/shape.ts";
export { clearRows } from "./formats/envelope.ts";
export {
  EXPORT_FORMATS,
  FORMAT_NAMES,
  FORMATS,
  type Format,
  findFormat,
  formatInfo,
  formatOfFile,
  isCompressedFile,
  isTable,
  listFormats,
  RESUMABLE_FORMATS,
} from "./formats/formats.ts";
export { requireIdentifier } from "./formats/identifiers.ts";
export { formatJson } from "./formats/json.ts";
export { ColumnTypeError } from "./formats/parquet.ts";
export { canResume } from "./formats/rows.ts";
export { compileProgram, evaluateCondition, executeJq } from "./jq/jq.ts";
export { type AddressName, NAME_ROLES, type NameOf } from "./names/address-name.ts";
export { createNamer, type Namer, nameCells, nameText } from "./names/cell-names.ts";
export { type LearnedName, type NameKind, orderPair } from "./names/collect-names.ts";
export { type NameRequest, planNameRequests, unnamedAddresses } from "./names/name-requests.ts";
export { createNames, type Names } from "./names/names.ts";
export type { OwnNames } from "./names/own-names.ts";
export { createFile, type FileSink, reopenFile } from "./stream/file-sink.ts";
export { gzipSink } from "./stream/gzip-sink.ts";
export { createLinker, LINK_TERMINALS, supportsLinks } from "./stream/links.ts";
export { getStreamSink, PipeClosed, type StreamSink, toWriteFailure } from "./stream/stream-sink.ts";
export {
  colorDepth,
  detectBackground,
  isSwitchedOn,
  isTerminal,
  shouldUseColor,
  supportsUnicode,
  terminalWidth,
} from "./stream/terminal.ts";
export { alignNumber, measureNumbers, type NumberWidths } from "./table/align-numbers.ts";
export { cellStyles } from "./table/cell-styles.ts";
export { COLUMN_GAP, type ColumnDemand, solveWidths } from "./table/column-widths.ts";
export {
  alignColumn,
  catalogueField,
  columnsOf,
  demandOf,
  fitCell,
  fitCellParts,
  formatCell,
  type TableColumn,
  withRole,
} from "./table/columns.ts";
export { toAscii } from "./text/ascii.ts";
export type { ColorScheme, Role, Themes } from "./text/roles.ts";
export { escapeJson, safeCell, safeLines, safeText } from "./text/safe.ts";
export { createShortener, type Shorten } from "./text/shorten.ts";
export { type ColorDepth, indexedColor, nearestIndex, parseStyle, type Rgb } from "./text/style.ts";
export { createPainter, type Paint, paintText, THEME_NAMES, type Theme } from "./text/theme.ts";
export {
  type CustomStyles,
  DEFAULT_THEME,
  hasTheme,
  isDark,
  listThemes,
  NAMED_THEME,
  parseCustomStyles,
  parseTheme,
  type ResolvedTheme,
  resolveTheme,
  unknownThemeMessage,
} from "./text/themes.ts";
export { distinctSymbol, tokenMintOf } from "./text/well-known-tokens.ts";
export { clip, pad, sliceWidth, textWidth, truncateMiddle, wrap } from "./text/width.ts";
export {
  type Content,
  type ContentSchema,
  type Envelope,
  type IdentifierUse,
  NAME_MODES,
  type NameMode,
  type NameSource,
  type OutputOptions,
  type RowContent,
  type Sink,
  type SortField,
  TABLE_STYLES,
  TIME_STYLES,
  type TimeStyle,
  type WriteResult,
} from "./types.ts";
export {
  type Cell,
  type CellName,
  decimalsOf,
  formatBytes,
  formatValue,
  MISSING,
  sizeMark,
  summarizeValue,
  type ValueStyle,
  WARNING_MARK,
} from "./values/cell.ts";
export {
  capNumber,
  compactNumber,
  formatAmount,
  formatChange,
  formatPercent,
  formatPrice,
  formatSol,
  formatUsd,
  formatUsedShare,
  groupDigits,
  SOL_DECIMALS,
} from "./values/number.ts";
export {
  compareInDirection,
  compareKeys,
  isNumberKind,
  isQuantity,
  type SortKey,
  sortKeyOf,
  UTC_TIME,
} from "./values/sort-key.ts";
export { type Clock, formatDate, formatUnix } from "./values/time.ts";
export { createUnitConverter } from "./values/whole-units.ts";
export { checkOptions, checkProgram, write } from "./write.ts";
