-- The desk's totals of the installation are a ledger, like the sums of a memory (decision 107). Every five minutes, a job counted all
-- accounts, sessions, memories, photos and cards.

create table private.totals (
  kind text not null,
  amount bigint not null
);
create index totals_kind on private.totals (kind) include (amount);
alter table private.totals enable row level security;
comment on table private.totals is 'A ledger, as private.media_sums: the rows of a kind add up to its total. Each change adds rows, and waits for nobody; the job of the figures merges them. Only triggers write it.';
comment on column private.totals.kind is 'accounts, memories, media, stored (bytes), card and its state of making, active and the day (UTC) on which accounts were used last, or new, what was made, and the day. What happened on a day stays, whatever is deleted later.';

-- The day on which an account was used last: a session began, or was continued.
create table private.account_days (
  account uuid not null constraint account_days_pkey primary key
    constraint account_days_account_fkey references auth.users (id) on delete cascade,
  used_on date not null
);
alter table private.account_days enable row level security;
comment on table private.account_days is 'The last day (UTC) on which each account was used, for the number of active accounts. Only triggers write it.';

create function private.note_use() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.account_days as known (account, used_on)
  select n.user_id, (max(greatest(n.created_at, n.refreshed_at)) at time zone 'utc')::date from new_rows n group by 1 order by 1
  on conflict (account) do update set used_on = excluded.used_on where known.used_on < excluded.used_on;
  return null;
end
$$;
comment on function private.note_use() is 'Notes the day on which sessions began or were continued.';
create trigger note_new_use after insert on auth.sessions referencing new table as new_rows
  for each statement execute function private.note_use();
create trigger note_use after update on auth.sessions referencing new table as new_rows
  for each statement execute function private.note_use();

-- The arguments are SQL on a changed row: the kind, the amount, and the condition under which it counts.
create function private.add_to_totals() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  changes text[] := '{}';
begin
  if tg_op <> 'DELETE' then
    changes := changes || format('select %s, %s from new_rows r where %s', tg_argv[0], tg_argv[1], tg_argv[2]);
  end if;
  if tg_op <> 'INSERT' then
    changes := changes || format('select %s, -(%s) from old_rows r where %s', tg_argv[0], tg_argv[1], tg_argv[2]);
  end if;
  execute format(
    'insert into private.totals (kind, amount) select c.kind, sum(c.amount) from (%s) c (kind, amount) group by c.kind having sum(c.amount) <> 0',
    array_to_string(changes, ' union all '));
  return null;
end
$$;
comment on function private.add_to_totals() is 'Adds what a statement changed to the totals.';
revoke execute on function private.note_use(), private.add_to_totals() from public, anon, authenticated, service_role;

do $$
declare
  counted record;
begin
  for counted in
    select * from (values
      ('auth.users', '''accounts''', '1', 'true', ''),
      ('private.account_days', '''active '' || r.used_on', '1', 'true', 'used_on'),
      ('public.memories', '''memories''', '1', 'r.deleted_at is null', 'deleted_at'),
      ('public.media', '''media''', '1', 'r.moderation not in (''deleted'', ''attached'')', 'moderation'),
      ('private.account_use', '''stored''', 'r.stored', 'true', 'stored'),
      ('public.metal_cards', '''card '' || r.making', '1', 'true', 'making')
    ) as t (name, kind, amount, condition, changing)
  loop
    execute format('create trigger total_new after insert on %s referencing new table as new_rows
      for each statement execute function private.add_to_totals(%L, %L, %L)', counted.name, counted.kind, counted.amount, counted.condition);
    execute format('create trigger total_deleted after delete on %s referencing old table as old_rows
      for each statement execute function private.add_to_totals(%L, %L, %L)', counted.name, counted.kind, counted.amount, counted.condition);
    -- A trigger with transition tables cannot name columns.
    if counted.changing <> '' then
      execute format('create trigger total_changed after update on %s referencing old table as old_rows new table as new_rows
        for each statement execute function private.add_to_totals(%L, %L, %L)', counted.name, counted.kind, counted.amount, counted.condition);
    end if;
  end loop;
end
$$;

do $$
declare
  made record;
begin
  for made in
    select * from (values
      ('auth.users', '''sign_ups''', 'true'),
      ('public.memories', '''memories''', 'true'),
      ('public.media', 'case r.type when ''image'' then ''photos'' else ''videos'' end',
        'r.type in (''image'', ''video'', ''audio'') and r.moderation <> ''attached''')
    ) as t (name, what, condition)
  loop
    execute format('create trigger total_of_day after insert on %s referencing new table as new_rows
      for each statement execute function private.add_to_totals(%L, ''1'', %L)', made.name,
      format('''new '' || %s || '' '' || (r.created_at at time zone ''utc'')::date', made.what), made.condition);
  end loop;
end
$$;

create function private.recount_totals() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  lock table auth.users, private.account_days, public.memories, public.media, private.account_use, public.metal_cards in share row exclusive mode;
  delete from private.totals;
  insert into private.totals (kind, amount)
  select t.kind, t.amount from (
    select 'accounts', count(*) from auth.users
    union all select 'active ' || d.used_on, count(*) from private.account_days d group by 1
    union all select 'memories', count(*) from public.memories m where m.deleted_at is null
    union all select 'media', count(*) from public.media m where m.moderation not in ('deleted', 'attached')
    union all select 'stored', sum(a.stored) from private.account_use a
    union all select 'card ' || c.making, count(*) from public.metal_cards c group by 1
    union all
    select n.kind, count(*) from (
      select 'new sign_ups ' || (u.created_at at time zone 'utc')::date as kind, u.created_at from auth.users u
      union all select 'new memories ' || (m.created_at at time zone 'utc')::date, m.created_at from public.memories m
      union all select case m.type when 'image' then 'new photos ' else 'new videos ' end || (m.created_at at time zone 'utc')::date, m.created_at
      from public.media m where m.type in ('image', 'video', 'audio') and m.moderation <> 'attached'
    ) n
    -- What the figures may not have counted yet.
    where n.created_at at time zone 'utc' >= coalesce((select max(f.day) from private.daily_figures f), '-infinity') group by 1
  ) t (kind, amount)
  where t.amount <> 0;
end
$$;
comment on function private.recount_totals() is 'Counts the totals from the tables, for rows that were loaded without triggers. Changes wait meanwhile.';
revoke execute on function private.recount_totals() from public, anon, authenticated, service_role;

insert into private.account_days (account, used_on)
select s.user_id, (max(greatest(s.created_at, s.refreshed_at)) at time zone 'utc')::date from auth.sessions s group by 1;
select private.recount_totals();

create function private.merge_totals() returns void
language sql security definer set search_path = ''
begin atomic
  -- Rows that somebody else has locked are merged the next time.
  with merged as (
    delete from private.totals t
    where t.ctid = any (array(select s.ctid from private.totals s for update skip locked))
    returning t.kind, t.amount
  )
  insert into private.totals (kind, amount)
  select m.kind, sum(m.amount) from merged m group by m.kind having sum(m.amount) <> 0;
end;
comment on function private.merge_totals() is 'Merges the rows of each total into one.';
revoke execute on function private.merge_totals() from public, anon, authenticated, service_role;

create or replace function private.count_figures() returns boolean
language plpgsql security definer set search_path = ''
as $$
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
  perform private.merge_totals();
  insert into private.daily_figures as known (day, sign_ups, memories, photos, videos)
  select d.day::date, coalesce(max(n.amount) filter (where n.what = 'sign_ups'), 0), coalesce(max(n.amount) filter (where n.what = 'memories'), 0),
    coalesce(max(n.amount) filter (where n.what = 'photos'), 0), coalesce(max(n.amount) filter (where n.what = 'videos'), 0)
  from generate_series(since::timestamp, today::timestamp, interval '1 day') d (day)
    left join (
      select split_part(t.kind, ' ', 2) as what, split_part(t.kind, ' ', 3)::date as day, sum(t.amount) as amount
      from private.totals t where t.kind >= 'new ' and t.kind < 'new!' group by 1, 2) n on n.day = d.day::date
  group by 1
  on conflict (day) do update set sign_ups = greatest(known.sign_ups, excluded.sign_ups), memories = greatest(known.memories, excluded.memories),
    photos = greatest(known.photos, excluded.photos), videos = greatest(known.videos, excluded.videos);
  with sums as (
    select t.kind, sum(t.amount)::bigint as amount from private.totals t group by t.kind
  ), total as (
    select coalesce(max(s.amount) filter (where s.kind = 'accounts'), 0) as accounts,
      coalesce(sum(s.amount) filter (where s.kind > 'active ' || (today - 30) and s.kind < 'active!'), 0) as active,
      coalesce(max(s.amount) filter (where s.kind = 'memories'), 0) as memories,
      coalesce(max(s.amount) filter (where s.kind = 'media'), 0) as media,
      coalesce(max(s.amount) filter (where s.kind = 'stored'), 0) as stored,
      coalesce(jsonb_object_agg(substr(s.kind, 6), s.amount) filter (where s.kind like 'card %' and s.amount <> 0), '{}') as cards
    from sums s
  )
  update private.daily_figures f set counted_at = now(), accounts = t.accounts, active = t.active, all_memories = t.memories,
    all_media = t.media, stored = t.stored, cards = t.cards
  from total t where f.day = today;
  -- No figure counts these days again.
  delete from private.totals t where t.kind >= 'new ' and t.kind < 'new!' and split_part(t.kind, ' ', 3)::date < since
    or t.kind >= 'active ' and t.kind < 'active!' and split_part(t.kind, ' ', 2)::date < today - 30;
  return true;
end
$$;
comment on function private.count_figures() is 'Writes the figures of today, and of every day since it was last called, from the totals. A job calls it.';
