import { createStore } from "../browser/store.ts";

/** Whether this page shows offline copies. The service worker marks a page that it serves without the network. */
export const offline = createStore(globalThis.document?.documentElement.dataset.offline !== undefined, false);
