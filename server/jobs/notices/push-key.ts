import type { Database } from "../../database/database.ts";
import type { PushKey } from "../../gateways/push.ts";
import { type Keyring, seal, unseal } from "../../supabase/sealed.ts";

interface KeyRow {
  public_key: string;
  sealed_private_key: string;
}

const PLACE = "push key";

/**
 * Resolves to the installation's key, which is made at the first start. If it was encrypted with a secret that is not of
 * `secrets`, another one replaces it: then devices have to be registered again, because they know only the former key.
 */
export async function openPushKey(db: Database, secrets: Keyring): Promise<PushKey> {
  const stored = await storedKey(db);
  const current = stored && unsealed(stored, secrets);
  if (current) return current;
  return db.transaction(async (tx) => {
    // Of several processes that start at once, one makes the key.
    await tx.exec("lock table private.push_key in share row exclusive mode");
    const { rows } = await tx.query<KeyRow>("select public_key, sealed_private_key from private.push_key");
    const ofAnother = rows[0] && unsealed(rows[0], secrets);
    if (ofAnother) return ofAnother;
    const { default: webPush } = await import("web-push");
    const key = webPush.generateVAPIDKeys();
    await tx.exec("delete from private.push_key; delete from push_devices");
    await tx.query("insert into private.push_key (public_key, sealed_private_key) values ($1, $2)", [
      key.publicKey,
      seal(key.privateKey, secrets, PLACE),
    ]);
    return key;
  });
}

async function storedKey(db: Database): Promise<KeyRow | undefined> {
  const { rows } = await db.query<KeyRow>("select public_key, sealed_private_key from private.push_key");
  return rows[0];
}

function unsealed(row: KeyRow, secrets: Keyring): PushKey | undefined {
  try {
    return { publicKey: row.public_key, privateKey: unseal(row.sealed_private_key, secrets, PLACE) };
  } catch {
    return undefined;
  }
}
