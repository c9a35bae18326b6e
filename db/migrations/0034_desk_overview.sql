set local check_function_bodies = off;

-- Rows arrive in the order of time: these indexes are a few pages, and cost a new row nothing.
create index memories_created_at on memories using brin (created_at) with (pages_per_range = 16);
create index media_created_at on media using brin (created_at) with (pages_per_range = 16);
-- With what is summed, so that a year of orders is read from the index alone.
create index orders_paid_at on orders (paid_at) include (currency, total) where paid_at is not null;
create index orders_refunded_at on orders (refunded_at) include (currency, refunded) where refunded_at is not null;
create index outbox_dead on private.outbox (settled_at desc, id desc) where state = 'dead';

create table private.daily_figures (
  day date primary key,
  sign_ups integer not null default 0,
  memories integer not null default 0,
  photos integer not null default 0,
  videos integer not null default 0,
  accounts bigint,
  active bigint,
  all_memories bigint,
  all_media bigint,
  stored bigint,
  cards jsonb not null default '{}',
  counted_at timestamptz not null default now()
);
comment on table private.daily_figures is
  'A row for each day (UTC), counted by a job every few minutes while it lasts. What happened on a day stays as it was, whatever is deleted later.';
comment on column private.daily_figures.active is 'Accounts that used Skies in the thirty days before. This and the totals are null for days before the counting began.';
comment on column private.daily_figures.cards is 'How many cards there are by state of making.';
alter table private.daily_figures enable row level security;

create function private.count_figures() returns boolean language plpgsql volatile security definer set search_path = '' as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  -- The last day that was counted may have gone on after that.
  since constant date := coalesce((select max(f.day) from private.daily_figures f),
    (select (min(u.created_at) at time zone 'utc')::date from auth.users u), today);
begin
  -- One process counts at a time.
  if not pg_try_advisory_xact_lock(hashtext('private.count_figures')) then
    return false;
  end if;
  insert into private.daily_figures as known (day, sign_ups, memories, photos, videos)
  select d.day::date,
    (select count(*) from auth.users u where u.created_at >= d.since and u.created_at < d.until),
    (select count(*) from public.memories m where m.created_at >= d.since and m.created_at < d.until),
    x.photos, x.videos
  from (select day, day at time zone 'utc' as since, (day + interval '1 day') at time zone 'utc' as until
    from generate_series(since::timestamp, today::timestamp, interval '1 day') day) d
  cross join lateral (select count(*) filter (where o.type = 'image') as photos, count(*) filter (where o.type = 'video') as videos
    from public.media o where o.created_at >= d.since and o.created_at < d.until and o.moderation <> 'attached') x
  -- What was counted of a day that is not over yet can only have grown, except by deletions.
  on conflict (day) do update set sign_ups = greatest(known.sign_ups, excluded.sign_ups), memories = greatest(known.memories, excluded.memories),
    photos = greatest(known.photos, excluded.photos), videos = greatest(known.videos, excluded.videos);
  update private.daily_figures f set counted_at = now(),
    accounts = (select count(*) from auth.users),
    active = (select count(distinct s.user_id) from auth.sessions s where greatest(s.created_at, s.refreshed_at) > now() - interval '30 days'),
    all_memories = (select count(*) from public.memories m where m.deleted_at is null),
    all_media = (select count(*) from public.media o where o.moderation not in ('deleted', 'attached')),
    stored = (select coalesce(sum(a.stored), 0) from private.account_use a),
    cards = (select coalesce(jsonb_object_agg(c.making, c.many), '{}') from (select making, count(*) as many from public.metal_cards group by 1) c)
  where f.day = today;
  return true;
end
$$;
comment on function private.count_figures is
  'Counts today, and every day since it was last called. A job calls it; it reads whole tables, so no request does.';

create function desk_figures(period text default 'day')
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
      select date_trunc(unit, o.refunded_at at time zone 'utc') as since, o.currency, sum(o.refunded)::bigint as amount
      from public.orders o where o.refunded_at >= first_day at time zone 'utc' group by 1, 2
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
comment on function desk_figures is
  'Thirty days, 26 weeks or twelve months up to now, and as many before them to compare with: what came in each, and the totals at its end. For administrators and support.';

create function desk_queues() returns jsonb language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role('admin', 'support');
  return jsonb_build_object(
    'outbox', (select count(*) from private.outbox o where o.state = 'waiting'),
    'failed_mails', (select count(*) from private.outbox o where o.state = 'dead'),
    'photos', (select count(*) from public.media m where m.state = 'waiting'),
    'videos', (select count(*) from public.media m where m.type = 'video' and (m.playback is null or m.playback in ('waiting', 'making'))),
    'reports', (select count(*) from public.reports r where r.settled_at is null),
    'messages', (select count(*) from public.contact_messages c where c.created_at > now() - interval '7 days'));
end
$$;
comment on function desk_queues is
  'What waits now: emails, photos and videos to be made ready, emails that were given up, open reports, and messages of the last seven days. For administrators and support.';

revoke execute on function private.count_figures from public, anon, authenticated, service_role;
revoke execute on function desk_figures, desk_queues from public, anon;
grant execute on function desk_figures, desk_queues to authenticated, service_role;
