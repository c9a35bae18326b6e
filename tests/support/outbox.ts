import { randomUUID } from "node:crypto";
import { vi } from "vitest";
import type { Database } from "../../server/database/database.ts";
import { enqueueMail, type QueuedMail } from "../../server/jobs/outbox.ts";
import type { Gateways } from "../../server/jobs/outbox-delivery.ts";
import { type OutboxDeps, sendDue } from "../../server/jobs/outbox-job.ts";
import { never } from "./jobs.ts";

/** The columns that tests check. */
export interface OutboxRow {
  id: string;
  state: string;
  attempts: number;
  next_attempt_at: Date;
  last_error: string | null;
  bcc: string | null;
  props: object;
}

/** Runs a database's outbox by hand, with a clock that the test sets. */
export function handOutbox(db: Database, gateways: Gateways) {
  // A second ahead, because the database's clock may be slightly behind this process's.
  let ahead = 1000;
  const clock = () => new Date(Date.now() + ahead);
  const log = { warn: vi.fn(), error: vi.fn() };
  const deps: OutboxDeps = { db, gateways, log, clock };
  return {
    deps,
    log,
    clock,
    /** Sends everything that is due, by these gateways or others. */
    send: (others: Gateways = gateways) => sendDue({ ...deps, gateways: others }, never),
    pass(seconds: number) {
      ahead += seconds * 1000;
    },
    /** Enqueues a welcome email, or another message. */
    enqueueWelcome: (to: string, more: Partial<QueuedMail<"welcome">> = {}) =>
      db.transaction((tx) =>
        enqueueMail(tx, {
          template: "welcome",
          language: "en",
          props: { name: "Ada", startUrl: "https://x.example" },
          to,
          ...more,
        }),
      ),
    /** The newest row. */
    async row(): Promise<OutboxRow | undefined> {
      const { rows } = await db.query<OutboxRow>(
        `select id, state, attempts, last_error, bcc, props, next_attempt_at
         from private.outbox order by created_at desc limit 1`,
      );
      return rows[0];
    },
  };
}

/** An unused address, by default one that accepts. */
export const address = (name = "ada") => `${name}@${randomUUID()}.example`;
