-- A funeral or a wedding is a day with parts, each with a time, a place and what guests need to know. A part is an entry of the
-- programme or, at a tribute, an entry beside the timeline, so that nothing is typed twice (decision 0120).
set local check_function_bodies = off;

alter table memory_entries
  add column part text check (part in ('visitation', 'service', 'burial', 'ceremony', 'reception', 'dinner', 'party', 'other')),
  -- Two-letter and numbered names of the system's list are left out: PostgreSQL also reads them as POSIX rules, which browsers refuse.
  add column time_zone text check (time_zone is null or time_zone ~ '^(UTC|Etc/(UTC|GMT|GMT[+-](\d|1[0-4]))|(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)(/[A-Za-z_-]+){1,2})$'
    and timezone(time_zone, timestamp '2000-01-01 00:00') is not null),
  add column doors_at time(0),
  add column ends_at time(0),
  add column address text not null default '' check (length(address) <= 500),
  add column map_url text not null default '' check (map_url ~* '^(https?://\S+)?$' and length(map_url) <= 1000),
  add column directions text not null default '' check (length(directions) <= 1000),
  add column parking text not null default '' check (length(parking) <= 1000),
  add column accessibility text not null default '' check (length(accessibility) <= 1000),
  add column dress text not null default '' check (length(dress) <= 500),
  add column gifts text not null default '' check (length(gifts) <= 1000),
  add column gifts_url text not null default '' check (gifts_url ~* '^(https?://\S+)?$' and length(gifts_url) <= 1000),
  add column contact text not null default '' check (length(contact) <= 500),
  add column audience text not null default 'all' check (audience in ('all', 'members')),
  add column stream_from timestamptz,
  add column stream_changes integer not null default 0,
  add constraint day_of_a_part check (part is null or (on_date is not null and on_date ~ '^\d{4}-(0\d|1[0-2])-\d\d$' and time_zone is not null));
comment on table memory_entries is
  'Entries of a tribute''s timeline or of an event''s programme, and the parts of a funeral or another day. Visible to everybody who can see the memory; with the audience members only to its members.';
comment on column memory_entries.part is
  'What part of the day it is: such an entry has an exact date and a time zone, and is shown with the day. Null for a moment of the timeline and for another entry of the programme.';
comment on column memory_entries.time_zone is 'IANA name of the place''s time zone, in which all times of the part are.';
comment on column memory_entries.doors_at is 'Local time from which guests are let in.';
comment on column memory_entries.ends_at is 'Local time of the end; before starts_at it is on the next day.';
comment on column memory_entries.map_url is 'Address of a map.';
comment on column memory_entries.directions is 'How to get there.';
comment on column memory_entries.accessibility is 'Access for people who walk, see or hear with difficulty.';
comment on column memory_entries.gifts is 'Wishes about flowers, donations or presents. Skies moves no money.';
comment on column memory_entries.gifts_url is 'Address for donations or presents.';
comment on column memory_entries.audience is 'Who may see it: everybody who can see the memory, or only its members.';
comment on column memory_entries.stream_from is
  'When the address of the livestream (entry_streams) becomes readable for people who do not manage the memory; null is at once.';
comment on column memory_entries.stream_changes is 'Counts changes of the livestream''s address, so that they count as changes of the entry.';
grant insert (part, time_zone, doors_at, ends_at, address, map_url, directions, parking, accessibility, dress, gifts, gifts_url, contact,
    audience, stream_from),
  update (part, time_zone, doors_at, ends_at, address, map_url, directions, parking, accessibility, dress, gifts, gifts_url, contact,
    audience, stream_from)
  on memory_entries to authenticated;

drop trigger t15_revise on memory_entries;
create trigger t15_revise before update on memory_entries for each row
  when ((old.on_date, old.starts_at, old.title, old.place, old.note, old.media_id, old.part, old.time_zone, old.doors_at, old.ends_at,
      old.address, old.map_url, old.directions, old.parking, old.accessibility, old.dress, old.gifts, old.gifts_url, old.contact,
      old.audience, old.stream_from, old.stream_changes, old.revision)
    is distinct from (new.on_date, new.starts_at, new.title, new.place, new.note, new.media_id, new.part, new.time_zone, new.doors_at,
      new.ends_at, new.address, new.map_url, new.directions, new.parking, new.accessibility, new.dress, new.gifts, new.gifts_url,
      new.contact, new.audience, new.stream_from, new.stream_changes, new.revision))
  execute function private.revise();

create function private.joined_memory_ids() returns uuid[] language sql stable security definer set search_path = '' as $$
  select private.member_memory_ids('{co-owner,contributor,viewer}')
$$;
comment on function private.joined_memory_ids is 'The memories of other people that the caller is a member of, by no link.';

alter policy "viewers read" on memory_entries
  using (exists (select from private.own_memories own where own.id = memory_id)
    or memory_id = any ((select private.joined_memory_ids())::uuid[])
    or audience = 'all' and memory_id = any ((select private.shared_memory_ids('view'))::uuid[]));
alter policy "visitors read" on memory_entries
  using (case when memory_id = any ((select private.shared_memory_ids('view'))::uuid[]) then audience = 'all' else false end);

-- A policy can withhold rows until a time, but not a column.
create table entry_streams (
  entry_id uuid primary key references memory_entries on delete cascade,
  url text not null check (url ~* '^https?://\S+$' and length(url) <= 1000)
);
comment on table entry_streams is
  'Addresses of livestreams of parts of a day. Visible to managers, and from memory_entries.stream_from on to everybody who can see the part.';
alter table entry_streams enable row level security;
grant select on entry_streams to anon;
grant select, insert, delete on entry_streams to authenticated;
create policy "required authentication level" on entry_streams as restrictive for all to authenticated
  using ((select private.has_required_aal()));
create policy "visitors read from its time on" on entry_streams for select to anon
  using (exists (select from memory_entries e where e.id = entry_id and coalesce(e.stream_from <= now(), true)));
create policy "viewers read from its time on, managers always" on entry_streams for select to authenticated
  using (exists (select from memory_entries e where e.id = entry_id
    and (coalesce(e.stream_from <= now(), true) or exists (select from private.own_memories own where own.id = e.memory_id)
      or e.memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]))));
create policy "managers add" on entry_streams for insert to authenticated
  with check (exists (select from memory_entries e where e.id = entry_id and private.is_manager(e.memory_id)));
create policy "managers delete" on entry_streams for delete to authenticated
  using (exists (select from memory_entries e where e.id = entry_id and private.is_manager(e.memory_id)));

create function private.count_stream_change() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.memory_entries e set stream_changes = e.stream_changes + 1
  where e.id = case tg_op when 'DELETE' then old.entry_id else new.entry_id end;
  return null;
end
$$;
comment on function private.count_stream_change is 'Counts a change of a livestream''s address as a change of its entry.';
create trigger count_stream_change after insert or delete on entry_streams for each row execute function private.count_stream_change();

create function begins_at(memory_entries) returns timestamptz language sql stable set search_path = '' as $$
  select case when $1.part is not null then timezone($1.time_zone, $1.on_date::date + coalesce($1.starts_at, time '00:00')) end
$$;
comment on function begins_at is
  'When a part of a day begins; without a time at the beginning of its day. Computed, because rules of time zones change.';

create function finishes_at(memory_entries) returns timestamptz language sql stable set search_path = '' as $$
  select case when $1.part is null then null
    when $1.starts_at is null then timezone($1.time_zone, $1.on_date::date + interval '1 day')
    when $1.ends_at is null then timezone($1.time_zone, $1.on_date::date + $1.starts_at) + interval '1 hour'
    else timezone($1.time_zone, $1.on_date::date + $1.ends_at + case when $1.ends_at <= $1.starts_at then interval '1 day' else interval '0' end) end
$$;
comment on function finishes_at is
  'When a part of a day ends: after an hour if only its begin has a time, at the end of its day if it has none.';

create function save_day_part(memory_id uuid, part_id uuid, changes jsonb, revision integer default null) returns void
language plpgsql volatile set search_path = '' as $$
begin
  if save_day_part.revision is null then
    insert into public.memory_entries (id, memory_id, part, title, on_date, starts_at, time_zone, doors_at, ends_at, place, address, map_url,
      directions, parking, accessibility, dress, gifts, gifts_url, contact, note, audience, stream_from)
    select save_day_part.part_id, save_day_part.memory_id, r.part, r.title, r.on_date, r.starts_at, r.time_zone, r.doors_at, r.ends_at,
      coalesce(r.place, ''), coalesce(r.address, ''), coalesce(r.map_url, ''), coalesce(r.directions, ''), coalesce(r.parking, ''),
      coalesce(r.accessibility, ''), coalesce(r.dress, ''), coalesce(r.gifts, ''), coalesce(r.gifts_url, ''), coalesce(r.contact, ''),
      coalesce(r.note, ''), coalesce(r.audience, 'all'), r.stream_from
    from jsonb_populate_record(null::public.memory_entries, changes) r
    on conflict (id) do nothing;
  else
    update public.memory_entries e
    set (part, title, on_date, starts_at, time_zone, doors_at, ends_at, place, address, map_url, directions, parking, accessibility, dress,
        gifts, gifts_url, contact, note, audience, stream_from)
      = (select r.part, r.title, r.on_date, r.starts_at, r.time_zone, r.doors_at, r.ends_at, r.place, r.address, r.map_url, r.directions,
          r.parking, r.accessibility, r.dress, r.gifts, r.gifts_url, r.contact, r.note, r.audience, r.stream_from
        from jsonb_populate_record(e, changes) r),
      revision = save_day_part.revision
    where e.id = save_day_part.part_id and e.memory_id = save_day_part.memory_id;
    if not found then
      raise exception 'There is no such part of the day.' using errcode = 'PT404', hint = 'not_found';
    end if;
  end if;
  if changes ? 'stream_url' then
    delete from public.entry_streams s where s.entry_id = save_day_part.part_id;
    if coalesce(changes ->> 'stream_url', '') <> '' then
      insert into public.entry_streams (entry_id, url) values (save_day_part.part_id, changes ->> 'stream_url');
    end if;
  end if;
end
$$;
comment on function save_day_part is
  'Adds a part of a day with this id, or changes it over the revision that the change is based on (PT409 if it has another one), together with the address of its livestream (stream_url; empty removes it). Row policies decide who may.';

revoke execute on function private.joined_memory_ids, private.count_stream_change from public, anon, authenticated, service_role;
grant execute on function private.joined_memory_ids to authenticated, service_role;
revoke execute on function begins_at(memory_entries), finishes_at(memory_entries) from public;
grant execute on function begins_at(memory_entries), finishes_at(memory_entries) to anon, authenticated, service_role;
revoke execute on function save_day_part from public, anon;
grant execute on function save_day_part to authenticated, service_role;
