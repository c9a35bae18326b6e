-- What comes into an album takes nothing from what its links had opened: a download that was prepared before goes on.
alter table share_links add column grown integer not null default 0;
comment on column share_links.grown is
  'How many of its versions came of nothing but a memory put into its album; every other one closes what was prepared before it.';
alter table private.prepared_downloads add column link_state integer;
comment on column private.prepared_downloads.link_state is
  'The link''s version without what it had grown, when this was prepared: while it is the same, the link opens all that it did. Null without a link.';

create or replace function private.raise_versions_beside() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  was constant uuid := case when tg_op <> 'INSERT' then old.album_id end;
  is_in constant uuid := case when tg_op <> 'DELETE' then new.album_id end;
  grows constant boolean := tg_op <> 'DELETE' and not new.draft;
begin
  if tg_op = 'UPDATE' and new.draft <> old.draft then
    update public.share_links set version = version + 1 where memory_id = new.id;
  end if;
  update public.share_links
  set version = version + 1, grown = grown + case when grows and album_id = is_in then 1 else 0 end
  where album_id = any (array[was, is_in])
    -- When an account goes, each memory of an album that is gone tells its links, which can not be changed twice any more.
    and exists (select from public.albums a where a.id = share_links.album_id);
  return null;
end
$$;

-- Copies of videos are without the notes between their pictures now, and so other bytes than those that were measured.
delete from private.measured_files where form = 'copy' and type like 'video/%';
delete from private.prepared_downloads where manifest like '%"form":"copy"%';
