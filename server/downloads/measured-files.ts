import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { editKey } from "../../shared/edit-key.ts";
import { type Database, queryWhileMoving } from "../database/database.ts";
import type { Files } from "../files/files.ts";
import { MissingBytesError } from "../files/object-store.ts";
import { UnreadablePictureError } from "../files/pictures/pictures.ts";
import { UnreadableVideoError } from "../files/videos/video-error.ts";
import { queue } from "../threads/queue.ts";
import type { StoredFile } from "./contents.ts";
import { type FileForm, type Form, openForm } from "./file-forms.ts";

/** The fields that an archive contains before a file's bytes. */
export interface MeasuredFile {
  type: string;
  /** Bytes. */
  size: number;
  /** Unsigned. */
  crc32: number;
  /** Hex. */
  sha256: string;
}

export interface FileToMeasure extends FileForm {
  object: StoredFile;
}

/** How many files are measured in parallel; making copies has its own queue. */
const AT_ONCE = 4;

/** Measured files by object and form; null if the form cannot be made. */
export class Measured {
  readonly #files = new Map<string, MeasuredFile | null>();

  set(of: FileForm, file: MeasuredFile | null): void {
    this.#files.set(keyOf(of), file);
  }
  has = (of: FileForm): boolean => this.#files.has(keyOf(of));
  get = (of: FileForm): MeasuredFile | null => this.#files.get(keyOf(of)) ?? null;
}

const keyOf = (file: FileForm) => `${file.object.id} ${versionOf(file)} ${file.form}`;

/** The version of a form's bytes: of a copy of an edited picture, also the edit. */
const versionOf = ({ object, form }: FileForm) =>
  form === "original" || !object.edit ? object.version : `${object.version} ${editKey(object.edit)}`;

/**
 * Measures files, or returns earlier measurements. Starts none after `until` (milliseconds since the epoch), so that
 * the caller can report progress. The next call continues.
 */
export async function measureFiles(
  { db, files }: { db: Database; files: Files },
  toMeasure: FileToMeasure[],
  until: number,
): Promise<Measured> {
  const measured = await knownFiles(db, toMeasure);
  const line = queue(AT_ONCE);
  await Promise.all(
    toMeasure
      .filter((file) => !measured.has(file))
      .map((file) =>
        line.run(async () => {
          if (Date.now() > until || measured.has(file)) return;
          const measurement = await measure(files, file);
          if (measurement !== undefined) await remember(db, file, measurement);
          measured.set(file, measurement ?? null);
        }),
      ),
  );
  return measured;
}

async function knownFiles(db: Database, files: FileToMeasure[]): Promise<Measured> {
  const measured = new Measured();
  const unmeasured = new Map<string, FileToMeasure>();
  for (const file of files) {
    const { type, size, crc32, sha256 } = file.object;
    if (file.form === "original" && crc32 !== null && sha256 !== null)
      measured.set(file, { type, size, crc32, sha256 });
    else unmeasured.set(`${file.object.id} ${file.form}`, file);
  }
  if (unmeasured.size === 0) return measured;
  type Row = { object_id: string; form: Form; version: string; type: string } & { size: number | null } & Pick<
      MeasuredFile,
      "crc32" | "sha256"
    >;
  const { rows } = await db.query<Row>(
    "select object_id, form, version, type, size, crc32, sha256 from private.measured_files where object_id = any ($1)",
    [[...new Set([...unmeasured.values()].map(({ object }) => object.id))]],
  );
  for (const { object_id, form, version, type, size, crc32, sha256 } of rows) {
    const file = unmeasured.get(`${object_id} ${form}`);
    if (!file || versionOf(file) !== version) continue;
    measured.set(file, size === null ? null : { type, size, crc32, sha256 });
  }
  return measured;
}

/** Measures a form; null if it cannot be made, undefined if its bytes are missing, which may be temporary. */
async function measure(files: Files, file: FileToMeasure): Promise<MeasuredFile | null | undefined> {
  try {
    const { type, read } = await openForm(files, file);
    const hash = createHash("sha256");
    let [size, sum] = [0, 0];
    for await (const chunk of await read()) {
      hash.update(chunk);
      sum = crc32(chunk, sum);
      size += chunk.length;
    }
    return { type, size, crc32: sum, sha256: hash.digest("hex") };
  } catch (error) {
    if (error instanceof UnreadablePictureError || error instanceof UnreadableVideoError) return null;
    if (error instanceof MissingBytesError) return undefined;
    throw error;
  }
}

async function remember(db: Database, measured: FileToMeasure, file: MeasuredFile | null): Promise<void> {
  const { object, form } = measured;
  await queryWhileMoving(
    db,
    `insert into private.measured_files (object_id, form, version, type, size, crc32, sha256)
     select $1, $2, $3, $4, $5, $6, $7 where exists (select from storage.objects where id = $1)
     on conflict (object_id, form) do update set version = excluded.version, type = excluded.type, size = excluded.size,
       crc32 = excluded.crc32, sha256 = excluded.sha256`,
    [
      object.id,
      form,
      versionOf(measured),
      file?.type ?? "",
      file?.size ?? null,
      file?.crc32 ?? null,
      file?.sha256 ?? null,
    ],
  );
}

/** Deletes the measurement of a form whose bytes have changed, e.g. after a restore. */
export const forgetFile = (db: Database, { object, form }: FileForm) =>
  db.query("delete from private.measured_files where object_id = $1 and form = $2", [object.id, form]);
