/** Recordings of exchanges with the API and with nodes: their format, what is removed from them, and replaying them. */
export { listRecordings, openRecordingWriter, readRecording } from "./folder.ts";
export type { RecordedFailure, Recording } from "./recording.ts";
export { MISS_CODE, type Miss, missError, Replayer } from "./replayer.ts";
export { endpointOfPath, type SentRequest } from "./request.ts";
export { type RawRecording, type ScrubOptions, scrubRecording } from "./scrub.ts";

/** Loads the replacement of addresses and signatures. */
export const loadPseudonyms = () => import("./pseudonyms.ts");
