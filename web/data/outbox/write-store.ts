import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { WaitingWrite } from "./waiting-write.ts";

/** The name of the database, of the lock's prefix, of the channel between tabs and of the service worker's event. */
export const OUTBOX = "skies-outbox";

/** What the service worker needs to send an owner's writes while no page is open. */
export interface Credentials {
  owner: string;
  supabaseUrl: string;
  apikey: string;
  /** The account's access token, or how to open the link. */
  by: { token: string } | { shareId: string; guestKey: string };
}

/** A write with its position. */
type Positioned = WaitingWrite & { position: number };

interface Schema extends DBSchema {
  writes: { key: string; value: Positioned; indexes: { owner: string } };
  credentials: { key: string; value: Credentials };
}

/** Stores writes on this device until the server has them. Every method may reject, e.g. when the disk is full. */
export interface WriteStore {
  put(write: WaitingWrite): Promise<void>;
  /** The stored write; undefined once it was sent or taken back. */
  get(id: string): Promise<WaitingWrite | undefined>;
  remove(id: string): Promise<void>;
  /** The writes of an owner, in order. */
  all(owner: string): Promise<WaitingWrite[]>;
  /** The owners of writes. */
  owners(): Promise<string[]>;
  removeAll(isOf: (owner: string) => boolean): Promise<void>;
  credentials(owner: string): Promise<Credentials | undefined>;
  putCredentials(credentials: Credentials): Promise<void>;
}

/** A store in the browser's database, opened at first use. Also for the service worker. */
export function browserWriteStore(): WriteStore {
  let opened: Promise<IDBPDatabase<Schema>> | undefined;
  const forget = () => {
    opened = undefined;
  };
  const open = () => {
    opened ??= openDB<Schema>(OUTBOX, 1, {
      upgrade(db) {
        db.createObjectStore("writes", { keyPath: "id" }).createIndex("owner", "owner");
        db.createObjectStore("credentials", { keyPath: "owner" });
      },
      // A sign-out deletes the database.
      blocking(_version, _next, event) {
        (event.target as IDBDatabase).close();
        forget();
      },
      terminated: forget,
    });
    opened.catch(forget);
    return opened;
  };
  const ownersOf = async () => [...new Set((await (await open()).getAll("writes")).map(({ owner }) => owner))];

  return {
    async put(write) {
      const transaction = (await open()).transaction("writes", "readwrite");
      const all = await transaction.store.getAll();
      const earlier = all.find(({ id }) => id === write.id)?.position;
      // Not by time: the device's clock may be set back.
      const last = Math.max(0, ...all.map(({ position }) => position));
      await transaction.store.put({ ...write, position: earlier ?? last + 1 });
      await transaction.done;
    },
    get: async (id) => (await open()).get("writes", id),
    async remove(id) {
      const transaction = (await open()).transaction(["writes", "credentials"], "readwrite");
      const writes = transaction.objectStore("writes");
      const owner = (await writes.get(id))?.owner;
      await writes.delete(id);
      if (owner !== undefined && (await writes.index("owner").count(owner)) === 0)
        await transaction.objectStore("credentials").delete(owner);
      await transaction.done;
    },
    async all(owner) {
      const writes = await (await open()).getAllFromIndex("writes", "owner", owner);
      return writes.sort((a, b) => a.position - b.position);
    },
    owners: ownersOf,
    async removeAll(isOf) {
      const transaction = (await open()).transaction(["writes", "credentials"], "readwrite");
      const writes = transaction.objectStore("writes");
      for (const { id, owner } of await writes.getAll()) if (isOf(owner)) await writes.delete(id);
      const credentials = transaction.objectStore("credentials");
      for (const owner of await credentials.getAllKeys()) if (isOf(owner)) await credentials.delete(owner);
      await transaction.done;
    },
    credentials: async (owner) => (await open()).get("credentials", owner),
    async putCredentials(credentials) {
      const transaction = (await open()).transaction(["writes", "credentials"], "readwrite");
      // Writes may have been sent, and the person may have left, while the credentials were gathered.
      if ((await transaction.objectStore("writes").index("owner").count(credentials.owner)) > 0)
        await transaction.objectStore("credentials").put(credentials);
      await transaction.done;
    },
  };
}
