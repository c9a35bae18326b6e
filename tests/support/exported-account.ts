import { createHash, randomUUID } from "node:crypto";
import type { ExportedAccount } from "../../shared/account-export.ts";

const at = "2020-05-04T12:00:00Z";
const author = { mine: false, name: "Bob" };

export type ExportedMemory = ExportedAccount["memories"][number];
export type ExportedComment = ExportedMemory["comments"][number];

/** A memory as in an account's export. */
export const exportedMemory = (parts: Partial<ExportedMemory> = {}): ExportedMemory => ({
  id: randomUUID(),
  kind: "tribute",
  person_name: "Rosa",
  description: "",
  draft: false,
  created_at: at,
  birth_date: null,
  passing_date: null,
  event_date: null,
  album_id: null,
  album_position: 0,
  cover_x: 0.5,
  cover_y: 0.5,
  media_order: "added",
  media: [],
  stories: [],
  entries: [],
  comments: [],
  reactions: [],
  links: [],
  reminders: [],
  ...parts,
});

/** A photo whose file is at `path` in the ZIP file; `size` is what it declares. */
export const exportedPhoto = (path: string, bytes: Buffer, size = bytes.length): ExportedMemory["media"][number] => ({
  id: randomUUID(),
  caption: "",
  alt_text: "",
  position: null,
  is_cover: false,
  moderation: "shown",
  motion_of: null,
  created_at: at,
  taken_at: null,
  taken_source: null,
  file_taken_at: null,
  file_taken_source: null,
  author,
  poster: null,
  file: {
    path,
    metadata: { mimetype: "image/jpeg", size, sha256: createHash("sha256").update(bytes).digest("hex") },
    user_metadata: {},
  },
});

export const exportedComment = (parts: Partial<ExportedComment>): ExportedComment => ({
  id: randomUUID(),
  parent_id: null,
  media_id: null,
  body: "A comment",
  moderation: "shown",
  created_at: at,
  edited_at: null,
  deleted_at: null,
  author,
  ...parts,
});

export const exportedAccount = (...memories: ExportedMemory[]): ExportedAccount => ({
  format: "skies-account",
  version: 1,
  exported_at: at,
  albums: [],
  memories,
});
