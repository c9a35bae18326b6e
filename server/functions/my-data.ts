import { asCaller } from "../database/as-caller.ts";
import { claimsOf, userJson } from "../supabase/auth/user-json.ts";
import { endpoint } from "./endpoint.ts";

/** A question about photos with the answers that the caller may read. */
const LETTER = `to_jsonb(l) || jsonb_build_object('answers', (select coalesce(jsonb_agg(to_jsonb(a) order by a.created_at), '[]') from photo_answers a where a.letter_id = l.id))`;

/** The stored data of a person, by the names in the export. */
const PARTS = {
  profile: "select to_jsonb(p) as row from profiles p where p.id = auth.uid()",
  picture: `
    select jsonb_build_object('type', o.metadata ->> 'mimetype', 'size', o.metadata -> 'size', 'changed_at', o.updated_at) as row
    from storage.objects o where o.bucket_id = 'avatars' and o.name = private.picture_name(auth.uid())`,
  email_preferences: "select to_jsonb(e) as row from email_preferences e where e.email = private.own_address()",
  written_to: "select to_jsonb(address) as row from private.addresses_written_to() address",
  devices: "select to_jsonb(s) as row from my_sessions() s",
  subscriptions:
    "select to_jsonb(s) as row from user_subscriptions s where s.user_id = auth.uid() order by s.created_at",
  cart: "select to_jsonb(c) as row from cart_items c where c.user_id = auth.uid() order by c.created_at",
  orders: `
    select to_jsonb(o) || jsonb_build_object('items', (select coalesce(jsonb_agg(to_jsonb(i) order by i.position), '[]')
      from order_items i where i.order_id = o.id)) as row
    from orders o where o.user_id = auth.uid() order by o.created_at`,
  voucher_uses: "select to_jsonb(v) as row from voucher_uses v where v.user_id = auth.uid() order by v.used_at",
  affiliate: `
    select to_jsonb(a) || jsonb_build_object(
      'clicks', (select coalesce(jsonb_agg(jsonb_build_object('day', k.day, 'clicks', k.clicks) order by k.day), '[]')
        from affiliate_clicks k where k.affiliate_id = a.id),
      'commissions', (select coalesce(jsonb_agg(jsonb_build_object('currency', c.currency, 'base', c.base, 'amount', c.amount,
          'reversed', c.reversed, 'earned_at', c.earned_at, 'payable_at', c.payable_at) order by c.earned_at), '[]')
        from commissions c where c.affiliate_id = a.id),
      'payouts', (select coalesce(jsonb_agg(jsonb_build_object('currency', p.currency, 'amount', p.amount,
          'reference', p.reference, 'paid_at', p.paid_at) order by p.paid_at), '[]')
        from payouts p where p.affiliate_id = a.id)) as row
    from affiliates a where a.user_id = auth.uid()`,
  memberships: "select to_jsonb(p) as row from memory_members p where p.user_id = auth.uid() order by p.created_at",
  links_opened: `
    select jsonb_build_object('opened_at', o.opened_at, 'times', o.times, 'device', o.device) as row
    from share_openings o where o.user_id = auth.uid() order by o.opened_at`,
  albums: "select to_jsonb(a) as row from albums a where a.user_id = auth.uid() order by a.created_at",
  stories: `
    select to_jsonb(s) || jsonb_build_object('author_name', (select n.name from story_credits n where n.story_id = s.id)) as row
    from stories s where s.user_id = auth.uid() order by s.created_at`,
  recently_deleted: `
    select jsonb_build_object('kind', t.kind, 'id', t.id, 'memory_id', t.memory_id, 'deleted_at', t.deleted_at) as row
    from trash t where t.deleted_by = auth.uid() order by t.deleted_at`,
  invitations: "select to_jsonb(i) as row from my_invitations() i",
  invitations_sent:
    "select to_jsonb(i) as row from invitations i where i.invited_by = auth.uid() order by i.created_at",
  memories_offered: "select to_jsonb(h) as row from handovers h where h.to_user = auth.uid()",
  comments: `
    select to_jsonb(c) || jsonb_build_object('author_name', n.name, 'body', coalesce(n.words, c.body)) as row
    from comments c left join comment_credits n on n.comment_id = c.id where c.user_id = auth.uid() order by c.created_at`,
  reactions: `
    select to_jsonb(r) || jsonb_build_object('name', (select n.name from reaction_credits n where n.reaction_id = r.id)) as row
    from reactions r where r.user_id = auth.uid() order by r.created_at`,
  blocks_made: "select to_jsonb(b) as row from memory_blocks b where b.blocked_by = auth.uid() order by b.created_at",
  reports: `
    select jsonb_build_object('id', r.id, 'memory_id', r.memory_id, 'kind', r.kind, 'item_id', r.item_id, 'reason', r.reason,
      'words', r.words, 'email', r.email, 'created_at', r.created_at, 'outcome', r.outcome, 'settled_at', r.settled_at) as row
    from reports r where r.user_id = auth.uid() order by r.created_at`,
  day_replies: "select to_jsonb(r) as row from day_replies r where r.user_id = auth.uid() order by r.created_at",
  picture_requests: `
    select jsonb_build_object('id', r.id, 'media_id', r.media_id, 'wish', r.wish, 'words', r.words, 'name', r.name, 'email', r.email,
      'state', r.state, 'answer', r.answer, 'created_at', r.created_at, 'decided_at', r.decided_at) as row
    from picture_requests r where r.user_id = auth.uid() order by r.created_at`,
  questions_asked: `
    select ${LETTER} as row from photo_letters l where l.asker_id = auth.uid()
      and l.memory_id not in (select m.id from memories m where m.user_id = auth.uid()) order by l.created_at`,
  cards: `
    select to_jsonb(c) || jsonb_build_object('delivery', (select to_jsonb(d) from card_deliveries d where d.card_id = c.id)) as row
    from metal_cards c where c.user_id = auth.uid() order by c.created_at`,
  cards_sent: `
    select to_jsonb(d) as row from card_deliveries d where d.user_id = auth.uid()
      and d.card_id not in (select c.id from metal_cards c where c.user_id = auth.uid())`,
  notices: "select to_jsonb(n) as row from notices n order by n.created_at",
  notice_settings: "select to_jsonb(s) as row from notice_settings s",
  notice_preferences: "select to_jsonb(p) as row from notice_preferences p",
  memories: `
    select to_jsonb(m) || jsonb_build_object('share_id', share_id(m))
      || jsonb_build_object('media', (select coalesce(jsonb_agg(to_jsonb(x) || coalesce(to_jsonb(d) - 'media_id', '{}') order by x.created_at), '[]')
           from media x left join media_details d on d.media_id = x.id where x.memory_id = m.id))
      || jsonb_build_object('entries', (select coalesce(jsonb_agg(to_jsonb(e)
             || coalesce((select jsonb_build_object('stream_url', s.url) from entry_streams s where s.entry_id = e.id), '{}') order by private.date_order(e.on_date), e.starts_at), '[]')
           from memory_entries e where e.memory_id = m.id))
      || jsonb_build_object('people_in_photos', (select coalesce(jsonb_agg(to_jsonb(p) || jsonb_build_object('photos',
             (select coalesce(jsonb_agg(jsonb_build_object('media_id', n.media_id, 'x', n.x, 'y', n.y)), '[]') from media_names n where n.person_id = p.id))
             order by p.created_at), '[]')
           from pictured_people p where p.memory_id = m.id))
      || jsonb_build_object('day_reply_settings', (select to_jsonb(s) from day_reply_settings s where s.memory_id = m.id),
           'memory_prints', (select to_jsonb(p) from memory_prints p where p.memory_id = m.id),
           'memory_services', (select to_jsonb(s) from memory_services s where s.memory_id = m.id),
           'day_replies', (select coalesce(jsonb_agg(to_jsonb(r) order by r.created_at), '[]') from day_replies r where r.memory_id = m.id))
      || jsonb_build_object('prompts', (select coalesce(jsonb_agg(to_jsonb(p) order by p.position), '[]') from prompts p where p.memory_id = m.id))
      || jsonb_build_object('questions_about_photos', (select coalesce(jsonb_agg(${LETTER} order by l.created_at), '[]')
           from photo_letters l where l.memory_id = m.id))
      || jsonb_build_object('slideshows', (select coalesce(jsonb_agg(to_jsonb(s) || jsonb_build_object('photos',
             (select coalesce(jsonb_agg(i.media_id order by i.position), '[]') from slideshow_items i where i.slideshow_id = s.id),
             'film', (select to_jsonb(f) from slideshow_films f where f.slideshow_id = s.id)) order by s.created_at), '[]')
           from slideshows s where s.memory_id = m.id))
      || jsonb_build_object('reveal', (select to_jsonb(r) from reveals r where r.memory_id = m.id))
      || jsonb_build_object('share_links', (select coalesce(jsonb_agg(to_jsonb(l) order by l.created_at), '[]')
           from share_links l where l.memory_id = m.id))
      || jsonb_build_object('reminders', (select coalesce(jsonb_agg(r.occasion order by r.occasion), '[]')
           from memory_reminders r where r.memory_id = m.id)) as row
    from memories m where m.user_id = auth.uid() order by m.created_at`,
};

/**
 * POST /functions/v1/my-data: all stored data of the signed-in person as one JSON file, read with their permissions.
 */
export const myData = endpoint({ caller: "account" }, async ({ db, person }) => {
  const caller = { ...claimsOf(person), role: "authenticated" as const };
  const parts = await asCaller(db, caller, async (tx) => {
    const read: Record<string, unknown> = {};
    for (const [name, statement] of Object.entries(PARTS)) {
      read[name] = (await tx.query<{ row: unknown }>(statement)).rows.map(({ row }) => row);
    }
    return read;
  });
  const data = { exported_at: new Date().toISOString(), account: userJson(person), ...parts };
  return new Response(JSON.stringify(data, null, 2), {
    headers: {
      "content-type": "application/json",
      "content-disposition": 'attachment; filename="skies-my-data.json"',
    },
  });
});
