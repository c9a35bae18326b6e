/** Deletes what was written on this device and not sent (web/data/outbox), as the end of a session must. */
export const forgetOutbox = () => void globalThis.indexedDB?.deleteDatabase("skies-outbox");
