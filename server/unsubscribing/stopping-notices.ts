import { createHmac, timingSafeEqual } from "node:crypto";
import type { Database } from "../database/database.ts";

/** Of which letters: those to a person about one memory, or with null about anything. */
export interface NoticeEmails {
  person: string;
  memory: string | null;
}

/** The links by which people end letters about notices without signing in. */
export interface StoppingNotices {
  /** Where a mail program posts its one click (RFC 8058); followed by a person it leads to {@link page}. */
  endpoint(letters: NoticeEmails): string;
  page(letters: NoticeEmails): string;
  /** What a genuine token is about; undefined for any other text. */
  read(token: string): NoticeEmails | undefined;
  set(letters: NoticeEmails, stopped: boolean): Promise<void>;
}

const TOKEN = /^([0-9a-f-]{36})\.([0-9a-f-]{36}|all)\.([\w-]{43})$/;

/** Good for ever, as letters are kept for ever: all that a token does is end mail, or let it come. */
export function stoppingNotices(deps: { db: Database; secret: Uint8Array; publicUrl: string }): StoppingNotices {
  const { db, secret, publicUrl } = deps;
  const signature = (what: string) => createHmac("sha256", secret).update(`notices ${what}`).digest("base64url");
  const tokenOf = ({ person, memory }: NoticeEmails) => {
    const what = `${person}.${memory ?? "all"}`;
    return `${what}.${signature(what)}`;
  };
  return {
    endpoint: (letters) => `${publicUrl}/functions/v1/stop-notices?token=${tokenOf(letters)}`,
    page: (letters) => `${publicUrl}/notices/stop?token=${tokenOf(letters)}`,
    read(token) {
      const [, person, memory, given = ""] = TOKEN.exec(token) ?? [];
      if (person === undefined || memory === undefined) return undefined;
      const right = Buffer.from(signature(`${person}.${memory}`));
      if (!timingSafeEqual(Buffer.from(given), right)) return undefined;
      return { person, memory: memory === "all" ? null : memory };
    },
    async set({ person, memory }, stopped) {
      const mail = stopped ? "never" : null;
      if (memory !== null) {
        // Of a memory or a person that is gone there is nothing to end.
        await db.query(
          `insert into notice_preferences (user_id, memory_id, mail) select u.id, m.id, $3 from auth.users u, memories m
           where u.id = $1 and m.id = $2 on conflict (user_id, memory_id) do update set mail = excluded.mail`,
          [person, memory, mail],
        );
        return;
      }
      await db.transaction(async (tx) => {
        await tx.query(
          `insert into notice_settings (user_id, mail) select u.id, $2 from auth.users u where u.id = $1
           on conflict (user_id) do update set mail = excluded.mail`,
          [person, mail],
        );
        // What was chosen for one memory comes before what holds for all.
        if (stopped) await tx.query("update notice_preferences set mail = null where user_id = $1", [person]);
      });
    },
  };
}
