import { randomUUID } from "node:crypto";
import type { ExportedAccount } from "../../shared/account-export.ts";

interface Importing {
  account: ExportedAccount;
  owner: string;
  idOf(old: string): string;
  storedIds: ReadonlySet<string>;
}

/** Writes questions about photos with their answers. They come back withdrawn and without a link. */
export async function writeLetters(
  write: (statement: string, rows: object[]) => Promise<void>,
  { account, owner, idOf, storedIds }: Importing,
): Promise<void> {
  const isHere = (mediaId: string) => storedIds.has(idOf(mediaId));
  const letters = account.memories.flatMap((memory) =>
    (memory.letters ?? []).map((letter) => ({
      ...letter,
      id: randomUUID(),
      memory_id: idOf(memory.id),
      asker_id: owner,
      media_ids: letter.media_ids.filter(isHere).map(idOf),
      answers: letter.answers.filter(({ media_id }) => isHere(media_id)),
    })),
  );
  const written = letters.filter(({ media_ids }) => media_ids.length > 0);
  await write(
    `insert into photo_letters (id, memory_id, asker_id, recipient, note, media_ids, created_at, expires_at, withdrawn_at)
     select l.id, l.memory_id, l.asker_id, l.recipient, l.note, l.media_ids, l.created_at, l.expires_at, now()
     from jsonb_populate_recordset(null::photo_letters, $1) l`,
    written.map(({ answers: _, ...letter }) => letter),
  );
  await write(
    `insert into photo_answers (letter_id, memory_id, media_id, about, answer, state, created_at, updated_at)
     select a.letter_id, a.memory_id, a.media_id, a.about, a.answer, a.state, a.created_at, a.updated_at
     from jsonb_populate_recordset(null::photo_answers, $1) a`,
    written.flatMap(({ id, memory_id, answers }) =>
      answers.map((answer) => ({ ...answer, letter_id: id, memory_id, media_id: idOf(answer.media_id) })),
    ),
  );
}
