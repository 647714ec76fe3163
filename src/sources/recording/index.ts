/** Recordings of exchanges with the API and with nodes: their format, what is removed from them, and replaying them. */

export { createRecordingTransport, type RecordOptions } from "./record.ts";
export { listRecordings, type Recording, readRecording } from "./recording.ts";
export { createReplayTransport, MISS_CODE, type Miss, type RecordedTarget, Replayer } from "./replayer.ts";
export { endpointOfPath } from "./request.ts";

/** Loads the replacement of addresses and signatures. */
export const loadPseudonyms = () => import("./pseudonyms.ts");
