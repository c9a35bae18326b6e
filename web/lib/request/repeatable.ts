/**
 * Whether sending a request twice does the same as sending it once, so that it may be repeated when its answer was lost.
 * A plain POST may not: an insert would be there twice, a PIN would be tried twice. A new row with an id made here is sent
 * as an upsert that ignores duplicates, which says so in its Prefer header.
 */
export function isRepeatable(input: RequestInfo | URL, init: RequestInit = {}): boolean {
  const request = input instanceof Request ? input : undefined;
  const method = (init.method ?? request?.method ?? "GET").toUpperCase();
  const path = new URL(request?.url ?? String(input), "http://here").pathname;
  const headers = new Headers(init.headers ?? request?.headers);
  if (["GET", "HEAD", "OPTIONS", "PUT", "DELETE"].includes(method)) return true;
  // Columns are set to values, never counted up, so the second change finds the first one's work done.
  if (method === "PATCH") return path.startsWith("/rest/v1/");
  if (method !== "POST") return false;
  if (/\bresolution=(ignore|merge)-duplicates\b/.test(headers.get("prefer") ?? "")) return true;
  // These only read; they are POSTs because they carry lists.
  return /^\/storage\/v1\/object\/(list|list-v2|sign)\//.test(path);
}
