-- Whether a link shows names, and whether what comes by it waits, closes nothing: its holders' pages go on, and have to follow.
alter table link_versions
  add column shows_names boolean not null default true,
  add column moderated boolean not null default false;
comment on table link_versions is
  'How often each link has changed, and what its holders'' pages say of it. Seen by whoever came by it, also after it closed.';
comment on column link_versions.shows_names is 'As in share_links: whether its holders are told who added, told, said and gave what.';
comment on column link_versions.moderated is 'As in share_links: whether what its holders add waits for a keeper''s yes.';
update link_versions v set shows_names = l.shows_names, moderated = l.moderated
from share_links l where l.id = v.link_id and (l.shows_names, l.moderated) <> (v.shows_names, v.moderated);

create or replace function private.tell_link_version() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.link_versions (link_id, version, shows_names, moderated)
  values (new.id, new.version, new.shows_names, new.moderated)
  on conflict (link_id) do update
  set version = excluded.version, shows_names = excluded.shows_names, moderated = excluded.moderated;
  return null;
end
$$;
drop trigger tell_link_version on share_links;
create trigger tell_link_version after update on share_links
  for each row when ((new.version, new.shows_names, new.moderated) <> (old.version, old.shows_names, old.moderated))
  execute function private.tell_link_version();
