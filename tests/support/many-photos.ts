import { randomUUID } from "node:crypto";
import { cp, link, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "../../server/database/database.ts";

/** A stored photo whose bytes and copies are shared. */
interface Sample {
  version: string;
  owner: string;
  metadata: Record<string, unknown>;
  width: number;
  height: number;
  placeholder: string;
  colour: string;
}

/**
 * Fills a memory up to `count` photos by duplicating existing ones: new rows, with hard links to their bytes and
 * copies. `dataDir` is the server's.
 */
export async function multiplyPhotos(db: Database, dataDir: string, memoryId: string, count: number): Promise<void> {
  const { rows: samples } = await db.query<Sample>(
    `select o.version, o.owner, o.metadata, m.width, m.height, m.placeholder, m.colour
     from media m join storage.objects o on o.id = m.id where m.memory_id = $1 and m.state = 'ready'`,
    [memoryId],
  );
  const rows = Array.from({ length: count - samples.length }, (_, index) => {
    const sample = samples[index % samples.length];
    if (!sample) throw new Error("There is no photo to multiply");
    return { ...sample, of: sample.version, id: randomUUID(), version: randomUUID(), at: index };
  });
  for (const row of rows) {
    await copyLinks(join(dataDir, "storage/objects/media"), row.of, row.version);
    await copyLinks(join(dataDir, "storage/renditions"), row.of, row.version);
  }
  // In one transaction. Otherwise the server would see photos without sizes and dates, make copies of them, and read
  // both again.
  await db.transaction(async (tx) => {
    await tx.query(
      `with made as (select * from jsonb_to_recordset($1::jsonb)
         as r (id uuid, version text, owner uuid, metadata jsonb, width int, height int, placeholder text, colour text, at int)),
       stored as (
         insert into storage.objects (id, bucket_id, name, owner, owner_id, version, metadata, user_metadata)
         select id, 'media', $2 || '/' || gen_random_uuid() || '.jpg', owner, owner::text, version, metadata,
           jsonb_build_object('filename', 'IMG_' || lpad(at::text, 4, '0') || '.jpg') from made returning id
       )
       select count(*) from stored`,
      [JSON.stringify(rows), memoryId],
    );
    await tx.query(
      `update media m set width = r.width, height = r.height, placeholder = r.placeholder, colour = r.colour, state = 'ready',
         taken_at = to_char(timestamp '2004-01-01 10:00' + r.at * interval '93 hours', 'YYYY-MM-DD"T"HH24:MI:SS')
       from jsonb_to_recordset($1::jsonb) as r (id uuid, width int, height int, placeholder text, colour text, at int)
       where m.id = r.id`,
      [JSON.stringify(rows)],
    );
  });
}

/** Hard links to a file, or to a folder's files, under another name. */
async function copyLinks(folder: string, from: string, to: string) {
  const files = await readdir(join(folder, from)).catch(() => undefined);
  if (!files) return link(join(folder, from), join(folder, to)).catch(() => cp(join(folder, from), join(folder, to)));
  await mkdir(join(folder, to));
  for (const file of files) await link(join(folder, from, file), join(folder, to, file));
}
