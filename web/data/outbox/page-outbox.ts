import { offline } from "../../lib/offline/offline-state.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { currentSession } from "../../lib/session/session.ts";
import type { Rows } from "./deliver.ts";
import { Outbox } from "./outbox.ts";
import { browserWriteStore, OUTBOX } from "./write-store.ts";

let pageInstance: Outbox | undefined;

/** This page's outbox. */
export function pageOutbox(): Outbox {
  if (pageInstance) return pageInstance;
  const outbox = new Outbox({
    store: browserWriteStore(),
    locks: navigator.locks,
    channel: "BroadcastChannel" in globalThis ? new BroadcastChannel(OUTBOX) : undefined,
    isOffline: () => offline.get(),
    askForSync,
  });
  pageInstance = outbox;
  const wake = () => outbox.wake();
  window.addEventListener("online", wake);
  offline.subscribe(() => !offline.get() && wake());
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && wake());
  // The end of a session deletes what the account has on this device.
  currentSession.subscribe(() => {
    if (currentSession.get().state === "signed out") void outbox.forget((owner) => owner.startsWith("person-"));
  });
  return outbox;
}

/** Has the service worker send once there is a network, where the browser can do that. */
async function askForSync() {
  const registration = await navigator.serviceWorker?.getRegistration();
  const { sync } = (registration ?? {}) as { sync?: { register: (tag: string) => Promise<void> } };
  await sync?.register(OUTBOX).catch(() => {});
}

/** The browser does not tell a network without signal from a slow one. */
const TIMEOUT_MS = 20_000;

/** The requests of a client. */
export function rowsOf(client: SupabaseClient): Rows {
  const signal = () => AbortSignal.timeout(TIMEOUT_MS);
  return {
    insert: (table, row) =>
      client
        .from(table as "comments")
        .upsert(row as never, { onConflict: "id", ignoreDuplicates: true })
        .abortSignal(signal()),
    remove: (table, id) => client.from(table).delete().match({ id }).abortSignal(signal()),
  };
}
