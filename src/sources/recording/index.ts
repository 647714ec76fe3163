/** Recordings of exchanges with the API and with nodes: their format, what is removed from them, and replaying them. */
export { listRecordings, readRecording } from "./folder.ts";
export { createRecordingTransport, type RecordOptions } from "./record.ts";
export type { Recording } from "./recording.ts";
export { createReplayTransport, type RecordedTarget } from "./replay.ts";
export { MISS_CODE, type Miss, Replayer } from "./replayer.ts";
export { endpointOfPath } from "./request.ts";

/** Loads the replacement of addresses and signatures. */
export const loadPseudonyms = () => import("./pseudonyms.ts");
