import { expect, test } from "vitest";
import { testDatabase } from "../support/database.ts";
import { runUndone } from "../support/undone.ts";
import { makeWorld, WHO } from "../support/world.ts";

/** The columns that people may change in existing rows. Only the service may change the columns that are not listed. */
const CHANGES = `
  affiliates by owner, administrator: state revision
  albums by owner: name cover_media_id position revision
  blog_posts by administrator, editor: slug language title summary body author published_at cover cover_alt revision
  campaigns by administrator: name active revision
  card_deliveries by owner, administrator, fulfilment: address carrier tracking_number tracking_url revision
  cart_items by owner: plan_id product_id quantity additional_cards currency item
  comments by co-owner, owner: body mentions moderation revision
  day_reply_settings by co-owner, owner: closes_at time_zone places waiting_list questions revision
  email_preferences by owner: unsubscribed
  inbox_items by administrator, support: state assignee revision
  invitations by co-owner, owner: role note state sent_at revision language
  media by stranger, co-owner, owner: taken_at caption alt_text revision back_text edit
  memories by stranger, co-owner, owner: kind person_name description birth_date passing_date event_date draft album_id album_position cover_x cover_y media_order revision
  memory_entries by co-owner, owner: on_date starts_at title place note media_id revision part time_zone doors_at ends_at address map_url directions parking accessibility dress gifts gifts_url contact audience stream_from asks_replies
  memory_members by owner: role revision
  memory_services by co-owner, owner: heading closing items revision
  memory_prints by co-owner, owner: title words hint place_words design extra_names left_out revision
  metal_cards by owner, administrator, fulfilment: making name dates finish language memory_id claimed_at blocked revision
  notice_preferences by owner: mail paused_until push
  notice_settings by owner: mail time_zone language paused_until
  notices by viewer, contributor, co-owner, owner: read_at
  media_name_suggestions by contributor, co-owner, owner: settled
  media_names by contributor, co-owner, owner: x y
  photo_answers by co-owner, owner: state
  photo_letters by co-owner, owner: withdrawn_at
  picture_requests by co-owner, owner: state answer
  pictured_people by contributor, co-owner, owner: name other_names born_year died_year merged_into deleted revision
  plan_prices by administrator: plan_id currency amount revision
  product_prices by administrator: product_id currency amount revision
  products by administrator: id name position revision
  profiles by stranger, viewer, contributor, co-owner, owner, administrator, support, fulfilment, editor, aal1-admin: full_name revision
  prompts by co-owner, owner: text suggestion position revision
  quantity_discounts by administrator: product_id min_quantity percentage revision
  reports by administrator: outcome
  reveals by co-owner, owner: reveal_at time_zone revealed revision
  share_links by stranger, co-owner, owner: shared_at label rights expires_at revoked_at allows_download moderated shows_names revision preview
  slideshows by co-owner, owner: title pace shows_captions music_id music_is_allowed revision arranged
  storage.objects by stranger, co-owner, owner: id bucket_id name owner owner_id version metadata user_metadata created_at updated_at last_accessed_at
  stories by co-owner, owner: title body position moderation revision
  subscription_plans by administrator: id name max_memories storage_gb term_years included_cards position revision
  vouchers by administrator: id code percentage starts_at ends_at max_uses max_uses_per_person plan_ids applies_to_cards active note created_at revision
  walls by co-owner, owner: link_id revoked_at expires_at shows_pictures shows_words shows_candles shows_names layout pace is_dark plays_sound is_paused step
`;

/** The columns that people may set in new rows. The permission matrix defines who may add rows at all. */
const ADDITIONS = `
  affiliates by members: user_id
  albums by members: id name cover_media_id position
  blog_posts by members: slug language title summary body author published_at cover cover_alt
  card_deliveries by members: card_id address
  card_secrets by members: card_id hash
  cart_items by members: id user_id plan_id product_id quantity additional_cards currency price item created_at
  comments by members: id memory_id media_id parent_id body mentions prompt_id
  comments by visitors: id memory_id media_id parent_id body mentions prompt_id
  day_reply_settings by members: memory_id closes_at time_zone places waiting_list questions
  email_preferences by members: email unsubscribed
  entry_streams by members: entry_id url
  handovers by members: memory_id to_user
  inbox_entries by members: id item_id kind body
  invitations by members: id memory_id email role note language
  memories by members: id kind person_name description birth_date passing_date event_date draft album_id
  memory_entries by members: id memory_id on_date starts_at title place note media_id part time_zone doors_at ends_at address map_url directions parking accessibility dress gifts gifts_url contact audience stream_from
  memory_services by members: memory_id heading closing items
  memory_prints by members: memory_id title words hint place_words design extra_names left_out
  memory_reminders by members: memory_id occasion
  notice_preferences by members: user_id memory_id mail paused_until push
  notice_settings by members: user_id mail time_zone language paused_until
  payouts by members: affiliate_id currency amount reference paid_at
  media_names by members: media_id person_id memory_id x y
  media_names by visitors: media_id person_id memory_id x y
  pictured_identities by members: person_id memory_id
  pictured_people by members: id memory_id name other_names born_year died_year
  pictured_people by visitors: id memory_id name
  plan_prices by members: plan_id currency amount revision
  product_prices by members: product_id currency amount revision
  products by members: id name position revision
  prompts by members: id memory_id text suggestion
  quantity_discounts by members: product_id min_quantity percentage revision
  reactions by members: id memory_id media_id comment_id kind
  reactions by visitors: id memory_id media_id comment_id kind
  reveals by members: memory_id reveal_at time_zone
  share_links by members: id memory_id album_id label rights expires_at allows_download moderated shows_names preview
  share_pins by members: link_id hash kind sealed
  slideshow_items by members: slideshow_id media_id position
  slideshows by members: id memory_id title pace shows_captions music_id music_is_allowed
  staff_notes by members: id user_id body
  storage.buckets by members: id name owner owner_id public avif_autodetection file_size_limit allowed_mime_types created_at updated_at
  storage.buckets by visitors: id name owner owner_id public avif_autodetection file_size_limit allowed_mime_types created_at updated_at
  storage.objects by members: id bucket_id name owner owner_id version metadata user_metadata path_tokens created_at updated_at last_accessed_at
  storage.objects by visitors: id bucket_id name owner owner_id version metadata user_metadata path_tokens created_at updated_at last_accessed_at
  stories by members: id memory_id title body
  stories by visitors: id memory_id title body
  subscription_plans by members: id name max_memories storage_gb term_years included_cards position revision
  who_questions by members: media_id memory_id x y
  who_questions by visitors: media_id memory_id x y
  vouchers by members: id code percentage starts_at ends_at max_uses max_uses_per_person plan_ids applies_to_cards active note created_at
  walls by members: memory_id link_id
`;

const SCHEMAS = "array['public', 'storage', 'auth', 'private', 'realtime']::regnamespace[]";
const COLUMNS = `pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = any (${SCHEMAS}) and c.relkind in ('r', 'v', 'p')`;
const lines = (table: string) =>
  table
    .split("\n")
    .map((line) => line.trim().replaceAll(/ +/g, " "))
    .filter(Boolean)
    .sort();

const db = await testDatabase();
const world = await makeWorld(db);

test("every column can be changed only by the callers listed here", async () => {
  const { rows } = await db.query<{ table: string; column: string }>(
    // No policy decides about a column that neither role may write, so such columns are not tested.
    `select c.oid::regclass::text as table, a.attname as column from ${COLUMNS}
       and (has_column_privilege('anon', c.oid, a.attnum, 'update') or has_column_privilege('authenticated', c.oid, a.attnum, 'update'))
     order by 1, a.attnum`,
  );
  // Sets a column to its own value, so that only the right to write decides, and no rule about values.
  const statements = rows.map(
    ({ table, column }) =>
      `with changed as (update ${table} set "${column}" = "${column}" returning 1) select nullif(count(*), 0) from changed`,
  );
  const people = rows.map((): string[] => []);
  for (const who of WHO) {
    if (who === "service") continue;
    const changes = await runUndone(db, world.callers[who], statements);
    for (const [at, { answer, refused }] of changes.entries()) if (answer && !refused) people[at]?.push(who);
  }
  const columnsByKey = new Map<string, string[]>();
  for (const [at, { table, column }] of rows.entries()) {
    if (people[at]?.length === 0) continue;
    const key = `${table} by ${people[at]?.join(", ")}`;
    columnsByKey.set(key, [...(columnsByKey.get(key) ?? []), column]);
  }
  expect([...columnsByKey].map(([key, columns]) => `${key}: ${columns.join(" ")}`).sort()).toEqual(lines(CHANGES));
});

test("an insert may set only the columns listed here", async () => {
  const { rows } = await db.query<{ line: string }>(
    `select c.oid::regclass || ' by ' || case role when 'anon' then 'visitors' else 'members' end || ': '
       || string_agg(a.attname, ' ' order by a.attnum) as line
     from unnest(array['anon', 'authenticated']) as role, ${COLUMNS}
       and has_schema_privilege(role, c.relnamespace, 'usage') and has_column_privilege(role, c.oid, a.attnum, 'insert')
     group by c.oid, role`,
  );
  expect(rows.map(({ line }) => line).sort()).toEqual(lines(ADDITIONS));
});
