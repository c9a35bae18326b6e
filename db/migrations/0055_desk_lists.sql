set local check_function_bodies = off;

create index blog_posts_newest on blog_posts (created_at desc, id);
create index payouts_newest on payouts (paid_at desc, id);
create index affiliates_newest on affiliates (created_at desc, id desc);

-- The role first: whoever has it need not have every affiliate looked up.
drop policy "affiliate and administrators read" on payouts;
create policy "affiliate and administrators read" on payouts for select to authenticated
  using ((select private.is_admin()) or affiliate_id in (select id from affiliates));

-- What was paid is not released, and the index is of that.
create or replace function voucher_use(vouchers uuid[]) returns table (voucher_id uuid, paid integer, reserved integer)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role('admin');
  return query select u.voucher_id, (count(*) filter (where u.paid_at is not null))::integer,
    (count(*) filter (where u.paid_at is null))::integer
  from public.voucher_uses u where u.voucher_id = any (vouchers) and u.released_at is null group by u.voucher_id;
end
$$;

drop function desk_affiliates(text, timestamptz, integer);
create function desk_affiliates(find text default '', after timestamptz default 'infinity',
  after_id uuid default 'ffffffff-ffff-ffff-ffff-ffffffffffff', size integer default 50)
returns table (id uuid, email text, code text, state text, created_at timestamptz, balances jsonb, clicks integer, busiest_day integer,
  purchases integer, own_purchases integer)
-- As in desk_people: one page never needs the whole table.
language plpgsql stable security definer set search_path = '' set enable_seqscan = off as $$
#variable_conflict use_column
begin
  perform private.require_role('admin');
  return query
    with page as (
      select a.id, u.email::text as email, a.user_id, a.code, a.state, a.created_at
      from public.affiliates a left join auth.users u on u.id = a.user_id
      where (a.created_at, a.id) < (desk_affiliates.after, desk_affiliates.after_id)
        and (coalesce(desk_affiliates.find, '') = '' or a.code = upper(btrim(desk_affiliates.find))
          or starts_with(lower(u.email), lower(btrim(desk_affiliates.find))))
      order by a.created_at desc, a.id desc limit least(greatest(size, 1), 200)
    )
    select p.id, p.email, p.code, p.state, p.created_at,
      (select coalesce(jsonb_agg(jsonb_build_object('currency', m.currency, 'earned', m.earned, 'paid_out', m.paid_out,
          'payable', private.payable_to(p.id, m.currency)) order by m.currency desc), '[]')
       from (select k.currency, coalesce((select sum(c.amount) from public.commissions c
             where c.affiliate_id = p.id and c.currency = k.currency), 0) as earned,
           coalesce((select sum(o.amount) from public.payouts o where o.affiliate_id = p.id and o.currency = k.currency), 0) as paid_out
         from (values ('GBP'), ('EUR')) k (currency)) m where m.earned <> 0 or m.paid_out <> 0),
      coalesce(seen.clicks, 0)::integer, coalesce(seen.busiest, 0)::integer,
      (select count(*) from public.commissions c where c.affiliate_id = p.id and c.earned_at > now() - interval '30 days')::integer,
      (select count(*) from public.orders o where o.affiliate_code = p.code and o.paid_at is not null
        and (o.user_id = p.user_id or lower(o.email) = lower(p.email)
          or o.delivery -> 'address' in (select d.address -> 'address' from public.card_deliveries d where d.user_id = p.user_id)))::integer
    from page p
    left join lateral (select sum(k.clicks) as clicks, max(k.clicks) as busiest from public.affiliate_clicks k
      where k.affiliate_id = p.id and k.day > current_date - 30) seen on true
    order by p.created_at desc, p.id desc;
end
$$;
comment on function desk_affiliates is
  'Affiliates, the newest first, after the one of a time and id, with what they earned, were paid and can be paid in pence or cents, and what speaks against them: clicks and the busiest day of 30 days, purchases of 30 days, and purchases that went to the affiliate''s own email or postal address. find is a code or the beginning of an email address. Reads from indexes, whatever the planner thinks.';

comment on function desk_people is
  'Fifty accounts, the newest first: all, staff or suspended; with find those whose address or name has words that begin so, or the one of an id. For administrators and support. It turns sequential scans off for itself: the planner cannot know how many words begin like a few letters, and reading every account is never right for fifty of them.';
comment on function desk_inbox is
  'Fifty messages and reports, the newest first: of a state (or unsettled, all), about message or report, taken by me or nobody, and with find those with words that begin so, or the one of an id. For administrators and support. It turns sequential scans off for itself: the planner cannot know how many words begin like a few letters, and reading every message is never right for fifty of them.';

-- What of an order went back, each time: an order itself tells the sum and the first day alone.
create table private.returned_amounts (
  id bigint generated always as identity primary key,
  order_id uuid not null references orders on delete cascade,
  currency text not null,
  amount integer not null,
  returned_at timestamptz not null default now()
);
comment on table private.returned_amounts is
  'Each refund of an order, in pence or cents, on the day on which the payment provider told of it. Negative where it took one back. A trigger adds the rows.';
create index returned_amounts_returned_at on private.returned_amounts (returned_at) include (currency, amount);
create index returned_amounts_order_id on private.returned_amounts (order_id);
alter table private.returned_amounts enable row level security;
insert into private.returned_amounts (order_id, currency, amount, returned_at)
select id, currency, refunded, coalesce(refunded_at, paid_at, created_at) from orders where refunded > 0;
drop index orders_refunded_at;

create function private.note_returned() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into private.returned_amounts (order_id, currency, amount) values (new.id, new.currency, new.refunded - old.refunded);
  return null;
end
$$;
comment on function private.note_returned is 'Keeps each refund of an order with its day, for the figures.';
create trigger note_returned after update on orders for each row when (new.refunded <> old.refunded)
  execute function private.note_returned();

create or replace function desk_figures(period text default 'day')
returns table (since date, is_current boolean, sign_ups bigint, memories bigint, photos bigint, videos bigint, accounts bigint, active bigint,
  all_memories bigint, all_media bigint, stored bigint, revenue jsonb, refunds jsonb, cards jsonb, counted_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
declare
  many constant integer := case period when 'month' then 12 when 'week' then 26 else 30 end;
  unit constant text := case when period in ('month', 'week') then period else 'day' end;
  first_day constant timestamp := date_trunc(unit, now() at time zone 'utc') - (2 * many - 1) * ('1 ' || unit)::interval;
begin
  perform private.require_role('admin', 'support');
  return query
    with paid as (
      select date_trunc(unit, o.paid_at at time zone 'utc') as since, o.currency, sum(o.total)::bigint as amount
      from public.orders o where o.paid_at >= first_day at time zone 'utc' group by 1, 2
    ), returned as (
      select date_trunc(unit, r.returned_at at time zone 'utc') as since, r.currency, sum(r.amount)::bigint as amount
      from private.returned_amounts r where r.returned_at >= first_day at time zone 'utc' group by 1, 2
    ), days as (
      select date_trunc(unit, f.day::timestamp) as since, sum(f.sign_ups) as sign_ups, sum(f.memories) as memories, sum(f.photos) as photos,
        sum(f.videos) as videos, (array_agg(f order by f.day desc))[1] as last
      from private.daily_figures f where f.day >= first_day::date group by 1
    )
    select p.since::date, p.place > many, coalesce(d.sign_ups, 0)::bigint, coalesce(d.memories, 0)::bigint, coalesce(d.photos, 0)::bigint,
      coalesce(d.videos, 0)::bigint, (d.last).accounts, (d.last).active, (d.last).all_memories, (d.last).all_media, (d.last).stored,
      (select coalesce(jsonb_object_agg(o.currency, o.amount), '{}') from paid o where o.since = p.since),
      (select coalesce(jsonb_object_agg(o.currency, o.amount), '{}') from returned o where o.since = p.since),
      coalesce((d.last).cards, '{}'), (d.last).counted_at
    from generate_series(first_day, now() at time zone 'utc', ('1 ' || unit)::interval) with ordinality p (since, place)
    left join days d on d.since = p.since order by p.since;
end
$$;

create or replace function desk_queues() returns jsonb language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role('admin', 'support');
  return jsonb_build_object(
    'outbox', (select count(*) from private.outbox o where o.state = 'waiting'),
    'failed_mails', (select count(*) from private.outbox o where o.state = 'dead'),
    'photos', (select count(*) from public.media m where m.state = 'waiting'),
    'videos', (select count(*) from public.media m where m.type = 'video' and (m.playback is null or m.playback in ('waiting', 'making'))),
    'reports', (select count(*) from public.reports r where r.settled_at is null),
    'messages', (select count(*) from public.inbox_items i where i.kind = 'message' and i.state in ('new', 'open')));
end
$$;
comment on function desk_queues is
  'What waits now: emails, photos and videos to be made ready, emails that were given up, open reports, and messages that nobody has answered or closed. For administrators and support.';

revoke execute on all functions in schema private from public;
revoke execute on function private.note_returned from anon, authenticated, service_role;
revoke execute on function desk_affiliates from public, anon;
grant execute on function desk_affiliates to authenticated, service_role;
