/** Recordings of exchanges with the API and with nodes: their format, what is removed from them, and replaying them. */
export { listRecordings, readRecording } from "./folder.ts";
export type { RecordOptions } from "./record.ts";
export type { Recording } from "./recording.ts";
export type { RecordedTarget } from "./replay.ts";
export { MISS_CODE, type Miss, Replayer } from "./replayer.ts";
export { endpointOfPath } from "./request.ts";

/** Loads the replacement of addresses and signatures. */
export const loadPseudonyms = () => import("./pseudonyms.ts");

/** Loads the transport that records. */
export const loadRecording = () => import("./record.ts");

/** Loads the transport that answers from recordings. */
export const loadReplay = () => import("./replay.ts");
