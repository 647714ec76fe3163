/** What polls subjects for their news, loaded by the commands that follow. */
export { planStretch, requestsPerMinute, runSchedule } from "./schedule.ts";
export { openPollers, subjectName } from "./subject.ts";
