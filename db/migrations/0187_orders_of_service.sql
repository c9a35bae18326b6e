-- The order of service of a memory's day, to be printed (decision 0128).
set local check_function_bodies = off;

create table memory_services (
  memory_id uuid primary key references memories on delete cascade,
  heading text check (length(heading) <= 120),
  closing text not null default '' check (length(closing) <= 600),
  items jsonb not null default '[]' check (pg_column_size(items) <= 300000),
  revision integer not null default 1
);
comment on table memory_services is
  'The order of service of a funeral or an event, with hymns and readings. Only the memory''s managers see and change it; guests get it on paper.';
comment on column memory_services.heading is 'Null until somebody has written it: words in the reader''s language are offered then.';
comment on column memory_services.closing is 'Words on the last page, e.g. thanks.';
comment on column memory_services.items is
  'In their order: {id, kind, title, by, text}, of the kinds hymn, reading, prayer, music, words and part.';
comment on column memory_services.revision is 'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.';
create trigger t15_revise before update on memory_services for each row
  when ((old.heading, old.closing, old.items, old.revision) is distinct from (new.heading, new.closing, new.items, new.revision))
  execute function private.revise();

create function private.check_service_items() returns trigger language plpgsql set search_path = '' as $$
declare
  item jsonb;
  ids text[] := '{}';
begin
  if jsonb_typeof(new.items) <> 'array' or jsonb_array_length(new.items) > 60 then
    raise exception 'An order of service has at most 60 entries.' using errcode = 'PT400', hint = 'too_many_items';
  end if;
  for item in select * from jsonb_array_elements(new.items) loop
    if jsonb_typeof(item) <> 'object' or item - '{id,kind,title,by,text}'::text[] <> '{}'::jsonb
      or coalesce(item ->> 'id', '') !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' or item ->> 'id' = any (ids)
      or coalesce(item ->> 'kind', '') not in ('hymn', 'reading', 'prayer', 'music', 'words', 'part')
      or coalesce(jsonb_typeof(item -> 'title'), '') <> 'string' or length(item ->> 'title') > 200
      or coalesce(jsonb_typeof(item -> 'by'), '') <> 'string' or length(item ->> 'by') > 200
      or coalesce(jsonb_typeof(item -> 'text'), '') <> 'string' or length(item ->> 'text') > 10000 then
      raise exception 'This entry of the order of service is malformed or too long.' using errcode = 'PT400', hint = 'wrong_item';
    end if;
    ids := array_append(ids, item ->> 'id');
  end loop;
  return new;
end
$$;
comment on function private.check_service_items is 'Refuses entries of an order of service that cannot be printed.';
revoke execute on function private.check_service_items from public, anon, authenticated, service_role;
create trigger t10_check_items before insert or update of items on memory_services
  for each row execute function private.check_service_items();

alter table memory_services enable row level security;
grant select on memory_services to authenticated;
grant insert (memory_id, heading, closing, items), update (heading, closing, items, revision) on memory_services to authenticated;
create policy "required authentication level" on memory_services as restrictive for all to authenticated
  using ((select private.has_required_aal()));
create policy "managers read" on memory_services for select to authenticated
  using (exists (select from private.own_memories own where own.id = memory_id)
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]));
create policy "managers add" on memory_services for insert to authenticated with check (private.is_manager(memory_id));
create policy "managers change" on memory_services for update to authenticated
  using (exists (select from private.own_memories own where own.id = memory_id)
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]));
