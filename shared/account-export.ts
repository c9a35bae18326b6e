import { z } from "zod";
import { isEdit, type PhotoEdit } from "./photo-edit.ts";

/** Value of the field `format` in an account export's `account.json`. */
export const ACCOUNT_FORMAT = "skies-account";

const when = z.string();
const givenId = z.string().nullable();
const moderation = z.enum(["shown", "held", "hidden", "attached"]);
/** The author of an item: the account's owner (`mine`), or another person by name. */
const author = z.object({ mine: z.boolean(), name: z.string() });
const file = z.object({
  /** Path relative to the folder of `account.json`. */
  path: z.string().regex(/^\P{Cc}{1,300}$/u),
  /** Metadata of the storage object, e.g. type, length and SHA-256. */
  metadata: z.looseObject({
    mimetype: z.string(),
    // A negative size would hide the bytes of other files from the limits.
    size: z.int().min(0),
    sha256: z.string().optional(),
    cacheControl: z.string().optional(),
  }),
  /** Metadata of the upload, e.g. the original file name. */
  user_metadata: z.looseObject({}),
});
/** A share link without its address. The import creates a new address, which nobody knows yet. */
const link = z.object({
  label: z.string(),
  rights: z.string(),
  expires_at: givenId,
  allows_download: z.boolean(),
  moderated: z.boolean(),
  shows_names: z.boolean(),
  /** Absent in exports of earlier versions. */
  preview: z.enum(["nothing", "name", "cover"]).optional(),
  is_first: z.boolean(),
  created_at: when,
});

/** What a part of a day has beside other entries. Accounts that were exported before days have none. */
const dayFacts = z.object({
  id: z.guid(),
  part: givenId,
  time_zone: givenId,
  doors_at: givenId,
  ends_at: givenId,
  address: z.string(),
  map_url: z.string(),
  directions: z.string(),
  parking: z.string(),
  accessibility: z.string(),
  dress: z.string(),
  gifts: z.string(),
  gifts_url: z.string(),
  contact: z.string(),
  audience: z.string(),
  stream_from: givenId,
  stream_url: givenId,
  /** Absent in exports of earlier versions. */
  asks_replies: z.boolean().optional(),
});
/** How people reply to a memory's day. */
const daySettings = z.object({
  closes_at: givenId,
  time_zone: z.string(),
  places: z.number().nullable(),
  waiting_list: z.boolean(),
  questions: z.array(z.looseObject({})),
});
/** The words on printed cards. */
const prints = z.object({
  title: givenId,
  words: givenId,
  hint: givenId,
  place_words: givenId,
  design: z.string(),
  extra_names: z.array(z.string()).max(500),
  left_out: z.array(z.string()).max(1000),
});
/** An order of service. */
const service = z.object({ heading: givenId, closing: z.string(), items: z.array(z.looseObject({})).max(60) });
/** A question of the hosts. */
const prompt = z.object({
  id: z.guid(),
  text: z.string(),
  suggestion: givenId,
  position: z.number(),
  created_at: when,
});
const slideshow = z.object({
  title: z.string().trim().min(1).max(120),
  pace: z.int().min(3).max(30),
  shows_captions: z.boolean(),
  music_id: z.guid().nullable(),
  music_is_allowed: z.boolean(),
  created_at: when,
  /** The ids of its photos in their order. */
  photos: z.array(z.guid()).max(300),
});
/** A question about photos to one person, with the answers. Its link is not exported. */
const letter = z.object({
  recipient: z.string().trim().min(1).max(100),
  note: z.string().max(1000),
  media_ids: z.array(z.guid()).min(1).max(10),
  created_at: when,
  expires_at: when,
  answers: z
    .array(
      z.object({
        media_id: z.guid(),
        about: z.enum(["who", "when", "where"]),
        answer: z.string().min(1).max(500),
        state: z.enum(["new", "kept", "accepted", "set_aside"]),
        created_at: when,
        updated_at: when,
      }),
    )
    .max(30),
});
const dayReply = z.object({
  id: z.guid(),
  /** Whether the account's owner gave it. */
  mine: z.boolean(),
  answer: givenId,
  names: z.array(z.string()),
  part_ids: z.array(z.guid()),
  note: z.string(),
  answers: z.record(z.string(), z.array(z.string())),
  most: z.number().nullable(),
  waiting_since: givenId,
  created_at: when,
  updated_at: when,
});
/** A person in photos. Accounts that were exported before people could be named have none. */
const person = z.object({
  id: z.guid(),
  name: z.string().min(1).max(200),
  other_names: z.array(z.string().min(1).max(200)).max(20),
  born_year: z.int().min(1).max(9999).nullable(),
  died_year: z.int().min(1).max(9999).nullable(),
  merged_into: z.guid().nullable(),
  created_at: when,
  /** The memory that is about the person, if it is in the export. */
  own_memory_id: z.guid().nullable(),
});
const fraction = z.number().min(0).max(1);
/** A person's name on a photo. */
const name = z.object({
  person_id: z.guid(),
  point: z.object({ x: fraction, y: fraction }).nullable(),
});
const memory = z.object({
  id: z.guid(),
  kind: z.string(),
  person_name: z.string(),
  description: z.string(),
  birth_date: givenId,
  passing_date: givenId,
  event_date: givenId,
  draft: z.boolean(),
  created_at: when,
  album_id: z.guid().nullable(),
  album_position: z.number(),
  cover_x: z.number(),
  cover_y: z.number(),
  media_order: z.string(),
  media: z.array(
    z.object({
      id: z.guid(),
      caption: z.string(),
      alt_text: z.string(),
      position: z.number().nullable(),
      is_cover: z.boolean(),
      moderation,
      /** The id of the photo to which this video, raw photo or back is attached. */
      motion_of: z.guid().nullable(),
      /** How it is shown. Absent in exports of earlier versions. */
      edit: z.custom<PhotoEdit>(isEdit).nullable().optional(),
      /** Whether it is the back of a print; false if it was one. This and its words are absent in exports of earlier versions. */
      is_back: z.boolean().nullable().optional(),
      back_text: z.string().max(20_000).optional(),
      /** Absent in exports of earlier versions, like that of comments. */
      prompt_id: z.guid().nullable().optional(),
      created_at: when,
      taken_at: givenId,
      taken_source: givenId,
      file_taken_at: givenId,
      file_taken_source: givenId,
      author,
      file,
      poster: file.nullable(),
      names: z.array(name).max(100).optional(),
    }),
  ),
  people: z.array(person).optional(),
  stories: z.array(
    z.object({
      id: z.guid(),
      title: z.string(),
      body: z.string(),
      position: z.number(),
      moderation,
      created_at: when,
      author,
    }),
  ),
  entries: z.array(
    z.object({
      on_date: givenId,
      starts_at: givenId,
      title: z.string(),
      place: z.string(),
      note: z.string(),
      media_id: z.guid().nullable(),
      created_at: when,
      ...dayFacts.partial().shape,
    }),
  ),
  /** Absent in exports of earlier versions. */
  day_reply_settings: daySettings.nullable().optional(),
  day_replies: z.array(dayReply).max(1000).optional(),
  memory_prints: prints.nullable().optional(),
  prompts: z.array(prompt).max(1000).optional(),
  letters: z.array(letter).max(10_000).optional(),
  slideshows: z.array(slideshow).max(50).optional(),
  reveal: z.object({ reveal_at: givenId, time_zone: z.string(), revealed: z.boolean() }).nullable().optional(),
  memory_services: service.nullable().optional(),
  comments: z.array(
    z.object({
      id: z.guid(),
      media_id: z.guid().nullable(),
      parent_id: z.guid().nullable(),
      prompt_id: z.guid().nullable().optional(),
      body: z.string(),
      moderation,
      created_at: when,
      edited_at: givenId,
      deleted_at: givenId,
      author,
    }),
  ),
  reactions: z.array(
    z.object({
      kind: z.string(),
      media_id: z.guid().nullable(),
      comment_id: z.guid().nullable(),
      moderation,
      created_at: when,
      author,
    }),
  ),
  links: z.array(link),
  reminders: z.array(z.string()),
});

/** The content of `account.json`: an account's data for import into another installation. */
export const ExportedAccount = z.object({
  format: z.literal(ACCOUNT_FORMAT),
  version: z.literal(1),
  exported_at: when,
  albums: z.array(
    z.object({
      id: z.guid(),
      name: z.string(),
      position: z.number(),
      cover_media_id: z.guid().nullable(),
      created_at: when,
      links: z.array(link),
    }),
  ),
  memories: z.array(memory),
});
export type ExportedAccount = z.infer<typeof ExportedAccount>;
