import { createHash } from "node:crypto";
import sharp, { type Sharp } from "sharp";
import { type MemoryDays, skyOf } from "../../shared/memory-sky.ts";
import { asCaller, type Caller } from "../database/as-caller.ts";
import type { Database } from "../database/database.ts";
import type { Files } from "../files/files.ts";
import { skySvg } from "./sky-svg.ts";

/** In pixels: sharp enough for a phone, small enough for a letter. */
const WIDTH = 600;
const HEIGHT = 380;

/** Makes the pictures at the heads of letters, as JPEG files: what the reader of the letter may see, else nothing. */
export interface MemoryPictures {
  /** The cover of a memory, or its sky, as somebody sees it; undefined where they do not. */
  seenBy(reader: Caller, memoryId: string): Promise<Buffer | undefined>;
  /** The same by the first link in a letter that opens for its reader without a PIN. */
  openedBy(html: string, site: string): Promise<Buffer | undefined>;
}

interface Row extends MemoryDays {
  id: string;
  created_at: string;
  cover_x: number;
  cover_y: number;
  /** The stored picture that is its cover, or the poster of the video that is. */
  object: string | null;
}

// As the reader: without a right to the memory there is no row, and without one to its cover no object.
const READ = `
  select m.id, m.kind, m.birth_date, m.passing_date, m.event_date, to_json(m.created_at) #>> '{}' as created_at, m.cover_x, m.cover_y,
    (select o.id from media c join storage.objects o
       on case c.type when 'image' then o.id = c.id else o.bucket_id = 'posters' and o.name = c.poster_name end
     where c.memory_id = m.id and c.is_cover and c.moderation = 'shown' limit 1) as object
  from memories m where m.id = $1`;

export function memoryPictures({ db, files }: { db: Database; files: Files }): MemoryPictures {
  const seenBy: MemoryPictures["seenBy"] = async (reader, memoryId) => {
    const { rows } = await asCaller(db, reader, (tx) => tx.query<Row>(READ, [memoryId]));
    const [memory] = rows;
    return memory && ((await coverOf(memory)) ?? jpeg(sharp(Buffer.from(skySvg(skyOf(memory), WIDTH, HEIGHT)))));
  };

  /** Undefined where there is none, and where its file can not be read: no letter waits for its picture. */
  async function coverOf({ object, cover_x, cover_y }: Row): Promise<Buffer | undefined> {
    if (object === null) return undefined;
    const { rows } = await db.query<{ bucket: string; version: string }>(
      "select bucket_id as bucket, version from storage.objects where id = $1",
      [object],
    );
    try {
      // A copy is upright and tells nothing of its place or camera.
      const copy = rows[0] && (await files.renditions.file(rows[0], 960));
      return copy && (await cropped(copy.path, cover_x, cover_y));
    } catch {
      return undefined;
    }
  }

  return {
    seenBy,
    async openedBy(html, site) {
      const found = new RegExp(`${escaped(site)}/shared/(\\w{22})(?:#invitation=([0-9a-f]{64}))?"`).exec(html);
      if (!found) return undefined;
      const [, shareId, token] = found;
      const { rows } = await db.query<{ id: string; version: number; memory_id: string }>(
        `select l.id, l.version, l.memory_id from share_links l where l.share_id = $1 and l.memory_id is not null
           and case when l.invitation_id is null then l.asks is null else private.is_invited(l.id, $2) end`,
        [
          shareId,
          createHash("sha256")
            .update(token ?? "")
            .digest("hex"),
        ],
      );
      const [link] = rows;
      if (!link) return undefined;
      const share = { link: link.id, version: link.version };
      return seenBy({ role: "anon", aud: "anon", share }, link.memory_id);
    },
  };
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The picture in the letter's shape, with its focal point where the web app shows it. */
async function cropped(path: string, x: number, y: number): Promise<Buffer> {
  const { width = WIDTH, height = HEIGHT } = await sharp(path).metadata();
  const scale = Math.max(WIDTH / width, HEIGHT / height);
  const size = {
    width: Math.max(WIDTH, Math.round(width * scale)),
    height: Math.max(HEIGHT, Math.round(height * scale)),
  };
  return jpeg(
    sharp(path)
      .resize({ ...size, fit: "fill" })
      .extract({
        left: Math.round((size.width - WIDTH) * x),
        top: Math.round((size.height - HEIGHT) * y),
        width: WIDTH,
        height: HEIGHT,
      }),
  );
}

const jpeg = (picture: Sharp) =>
  picture.flatten({ background: "#fffdf9" }).jpeg({ quality: 72, mozjpeg: true }).toBuffer();
