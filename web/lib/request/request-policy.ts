import { ownAnswer } from "./own-answer.ts";
import { openReconnecting } from "./reconnecting.ts";

const TIMEOUT_MS = 120_000;
const ATTEMPTS = 3;
const BACKOFF_MS = 1000;
/** Maximum wait before a retry, in milliseconds. The page itself handles longer waits, e.g. for a locked link. */
const LONGEST_WAIT_MS = 10_000;
const REFRESHES = 3;
const REFRESH_BACKOFF_MS = 200;

type Fetch = typeof globalThis.fetch;

export interface RequestPolicy {
  /** Renews an expired token; rejects on failure. */
  refresh: () => Promise<string>;
  /** Called when the refreshes have failed, before the request fails. */
  onExpired: () => void;
  fetch?: Fetch;
  wait?: (ms: number) => Promise<void>;
}

/**
 * A fetch that follows Spec §8 and §9: it names the app, times out after 120 s, repeats safe requests after a network
 * failure or a temporary refusal, and renews an expired token. HTTP errors are returned as responses, as by any fetch.
 */
export function requestPolicy({ refresh, onExpired, fetch = globalThis.fetch, wait = pause }: RequestPolicy): Fetch {
  const send = async (input: RequestInfo | URL, init: RequestInit): Promise<Response> => {
    const waiting = openReconnecting();
    return sendAgain(input, init, waiting.begin).finally(waiting.end);
  };

  let renewal: ReturnType<typeof openReconnecting> | undefined;

  /**
   * Tracks token refreshes, which the auth client retries itself: reconnecting lasts from the first failure to any
   * response.
   */
  const followRenewal = (input: RequestInfo | URL, answered: boolean) => {
    if (answered) {
      renewal?.end();
      renewal = undefined;
    } else if (urlOf(input).includes("grant_type=refresh_token")) {
      renewal ??= openReconnecting();
      renewal.begin();
    }
  };

  const sendAgain = async (input: RequestInfo | URL, init: RequestInit, waits: () => void): Promise<Response> => {
    const repeatable = isRepeatable(input, init);
    const attempts = repeatable ? ATTEMPTS : 1;
    for (let attempt = 0; ; attempt++) {
      try {
        const response = await withTimeout(fetch, input, init);
        followRenewal(input, response.status < 500);
        const refusedFor = refusalMs(response, repeatable);
        if (refusedFor === undefined || refusedFor > LONGEST_WAIT_MS || attempt + 1 >= ATTEMPTS) return response;
        if (response.status === 503) waits();
        await response.body?.cancel();
        await wait(Math.max(refusedFor, BACKOFF_MS * 2 ** attempt));
        init.signal?.throwIfAborted();
      } catch (error) {
        followRenewal(input, false);
        // A cancelled request must stay cancelled, and a request that timed out is not retried.
        if (init.signal?.aborted || error instanceof RequestTimeout || attempts === 1) throw error;
        if (attempt + 1 >= attempts) {
          throw new Error(`Failed to fetch after ${attempts} attempts: ${reason(error)}`, { cause: error });
        }
        waits();
        await wait(BACKOFF_MS * 2 ** attempt);
      }
    }
  };

  return async (input, init = {}) => {
    const requestInit = { ...init, headers: headersOf(input, init) };
    requestInit.headers.set("x-skies-app", "web");
    const response = await send(input, requestInit);
    if (!(await isExpired(input, response))) return response;

    for (let attempt = 0; attempt < REFRESHES; attempt++) {
      if (attempt > 0) await wait(REFRESH_BACKOFF_MS * 2 ** (attempt - 1));
      const bearer = await refresh().catch(() => undefined);
      if (!bearer) continue;
      requestInit.headers.set("authorization", `Bearer ${bearer}`);
      const renewed = await send(input, requestInit);
      if (!(await isExpired(input, renewed))) return renewed;
    }
    onExpired();
    throw new Error("Session expired and refresh failed");
  };
}

/**
 * The milliseconds for which the server refuses the request; undefined if it states none. A 429 has done nothing, so
 * any request may be sent again; a 503 may have failed half-way.
 */
function refusalMs({ status, headers }: Response, repeatable: boolean): number | undefined {
  if (status !== 429 && !(status === 503 && repeatable)) return undefined;
  const seconds = headers.get("retry-after") ?? "";
  return /^\d+$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}

class RequestTimeout extends Error {
  constructor() {
    super("Request timeout");
  }
}

async function withTimeout(fetch: Fetch, input: RequestInfo | URL, init: RequestInit): Promise<Response> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), TIMEOUT_MS);
  // `AbortSignal.any` is younger than the oldest supported browsers.
  const end = () => timeout.abort(init.signal?.reason);
  if (init.signal?.aborted) end();
  // It stays after the headers, so that reading the body can be cancelled, too.
  init.signal?.addEventListener("abort", end, { once: true });
  try {
    return ownAnswer(await fetch(input, { ...init, signal: timeout.signal }));
  } catch (error) {
    if (timeout.signal.aborted && !init.signal?.aborted) throw new RequestTimeout();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function isExpired(input: RequestInfo | URL, response: Response): Promise<boolean> {
  if (response.status !== 400 && response.status !== 401) return false;
  // The auth client holds its lock during requests; a renewal inside would deadlock.
  if (new URL(urlOf(input), "http://here").pathname.startsWith("/auth/v1/")) return false;
  const text = await response.clone().text();
  return text.toLowerCase().includes("jwt expired");
}

const urlOf = (input: RequestInfo | URL) => (input instanceof Request ? input.url : String(input));
const headersOf = (input: RequestInfo | URL, init: RequestInit) =>
  new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined));
const reason = (error: unknown) => (error instanceof Error ? error.message : String(error));
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Whether a request is idempotent, so that it may be repeated when its answer was lost. A plain POST is not: it would
 * insert twice, or try a PIN twice. A new row with an id made here is sent as an upsert that ignores duplicates, which
 * its Prefer header states.
 */
export function isRepeatable(input: RequestInfo | URL, init: RequestInit = {}): boolean {
  const request = input instanceof Request ? input : undefined;
  const method = (init.method ?? request?.method ?? "GET").toUpperCase();
  const path = new URL(request?.url ?? String(input), "http://here").pathname;
  const headers = new Headers(init.headers ?? request?.headers);
  if (["GET", "HEAD", "OPTIONS", "PUT", "DELETE"].includes(method)) return true;
  // A PATCH sets columns to values and never increments them, so that repeating it changes nothing.
  if (method === "PATCH") return path.startsWith("/rest/v1/");
  if (method !== "POST") return false;
  if (/\bresolution=(ignore|merge)-duplicates\b/.test(headers.get("prefer") ?? "")) return true;
  // These requests only read; they are POSTs because they carry lists.
  return /^\/storage\/v1\/object\/(list|list-v2|sign)\//.test(path);
}
