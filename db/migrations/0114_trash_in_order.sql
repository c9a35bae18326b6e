set local check_function_bodies = off;

-- Pages of the trash are read in this order. Thousands of photos may have one time.
create index trash_newest on trash (deleted_by, deleted_at desc, kind, id);
create index trash_newest_of_memory on trash (deleted_by, memory_id, deleted_at desc, kind, id);

create or replace function deleted_items(of_memory uuid default null, skip integer default 0) returns table (kind text, id uuid, memory_id uuid,
  memory_name text, name text, deleted_at timestamptz, purged_at timestamptz, bytes bigint, media jsonb, total bigint)
language plpgsql stable security definer set search_path = '' set enable_sort to off as $$
#variable_conflict use_column
declare
  page constant integer := 300;
  -- One more than is counted exactly.
  most constant integer := greatest(skip, 0) + 1001;
  trashed refcursor;
  item public.trash;
  items public.trash[] := '{}';
  many integer := 0;
  -- Thousands of photos of one memory need one check.
  managed uuid[] := '{}';
  closed uuid[] := '{}';
  checked uuid[] := '{}';
begin
  if of_memory is null then
    open trashed for select t.* from public.trash t where t.deleted_by = auth.uid() order by t.deleted_at desc, t.kind, t.id;
  else
    open trashed for select t.* from public.trash t where t.deleted_by = auth.uid() and t.memory_id = of_memory and t.kind <> 'memory'
      order by t.deleted_at desc, t.kind, t.id;
  end if;
  loop
    fetch trashed into item;
    exit when not found or many = most;
    if item.kind in ('media', 'story') then
      if item.memory_id <> all (checked) then
        checked := checked || item.memory_id;
        if private.is_manager(item.memory_id) then
          managed := managed || item.memory_id;
        elsif not private.can_contribute(item.memory_id) then
          closed := closed || item.memory_id;
        end if;
      end if;
      continue when item.memory_id = any (closed);
      continue when item.memory_id <> all (managed) and not private.may_restore(item);
    else
      continue when not private.may_restore(item);
    end if;
    many := many + 1;
    if many > skip and many <= skip + page then
      items := items || item;
    end if;
  end loop;
  close trashed;
  return query
    select t.kind, t.id, t.memory_id, coalesce(r.person_name, ''),
      coalesce(case t.kind
        when 'memory' then r.person_name
        when 'album' then a.name
        when 'media' then coalesce(nullif(m.caption, ''), d.file_name)
        when 'story' then coalesce(nullif(s.title, ''), private.plain_text(s.body))
        else left(coalesce(t.was ->> 'words', n.words, c.body), 200) end, ''),
      t.deleted_at, t.deleted_at + interval '30 days',
      case t.kind when 'media' then m.size + coalesce((select v.size from public.media v where v.motion_of = m.id), 0)
        when 'memory' then (select coalesce(sum(l.bytes + l.bytes_in_trash), 0)::bigint from private.media_sums l where l.memory_id = t.id)
        else 0 end,
      case when m.id is not null then jsonb_build_object('id', m.id, 'type', m.type, 'placeholder', m.placeholder,
        'colour', m.colour) end,
      many::bigint
    from unnest(items) t
    left join public.memories r on r.id = t.memory_id
    left join public.albums a on a.id = t.album_id
    left join public.media m on m.id = t.media_id
    left join public.media_details d on d.media_id = m.id
    left join public.stories s on s.id = t.story_id
    left join public.comments c on c.id = t.comment_id
    left join public.comment_credits n on n.comment_id = c.id
    order by t.deleted_at desc, t.kind, t.id;
end
$$;
comment on function deleted_items is
  'Items that the signed-in person deleted and may restore, optionally of one memory, newest first: up to 300 after an offset, when each is deleted permanently and its size. The total is exact up to 1000 after the offset, otherwise the offset plus 1001.';
drop index trash_deleted_by;
