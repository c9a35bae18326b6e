import { createHash, randomBytes } from "node:crypto";
import { isMailable } from "../../shared/credentials.ts";
import type { Database } from "../database/database.ts";
import type { EmailProps } from "../emails/email-props.ts";
import { languageOf } from "../emails/language.ts";
import { enqueueMail } from "./outbox.ts";
import type { Job } from "./worker.ts";

interface DueMail {
  kind: EmailProps["day-reminder"]["kind"];
  dedupe_key: string;
  guest_id: string;
  email: string;
  language: string;
  name: string;
  memory: string;
  time_zone: string;
  /** The address of the guest's link. */
  url: string;
  closes_at: Date | null;
  closes_zone: string;
  parts: EmailProps["day-reminder"]["parts"];
}

/** Enqueues the emails about days that are due at `now`. Each is sent once, with a key of the guest in its link. */
export async function remindOfDays(db: Database, now: Date): Promise<void> {
  const { rows } = await db.query<DueMail>("select * from private.due_reply_mails($1)", [now]);
  for (const mail of rows.filter(({ email }) => isMailable(email))) {
    await db.transaction(async (tx) => {
      const key = randomBytes(32).toString("hex");
      await tx.query("insert into private.guest_keys (hash, guest_id) values ($1, $2)", [
        createHash("sha256").update(key).digest("hex"),
        mail.guest_id,
      ]);
      await enqueueMail(tx, {
        template: "day-reminder",
        language: languageOf(mail.language, undefined),
        to: mail.email,
        props: {
          kind: mail.kind,
          name: mail.name,
          memory: mail.memory,
          parts: mail.parts,
          closes: mail.closes_at && { at: mail.closes_at.toISOString(), timeZone: mail.closes_zone },
          url: `${mail.url}#guest=${key}`,
        },
        dedupeKey: mail.dedupe_key,
      });
    });
  }
}

/** Reminds guests who left an address of days, and tells them of places. */
export const replyRemindersJob = ({ db }: { db: Database }): Job => ({
  name: "reply-reminders",
  interval: 600_000,
  async run() {
    await remindOfDays(db, new Date());
  },
});
