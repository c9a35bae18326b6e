import { createHash } from "node:crypto";
import type { Database } from "../database/database.ts";
import type { MemoryPictures } from "../emails/memory-picture.ts";
import type { Language } from "./posts.ts";

/** What messengers may show of a link. */
export interface LinkPreview {
  /** The name of the memory or album. */
  name: string;
  /** The language of the memory's owner. */
  language: Language;
  /** The path of the picture, without a leading slash; undefined if the cover is not shown. */
  picture: string | undefined;
  /** The same for the icon. */
  icon: string | undefined;
}

export interface LinkPreviews {
  /** Resolves to the preview of a link; undefined if it tells nothing, e.g. because the link has a PIN. */
  find(shareId: string): Promise<LinkPreview | undefined>;
  /** Resolves to the picture as a JPEG of `DRAWN` size; undefined if the link's preview has none. */
  picture(shareId: string): Promise<Buffer | undefined>;
  /** Resolves to the same as a square PNG, for the home screen. */
  icon(shareId: string): Promise<Buffer | undefined>;
}

interface Row {
  link_id: string;
  version: number;
  name: string;
  language: Language;
  memory_id: string | null;
  cover: string | null;
}

const READ = "select * from private.link_preview($1)";
/** About 100 KB each. A group chat requests the same picture many times. */
const MAX_CACHED_PICTURES = 100;

/**
 * Opens the previews of links. The database decides in every request what a link's preview tells. The picture is read as a
 * visitor of the link, so a cover that the link does not open is not shown.
 */
export function openLinkPreviews({ db, pictures }: { db: Database; pictures: MemoryPictures }): LinkPreviews {
  const cache = new Map<string, Promise<Buffer | undefined>>();

  async function read(shareId: string): Promise<Row | undefined> {
    const { rows } = await db.query<Row>(READ, [shareId]);
    return rows[0];
  }

  async function draw(shareId: string, form: "preview" | "icon"): Promise<Buffer | undefined> {
    const row = await read(shareId);
    if (!row || row.memory_id === null) return undefined;
    const key = `${form} ${keyOf(row)}`;
    const cached = cache.get(key);
    if (cached) return cached;
    const share = { link: row.link_id, version: row.version };
    const picture = pictures[form]({ role: "anon", aud: "anon", share }, row.memory_id);
    if (cache.size >= MAX_CACHED_PICTURES) cache.clear();
    cache.set(key, picture);
    picture.then(
      (bytes) => bytes ?? cache.delete(key),
      () => cache.delete(key),
    );
    return picture;
  }

  return {
    async find(shareId) {
      const row = await read(shareId);
      if (!row) return undefined;
      const { name, language } = row;
      const path = (file: string) => (row.memory_id === null ? undefined : `shared/${shareId}/${file}?v=${keyOf(row)}`);
      return { name, language, picture: path("preview.jpg"), icon: path("icon.png") };
    },
    picture: (shareId) => draw(shareId, "preview"),
    icon: (shareId) => draw(shareId, "icon"),
  };
}

/** Changes with the picture, because messengers cache by URL. */
const keyOf = ({ link_id, version, memory_id, cover }: Row) =>
  createHash("sha256").update([link_id, version, memory_id, cover].join(" ")).digest("base64url").slice(0, 16);
