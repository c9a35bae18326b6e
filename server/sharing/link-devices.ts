import { createHmac, randomBytes } from "node:crypto";
import { deviceName } from "../../shared/device-name.ts";
import { type Database, isBeingMoved } from "../database/database.ts";
import type { Keyring } from "../supabase/sealed.ts";
import { deviceKeys } from "./device-cookie.ts";
import { findLink, type Link } from "./links.ts";

/** A browser in which a link's secret was entered. */
export interface LinkDevice {
  id: string;
  /** Whether the secret that was entered is still the link's. */
  admitted: boolean;
}

/** Devices that stay admitted to a link. Their cookies' keys are stored only as hashes that are keyed with a secret. */
export interface LinkDevices {
  /** The device of a link with this key. Undefined if there is none, e.g. because a manager removed it. */
  find(link: Link, key: string): Promise<LinkDevice | undefined>;
  /** Whether a manager has not removed this device of a link. */
  exists(link: Pick<Link, "id">, id: string): Promise<boolean>;
  /** Admits the device with this key. Resolves to its id; undefined while the installation is moved and only read. */
  admit(link: Link, key: string, userAgent: string | null): Promise<string | undefined>;
  /** Deletes the devices with these keys, and those with these ids, which came from tokens. */
  forget(keys: string[], ids: string[]): Promise<void>;
}

export function openLinkDevices(db: Database, secrets: Keyring): LinkDevices {
  const hashed = (key: string) =>
    secrets.map((secret) => createHmac("sha256", secret).update(`device ${key}`).digest("base64url"));
  return {
    async find({ id, admitted_since_version }, key) {
      const { rows } = await db.query<{ id: string; admitted_version: number }>(
        `select d.id, d.admitted_version from link_devices d join private.link_device_keys k on k.device_id = d.id
         where d.link_id = $1 and k.hash = any ($2)`,
        [id, hashed(key)],
      );
      return rows[0] && { id: rows[0].id, admitted: rows[0].admitted_version >= admitted_since_version };
    },
    async exists(link, id) {
      const { rows } = await db.query("select from link_devices where id = $1 and link_id = $2", [id, link.id]);
      return rows.length > 0;
    },
    async admit({ id, version }, key, userAgent) {
      const name = deviceName(userAgent).slice(0, 100);
      try {
        const { rows } = await db.query<{ id: string }>("select private.register_link_device($1, $2, $3, $4) as id", [
          id,
          version,
          hashed(key)[0],
          name,
        ]);
        if (!rows[0]) throw new Error("private.register_link_device gave no row");
        return rows[0].id;
      } catch (error) {
        if (isBeingMoved(error)) return undefined;
        throw error;
      }
    },
    async forget(keys, ids) {
      if (keys.length === 0 && ids.length === 0) return;
      await db.query(
        `delete from link_devices where id = any ($2::uuid[])
           or id in (select device_id from private.link_device_keys where hash = any ($1))`,
        [keys.flatMap(hashed), ids],
      );
    },
  };
}

/** Whether the browser that sent these cookies stays admitted to a link, so that its page need not ask for the secret. */
export type StaysAdmitted = (shareId: string, cookies: string | undefined) => Promise<boolean>;

export const staysAdmitted =
  ({ db, devices }: { db: Database; devices: LinkDevices }): StaysAdmitted =>
  async (shareId, cookies) => {
    const key = deviceKeys(cookies).get(shareId);
    const link = key === undefined ? undefined : await findLink(db, shareId);
    return link !== undefined && key !== undefined && (await devices.find(link, key))?.admitted === true;
  };

/** Creates the key of a new device. */
export const newDeviceKey = (): string => randomBytes(32).toString("base64url");
