import { ownAnswer } from "../../lib/request/own-answer.ts";
import { deliver, type Rows, Unreachable } from "./deliver.ts";
import { browserWriteStore, type Credentials, OUTBOX, type WriteStore } from "./write-store.ts";

/**
 * Sends what waits on this device, in the service worker. Rejects if the server cannot be reached, so that the browser calls
 * again. What needs a PIN or a new sign-in waits for the next page.
 */
export async function sendInBackground(): Promise<void> {
  const store = browserWriteStore();
  const channel = new BroadcastChannel(OUTBOX);
  try {
    for (const owner of await store.owners()) {
      const credentials = await store.credentials(owner);
      const rows = credentials && (await openRows(credentials));
      if (rows) await sendAll(store, owner, rows, () => channel.postMessage("changed"));
    }
  } finally {
    channel.close();
  }
}

async function sendAll(store: WriteStore, owner: string, rows: Rows, onChange: () => void) {
  for (const { id } of await store.all(owner)) {
    await navigator.locks.request(`${OUTBOX}-${owner}`, async () => {
      // A page may have sent it, or the person may have taken it back.
      const write = await store.get(id);
      if (write?.state !== "waiting") return;
      try {
        await deliver(rows, write);
        await store.remove(id);
      } catch (error) {
        if (error instanceof Unreachable) throw error;
        await store.put({ ...write, state: "failed" });
      }
    });
    onChange();
  }
}

/** The requests of a sender; undefined if it may not send without a page. */
async function openRows({ supabaseUrl, apikey, by }: Credentials): Promise<Rows | undefined> {
  const token = "token" in by ? by.token : await openLink(supabaseUrl, apikey, by);
  const [, payload = ""] = token?.split(".") ?? [];
  const { exp = 0 } = payload ? JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))) : {};
  if (!token || exp * 1000 <= Date.now()) return undefined;
  const send = async (method: string, path: string, body?: object) => {
    const headers = {
      apikey,
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      prefer: "resolution=ignore-duplicates,return=minimal",
      "x-skies-app": "web",
    };
    const response = await reach(`${supabaseUrl}/rest/v1/${path}`, { method, headers, body: JSON.stringify(body) });
    return { status: response.status, error: response.ok ? null : await response.json().catch(() => ({})) };
  };
  return {
    insert: (table, row) => send("POST", `${table}?on_conflict=id`, row),
    remove: (table, id) => send("DELETE", `${table}?id=eq.${id}`),
  };
}

async function openLink(supabaseUrl: string, apikey: string, by: { shareId: string; guestKey: string }) {
  const headers = { apikey, authorization: `Bearer ${apikey}`, "content-type": "application/json" };
  const response = await reach(`${supabaseUrl}/functions/v1/open-share`, {
    method: "POST",
    headers,
    body: JSON.stringify({ ...by, screen: false }),
  });
  return response.ok ? ((await response.json()) as { token: string }).token : undefined;
}

/** Fetches; rejects with {@link Unreachable} without a response, or with one of a server that is down. */
async function reach(url: string, init: RequestInit) {
  const response = await fetch(url, init)
    .then(ownAnswer)
    .catch((cause) => {
      throw new Unreachable("Failed to reach the server", { cause });
    });
  if (response.status >= 500) throw new Unreachable("The server is down");
  return response;
}
