import type { Readable } from "./store.ts";

/** Whether the browser reports a network connection. The server may still be unreachable. */
export const browserOnline: Readable<boolean> = {
  get: () => navigator.onLine || /^(localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname),
  subscribe(listener) {
    const listening = new AbortController();
    for (const event of ["online", "offline"]) window.addEventListener(event, listener, listening);
    return () => listening.abort();
  },
  prerendered: () => true,
};
