/** Decides which requests are accepted by where they come from and by the host name that they are addressed to. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import net, { isIP } from "node:net";
import { hostname } from "node:os";

// By the default export: what is imported by name is read, and so loaded, by every command.
const LOOPBACK = new net.BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

/** Whether an IP address is one of this machine's loopback addresses; false for anything else. */
export function isLoopbackAddress(address: string | undefined): boolean {
  const version = isIP(address ?? "");
  return version !== 0 && LOOPBACK.check(address ?? "", version === 4 ? "ipv4" : "ipv6");
}

/** Returns the name or address of a `Host` header in lower case, without port and brackets; "" if it has none. */
function parseHost(header: string | undefined): string {
  const [, bracketed, name] = /^(?:\[([^\]]+)\]|([^:[\]\s]+))(?::\d{1,5})?$/.exec(header ?? "") ?? [];
  return (bracketed ?? name ?? "").toLowerCase();
}

/** A name that merely resolves to loopback does not count: anyone can publish one (DNS rebinding). */
const isLoopbackHost = (host: string): boolean => host === "localhost" || isLoopbackAddress(host);

/**
 * Whether a request may use the control endpoints: sent from this machine, and by no other site.
 * @param remoteAddress the address of the client
 */
export function isControlRequest(remoteAddress: string | undefined, headers: IncomingHttpHeaders): boolean {
  return isLoopbackAddress(remoteAddress) && isLocalSite(headers);
}

/** Whether a request has the control token, as `Authorization: Bearer …`; no web page of another site knows it. */
export function hasControlToken({ authorization = "" }: IncomingHttpHeaders, token: string | undefined): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return token !== undefined && timingSafeEqual(digest(authorization), digest(`Bearer ${token}`));
}

/** Whether a request is addressed to loopback, and not made by a web page of another site, as browsers report. */
export function isLocalSite({ host, origin, "sec-fetch-site": site = "none" }: IncomingHttpHeaders): boolean {
  if (!isLoopbackHost(parseHost(host))) return false;
  return origin === undefined ? site !== "cross-site" : isLoopbackHost(parseHost(URL.parse(origin)?.host));
}

/**
 * Returns the check of the `Host` header for a server that other machines can reach. Addresses, `localhost`, the name of
 * this machine and the given names are accepted. Other names may be those of a web page whose owner points them here.
 */
export function createHostCheck(names: readonly string[]): (header: string | undefined) => boolean {
  const allowed = new Set(["localhost", hostname(), ...names].map((name) => name.toLowerCase()));
  return (header) => {
    const host = parseHost(header);
    return isIP(host) !== 0 || allowed.has(host);
  };
}
