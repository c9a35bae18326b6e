import type { Who, World } from "../support/world.ts";
import { saleStatements } from "./sale-statements.ts";
import { signedStatements } from "./signed-statements.ts";
import type { Statement, Verbs } from "./statement.ts";

/** One statement for each table and verb that reaches for one of Ada's rows, or for a new one beside them. */
export function statements(world: World, who: Who) {
  const {
    ada,
    bob,
    people,
    albumId,
    deletedAlbumId,
    guestId,
    invitationId,
    hash,
    memoryId,
    linkId,
    openLinkId,
    objectId,
    bareObjectId,
    orphanId,
    entryId,
    blockId,
    reportId,
  } = world;
  const photo = `${memoryId}/${crypto.randomUUID()}.jpg`;
  // Only the service may say whose a new memory is; everybody else adds their own.
  const newMemory: Statement =
    who === "service"
      ? ["insert into memories (person_name, user_id) values ('New', $1)", [ada]]
      : who === "owner"
        ? ["insert into memories (person_name) values ('New')", []]
        : ["insert into memories (person_name, user_id) values ('New', $1)", [ada]];
  const all: Record<string, Verbs> = {
    ...signedStatements(world, who),
    ...saleStatements(world, who),
    "public.audit_log": {
      select: ["select id from audit_log limit 1", []],
      insert: ["insert into audit_log (role, action, subject) values ('admin', 'vouchers.update', 'X')", []],
      update: ["update audit_log set subject = 'X'", []],
      delete: ["delete from audit_log", []],
    },
    "public.staff_notes": {
      select: ["select id from staff_notes where user_id = $1", [ada]],
      insert: ["insert into staff_notes (user_id, body) values ($1, 'Called')", [ada]],
      update: ["update staff_notes set body = 'X' where user_id = $1", [ada]],
      delete: ["delete from staff_notes where user_id = $1", [ada]],
    },
    "public.profiles": {
      select: ["select id from profiles where id = $1", [ada]],
      insert: ["insert into profiles (id) values ($1)", [orphanId]],
      update: ["update profiles set full_name = 'X' where id = $1", [ada]],
      delete: ["delete from profiles where id = $1", [ada]],
    },
    "public.memories": {
      select: ["select id from memories where id = $1", [memoryId]],
      insert: newMemory,
      update: ["update memories set person_name = 'X' where id = $1", [memoryId]],
      delete: ["delete from memories where id = $1", [memoryId]],
    },
    "public.media": {
      select: ["select id from media where id = $1", [objectId]],
      insert: [
        `insert into media (id, memory_id, type, size, object_name)
         values ($1, $2, 'image', 1, 'x/y.jpg')`,
        [bareObjectId, memoryId],
      ],
      update: ["update media set caption = 'X' where id = $1", [objectId]],
      delete: ["delete from media where id = $1", [objectId]],
    },
    "public.media_details": {
      select: ["select file_name from media_details where media_id = $1", [objectId]],
      insert: [
        `insert into media_details (media_id, memory_id) values ($1, $2)
         on conflict (media_id) do update set file_name = 'X.jpg'`,
        [objectId, memoryId],
      ],
      update: ["update media_details set file_name = 'X.jpg' where media_id = $1", [objectId]],
      delete: ["delete from media_details where media_id = $1", [objectId]],
    },
    "public.guests": {
      select: ["select id from guests where id = $1", [guestId]],
      insert: ["insert into guests (link_id, name) values ($1, 'X')", [linkId]],
      update: ["update guests set name = 'X' where id = $1", [guestId]],
      delete: ["delete from guests where id = $1", [guestId]],
    },
    "public.memory_entries": {
      select: ["select id from memory_entries where id = $1", [entryId]],
      insert: ["insert into memory_entries (memory_id, title) values ($1, 'New')", [memoryId]],
      update: ["update memory_entries set title = 'X' where id = $1", [entryId]],
      delete: ["delete from memory_entries where id = $1", [entryId]],
    },
    "public.memory_members": {
      select: ["select role from memory_members where memory_id = $1 and user_id = $2", [memoryId, people.viewer]],
      insert: ["insert into memory_members (memory_id, user_id, role) values ($1, $2, 'viewer')", [memoryId, bob]],
      update: ["update memory_members set role = 'co-owner' where user_id = $1", [people.viewer]],
      delete: ["delete from memory_members where user_id = $1", [people.viewer]],
    },
    "public.albums": {
      select: ["select id from albums where id = $1", [albumId]],
      insert:
        who === "service"
          ? ["insert into albums (name, user_id) values ('New', $1)", [ada]]
          : ["insert into albums (name) values ('New')", []],
      update: ["update albums set name = 'X' where id = $1", [albumId]],
      delete: ["delete from albums where id = $1", [albumId]],
    },
    "public.trash": {
      select: ["select id from trash where id = $1", [deletedAlbumId]],
      insert: ["insert into trash (kind, id, deleted_by) values ('album', $1, $2)", [albumId, ada]],
      update: ["update trash set deleted_at = now() where id = $1", [deletedAlbumId]],
      delete: ["delete from trash where id = $1", [deletedAlbumId]],
    },
    "public.invitations": {
      select: ["select id from invitations where id = $1", [invitationId]],
      insert: ["insert into invitations (memory_id, email, role) values ($1, 'x@example.com', 'viewer')", [memoryId]],
      update: [
        who === "service"
          ? "update invitations set state = 'withdrawn', settled_at = now() where id = $1"
          : "update invitations set state = 'withdrawn' where id = $1",
        [invitationId],
      ],
      delete: ["delete from invitations where id = $1", [invitationId]],
    },
    "public.handovers": {
      select: ["select memory_id from handovers where memory_id = $1", [memoryId]],
      insert: [
        "insert into handovers (memory_id, to_user) values ($1, $2) on conflict do nothing",
        [memoryId, people.contributor],
      ],
      update: ["update handovers set created_at = now() where memory_id = $1", [memoryId]],
      delete: ["delete from handovers where memory_id = $1", [memoryId]],
    },
    "public.notices": {
      select: ["select id from notices where user_id = $1", [ada]],
      insert: ["insert into notices (user_id, memory_id, kind) values ($1, $2, 'comment')", [ada, memoryId]],
      update: ["update notices set read_at = now() where user_id = $1", [ada]],
      delete: ["delete from notices where user_id = $1", [ada]],
    },
    "public.notice_settings": {
      select: ["select mail from notice_settings where user_id = $1", [ada]],
      insert: [
        "insert into notice_settings (user_id, mail) values ($1, 'never') on conflict (user_id) do update set mail = 'never'",
        [ada],
      ],
      update: ["update notice_settings set mail = 'never' where user_id = $1", [ada]],
      delete: ["delete from notice_settings where user_id = $1", [ada]],
    },
    "public.notice_preferences": {
      select: ["select mail from notice_preferences where user_id = $1", [ada]],
      insert: [
        `insert into notice_preferences (user_id, memory_id, mail) values ($1, $2, 'never')
         on conflict (user_id, memory_id) do update set mail = 'never'`,
        [ada, memoryId],
      ],
      update: ["update notice_preferences set mail = 'never' where user_id = $1", [ada]],
      delete: ["delete from notice_preferences where user_id = $1", [ada]],
    },
    "public.memory_reminders": {
      select: ["select occasion from memory_reminders where memory_id = $1", [memoryId]],
      insert: ["insert into memory_reminders (memory_id, occasion) values ($1, 'passing')", [memoryId]],
      update: ["update memory_reminders set occasion = 'event' where memory_id = $1", [memoryId]],
      delete: ["delete from memory_reminders where memory_id = $1", [memoryId]],
    },
    "public.share_links": {
      select: ["select id from share_links where id = $1", [linkId]],
      insert: ["insert into share_links (memory_id) values ($1)", [memoryId]],
      update: ["update share_links set label = 'X' where id = $1", [linkId]],
      // The first one can not be deleted.
      delete: ["delete from share_links where id = $1", [openLinkId]],
    },
    "public.memory_blocks": {
      select: ["select id from memory_blocks where id = $1", [blockId]],
      insert: ["insert into memory_blocks (memory_id, user_id) values ($1, $2)", [memoryId, bob]],
      update: ["update memory_blocks set name = 'X' where id = $1", [blockId]],
      delete: ["delete from memory_blocks where id = $1", [blockId]],
    },
    "public.memory_withdrawals": {
      select: ["select id from memory_withdrawals where memory_id = $1", [memoryId]],
      insert: ["insert into memory_withdrawals (memory_id, kind, ids) values ($1, 'media', '{}')", [memoryId]],
      update: ["update memory_withdrawals set ids = '{}' where memory_id = $1", [memoryId]],
      delete: ["delete from memory_withdrawals where memory_id = $1", [memoryId]],
    },
    "public.reports": {
      select: ["select id from reports where id = $1", [reportId]],
      insert: ["insert into reports (memory_id, kind, item_id, reason) values ($1, 'memory', $1, 'other')", [memoryId]],
      update: ["update reports set outcome = 'acted' where id = $1", [reportId]],
      delete: ["delete from reports where id = $1", [reportId]],
    },
    "public.contact_messages": {
      select: ["select id from contact_messages limit 1", []],
      insert: [
        "insert into contact_messages (name, email, subject, message) values ('X', 'x@example.com', 'X', '<p>X</p>')",
        [],
      ],
      update: ["update contact_messages set name = 'X'", []],
      delete: ["delete from contact_messages", []],
    },
    "public.blog_posts": {
      select: ["select id from blog_posts where slug = 'a-box-of-slides' and language = 'en'", []],
      insert: [
        "insert into blog_posts (slug, language, title, summary, body, author) values ('x', 'en', 'X', 'X', '', 'X')",
        [],
      ],
      update: ["update blog_posts set title = 'X' where slug = 'a-box-of-slides' and language = 'en'", []],
      delete: ["delete from blog_posts where slug = 'a-box-of-slides' and language = 'en'", []],
    },
    "public.link_versions": {
      select: ["select version from link_versions where link_id = $1", [linkId]],
      insert: [
        "insert into link_versions (link_id, version) values ($1, 9) on conflict (link_id) do update set version = 9",
        [linkId],
      ],
      update: ["update link_versions set version = 9 where link_id = $1", [linkId]],
      delete: ["delete from link_versions where link_id = $1", [linkId]],
    },
    "public.share_openings": {
      select: ["select id from share_openings where link_id = $1", [linkId]],
      insert: ["insert into share_openings (link_id) values ($1)", [linkId]],
      update: ["update share_openings set times = 0 where link_id = $1", [linkId]],
      delete: ["delete from share_openings where link_id = $1", [linkId]],
    },
    "public.share_pins": {
      select: ["select link_id from share_pins where link_id = $1", [linkId]],
      insert: ["insert into share_pins (link_id, hash) values ($1, $2)", [openLinkId, hash]],
      update: ["update share_pins set hash = $2 where link_id = $1", [linkId, hash]],
      delete: ["delete from share_pins where link_id = $1", [linkId]],
    },
    "public.email_preferences": {
      select: ["select email from email_preferences where email = $1", [`${ada}@example.com`]],
      // An address has one row only, and may set it whether or not it is there.
      insert: [
        `insert into email_preferences (email, unsubscribed) values ($1, true)
         on conflict (email) do update set unsubscribed = true`,
        [`${ada}@example.com`],
      ],
      update: ["update email_preferences set unsubscribed = true where email = $1", [`${ada}@example.com`]],
      delete: ["delete from email_preferences where email = $1", [`${ada}@example.com`]],
    },
    "storage.objects": {
      select: ["select id from storage.objects where id = $1", [objectId]],
      insert: [
        `insert into storage.objects (bucket_id, name, version, metadata)
         values ('media', $1, gen_random_uuid()::text, '{"mimetype": "image/jpeg", "size": 1}')`,
        [photo],
      ],
      update: ["update storage.objects set last_accessed_at = now() where id = $1", [objectId]],
      delete: ["delete from storage.objects where id = $1", [objectId]],
    },
    "storage.buckets": {
      select: ["select id from storage.buckets where id = 'spare'", []],
      insert: ["insert into storage.buckets (id, name) values ('new', 'new')", []],
      update: ["update storage.buckets set public = true where id = 'spare'", []],
      delete: ["delete from storage.buckets where id = 'spare'", []],
    },
  };
  return all;
}
