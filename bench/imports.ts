import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "../server/database/connect.ts";
import type { Database } from "../server/database/database.ts";
import { migrate, migrationSets } from "../server/database/migrate.ts";
import { importAccount } from "../server/downloads/import-account.ts";
import { openFiles } from "../server/files/files.ts";
import { exportedAccount, exportedComment, exportedMemory } from "../tests/support/exported-account.ts";
import { interleave, judge, timed } from "./measure.ts";

const root = new URL("..", import.meta.url).pathname;
const COMMENTS = 60_000;
const ROUNDS = 3;
const EMAIL = "ada@example.com";

/** Compares the import of an account with as many bare rows that have the same indexes. */
export async function bench() {
  const dataDir = await mkdtemp(join(tmpdir(), "skies-bench-"));
  const db = await connect({ dataDir });
  const files = await openFiles(join(dataDir, "storage"));
  try {
    await migrate(db, migrationSets(root));
    await db.exec(`
      select realtime.watch_publication();
      insert into auth.users (id, email) values (gen_random_uuid(), '${EMAIL}');
      create table bare_comments (like comments including all);
      create table bare_credits (like comment_credits including all)`);
    const first = randomUUID();
    const comments = Array.from({ length: COMMENTS }, (_, n) =>
      exportedComment({ id: n === 0 ? first : randomUUID(), parent_id: n > 0 && n % 2 === 0 ? first : null }),
    );
    const text = JSON.stringify(exportedAccount(exportedMemory({ comments })));
    const medians = await interleave(
      {
        product: timed(async () => {
          // The free plan has one memory.
          await db.exec("delete from memories");
          await importAccount({ db, files }, EMAIL, { text, open: () => undefined });
        }),
        floor: timed(() => writeBareRows(db, comments)),
      },
      ROUNDS,
    );
    console.log(`\nAn account with ${COMMENTS.toLocaleString("en")} comments`);
    judge("importing it, beside bare rows", medians, 1 / 8);
  } finally {
    files.close();
    await db.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function writeBareRows(db: Database, comments: ReturnType<typeof exportedComment>[]) {
  const rows = JSON.stringify(comments.map((comment) => ({ ...comment, memory_id: comments[0]?.id })));
  await db.transaction(async (tx) => {
    await tx.exec("truncate bare_comments, bare_credits");
    await tx.query(
      `insert into bare_comments (id, memory_id, media_id, parent_id, body, mentions, moderation, created_at)
       select id, memory_id, media_id, parent_id, body, '{}', moderation, created_at from jsonb_populate_recordset(null::comments, $1)`,
      [rows],
    );
    await tx.query(
      `insert into bare_credits (comment_id, memory_id, name)
       select id, memory_id, 'Bob' from jsonb_to_recordset($1) as c (id uuid, memory_id uuid)`,
      [rows],
    );
  });
}
