import type { PhotoEdit } from "../../shared/photo-edit.ts";
import type { Files } from "../files/files.ts";
import { isOfOtherEdit } from "../files/pictures/copies.ts";
import { UnreadablePictureError } from "../files/pictures/pictures.ts";
import type { PictureKey } from "../files/pictures/renditions.ts";
import { outlinePhoto } from "./photo-analysis.ts";
import { type QueueDeps, queueJob } from "./queue.ts";
import type { Job } from "./worker.ts";

interface EditDeps extends QueueDeps {
  files: Files;
}

interface EditedPicture extends PictureKey {
  id: string;
  edit: PhotoEdit | null;
}

/**
 * Makes the gallery's copies, placeholder and colour of pictures that were edited since, and removes the copies of
 * earlier edits. Those of the file itself stay, for the undo.
 */
export function editsJob({ db, files, log }: EditDeps): Job {
  const removeEarlier = async ({ id, version, edit }: EditedPicture) => {
    const { rows } = await db.query<{ is_same: boolean }>(
      "select edit - 'of' is not distinct from $2::jsonb - 'of' as is_same from media where id = $1",
      [id, edit && JSON.stringify(edit)],
    );
    // The next edit may have copies already.
    if (rows[0]?.is_same) await files.copies.removeWhere(version, (name) => isOfOtherEdit(name, edit));
  };
  return queueJob<EditedPicture>(
    { db, files, log },
    {
      kind: "edits",
      pauseSeconds: 60,
      async load(id) {
        const { rows } = await db.query<EditedPicture>(
          `select m.id, m.edit, o.bucket_id as bucket, o.version from media m join storage.objects o on case m.type
             when 'image' then o.id = m.id else o.bucket_id = 'posters' and o.name = m.poster_name end
           where m.id = $1 and m.state <> 'broken'`,
          [id],
        );
        return rows[0];
      },
      async run(picture, { end }) {
        const { placeholder, colour } = await outlinePhoto(files, picture);
        // If it was edited again, this claim has ended.
        const isStored = await end((tx) =>
          tx.query("update media set placeholder = $2, colour = $3 where id = $1", [picture.id, placeholder, colour]),
        );
        if (isStored) await removeEarlier(picture);
        return isStored;
      },
      isFinal: (error) => error instanceof UnreadablePictureError,
      giveUp: () => async () => undefined,
    },
  );
}
