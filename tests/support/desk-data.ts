import type { Database } from "../../server/database/database.ts";
import { vacuumed } from "./database.ts";

/**
 * A year of synthetic rows: accounts with a memory and two photos each, orders of which most are paid, cards,
 * affiliates, vouchers, posts, emails and actions of staff. A few statements without triggers make them, so that 50,000
 * accounts take seconds.
 */
export async function fillDesk(
  db: Database,
  { accounts, orders }: { accounts: number; orders: number },
): Promise<void> {
  const at = (of: string) => `now() - interval '1 year' + interval '1 year' * i / ${of}`;
  await db.transaction(async (tx) => {
    await tx.query("set local session_replication_role = replica");
    await tx.query(
      `insert into auth.users (email, email_confirmed_at, created_at, last_sign_in_at, banned_until, raw_app_meta_data)
       select 'person' || i || '@example' || i % 50 || '.com', now(), ${at("$1")}, ${at("$1")},
         case when i % 500 = 0 then now() + interval '1 year' end,
         case when i % 1000 = 0 then '{"role": "support"}' else '{}' end::jsonb
       from generate_series(1, $1::integer) i`,
      [accounts],
    );
    await tx.query(
      `insert into profiles (id, full_name) select id, 'Name' || split_part(email, '@', 1) || ' Surname' || (row_number() over ()) % 300
       from auth.users where email like 'person%@example%'`,
    );
    await tx.query(
      `insert into auth.sessions (user_id, created_at) select id, created_at from auth.users where email like 'person%0@example%'`,
    );
    await tx.query(
      `insert into memories (user_id, person_name, created_at) select id, 'Somebody', created_at from auth.users where email like 'person%@example%'`,
    );
    await tx.query(
      `with photos as (
         select gen_random_uuid() as id, m.id as memory_id, m.created_at from memories m, generate_series(1, 2)
         where m.person_name = 'Somebody'
       ), objects as (
         insert into storage.objects (id, bucket_id, name, version, created_at)
         select id, 'media', memory_id || '/' || id || '.jpg', gen_random_uuid()::text, created_at from photos
       )
       insert into media (id, memory_id, type, size, object_name, state, created_at)
       select id, memory_id, 'image', 1, memory_id || '/' || id || '.jpg', 'ready', created_at from photos`,
    );
    await tx.query(
      `with people as (select array_agg(id) as ids from auth.users where email like 'person%@example%')
       insert into orders (user_id, email, status, currency, subtotal, total, refunded, created_at, paid_at, refunded_at)
       select ids[1 + i % cardinality(ids)], 'person' || i || '@example.com',
         case when i % 10 = 0 then 'expired' when i % 50 = 1 then 'refunded' else 'paid' end, case i % 3 when 0 then 'EUR' else 'GBP' end,
         4500, 4500, case when i % 50 = 1 then 4500 else 0 end, ${at("$1")}, case when i % 10 <> 0 then ${at("$1")} end,
         case when i % 50 = 1 then ${at("$1")} end
       from generate_series(1, $1::integer) i, people`,
      [orders],
    );
    await tx.query(
      `insert into private.returned_amounts (order_id, currency, amount, returned_at)
       select id, currency, refunded, refunded_at from orders where refunded > 0`,
    );
    // Triggers are off.
    await tx.query("delete from private.daily_money");
    await tx.query("insert into private.daily_money select * from private.counted_money()");
    await tx.query(
      `insert into order_items (order_id, kind, plan_id, quantity, unit_amount, total, terms, details)
       select id, 'plan', 'skies-memories', 1, 4500, 4500, '{}', '{}' from orders where email like 'person%@example%'`,
    );
    await tx.query(
      `with cards as (
         insert into metal_cards (user_id, order_id, making, created_at)
         select user_id, id, (array['ordered', 'engraved', 'sent', 'sent'])[1 + ascii(right(id::text, 1)) % 4], created_at
         from orders where paid_at is not null returning id, user_id, order_id)
       insert into card_deliveries (card_id, user_id, order_id, carrier) select id, user_id, order_id, 'Royal Mail' from cards`,
    );
    await tx.query(
      `with joined as (
         insert into affiliates (user_id, code, created_at)
         select id, upper(translate(left(replace(id::text, '-', ''), 8), 'ilou', '0000')), created_at
         from auth.users where email like 'person%5@example%' on conflict do nothing returning id, created_at
       ), clicked as (
         insert into affiliate_clicks (affiliate_id, clicks) select id, 3 from joined
       ), paid as (
         insert into payouts (affiliate_id, currency, amount, paid_at) select id, 'GBP', 1000, created_at + i * interval '1 day' from joined, generate_series(1, 5) i
       )
       insert into commissions (affiliate_id, order_id, currency, base, earned, earned_at, payable_at)
       select j.id, o.id, 'GBP', 4500, 1350, o.paid_at, o.paid_at
       from (select id, row_number() over () as i from joined) j
       join (select id, paid_at, row_number() over () as i from orders where paid_at is not null and email like 'person%@example%') o using (i)`,
    );
    await tx.query(
      `with made as (
         insert into vouchers (code, percentage, created_at)
         select 'FILL-' || i, 10, ${at("$1")} from generate_series(1, $1::integer) i returning id, created_at
       )
       insert into voucher_uses (voucher_id, order_id, user_id, percentage)
       select v.id, o.id, o.user_id, 10 from (select id, row_number() over () as i from made) v
       join (select id, user_id, row_number() over () as i from orders where email like 'person%@example%') o using (i)`,
      [orders],
    );
    await tx.query(
      `insert into blog_posts (slug, language, title, summary, body, author, published_at, created_at)
       select 'post-' || i, language, 'Post ' || i, 'About ' || i, '<p>Text</p>', 'Nia', ${at("$1")}, ${at("$1")}
       from generate_series(1, $1::integer) i, unnest(array['en', 'it']) language`,
      [orders / 4],
    );
    await tx.query(
      `insert into blog_revisions (slug, language, title, summary, body, author)
       select slug, language, title, summary, body, author from blog_posts`,
    );
    await tx.query(
      `insert into private.outbox (kind, template, language, recipient, state, settled_at, created_at)
       select 'mail', 'welcome', 'en', 'person' || i || '@example.com', case when i % 20 = 0 then 'dead' else 'sent' end, ${at("$1")}, ${at("$1")}
       from generate_series(1, $1::integer) i`,
      [orders],
    );
    await tx.query(
      `with people as (select array_agg(id) as ids from auth.users where email like 'person%@example%')
       insert into audit_log (happened_at, actor, role, action, subject)
       select ${at("$1")}, ids[1 + i % 5], 'admin', (array['person.suspend', 'vouchers.update', 'person.plan'])[1 + i % 3],
         ids[1 + i % cardinality(ids)]::text
       from generate_series(1, $1::integer) i, people`,
      [orders],
    );
    await tx.query(
      `insert into staff_notes (user_id, body) select id, 'Asked for a receipt' from auth.users where email like 'person%5@example%'`,
    );
    await tx.query(
      `with written as (
         insert into contact_messages (name, email, subject, message, created_at)
         select 'Nia' || i, 'nia' || i || '@example.com', 'Hello', '<p>Hello</p>', ${at("$1")} from generate_series(1, $1::integer) i
         returning id, name, created_at)
       insert into inbox_items (id, message_id, created_at, state, search)
       select id, id, created_at, case when random() < 0.02 then 'open' else 'closed' end, private.search_words(name) from written`,
      [orders],
    );
  });
  await db.query("select private.recount_totals()");
  await vacuumed(db);
}
