/** Recordings of exchanges with the API and with nodes: their format, what is removed from them, and replaying them. */
export { listRecordings, openRecordingWriter, type RecordingWriter, readRecording } from "./folder.ts";
export type { RecordedFailure, RecordedResponse, Recording } from "./recording.ts";
export { MISS_CODE, type Miss, missError, Replayer, type ReplayResult } from "./replayer.ts";
export { endpointOfPath, type SentRequest, splitFamily } from "./request.ts";
export { type RawRecording, type ScrubOptions, scrubRecording } from "./scrub.ts";

/** Loads the replacement of addresses and signatures. */
export const loadPseudonyms = () => import("./pseudonyms.ts");
