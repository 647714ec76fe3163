/** `solx/redis`: a rate limit that processes of a machine share, and machines by a Redis server. */
export { createSharedRateLimiter, type SharedRateLimiterOptions } from "./sources/api/index.ts";
