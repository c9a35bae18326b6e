set local check_function_bodies = off;

alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check check (kind in ('comment', 'answer', 'mention', 'added', 'story', 'held',
  'accepted', 'declined', 'offered', 'offer-declined', 'taken-over', 'locked', 'storage-75', 'storage-90', 'storage-full',
  'birthday', 'passing', 'event', 'file-lost'));
comment on column notices.count is 'Number of uploads, of lost files, of consecutive locks, or of years since the remembered day.';
create unique index one_notice_of_lost_files on notices (user_id, memory_id) where kind = 'file-lost' and read_at is null;

create function private.tell_of_lost_file(object uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  lost record;
begin
  select coalesce(i.motion_of, i.id) as media_id, i.memory_id, m.user_id into lost
  from public.media i join public.memories m on m.id = i.memory_id
  where i.id = object and i.moderation <> 'deleted' and m.deleted_at is null;
  if not found then
    return false;
  end if;
  update private.damaged_files d set told_at = now()
  where d.object_id = object and d.lost_at is not null and d.told_at is null;
  if not found then
    return false;
  end if;
  -- Damage of a disk concerns many files: they are one notice for each memory, and one email a day.
  insert into public.notices as n (user_id, memory_id, kind, media_id, email_due_since)
  values (lost.user_id, lost.memory_id, 'file-lost', lost.media_id, now() + interval '1 hour')
  on conflict (user_id, memory_id) where kind = 'file-lost' and read_at is null do update
  set count = n.count + 1, created_at = now(),
    email_due_since = coalesce(n.email_due_since, greatest(now() + interval '1 hour', n.mailed_at + interval '1 day'));
  return true;
end
$$;
comment on function private.tell_of_lost_file is
  'Tells the owner of a memory, once, that a photo or video cannot be repaired. False if there is nobody to tell, or they know.';

create function private.forget_damage(object uuid, file_version text, was_mended boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  was_told boolean;
  memory uuid;
begin
  delete from private.damaged_files d where d.object_id = object and d.version = file_version
  returning d.told_at is not null into was_told;
  if not found then
    return;
  end if;
  if was_mended then
    update private.read_back r set mended = r.mended + 1;
  end if;
  if was_told then
    select i.memory_id into memory from public.media i where i.id = object;
    -- An unread notice is no longer true; how many others it counts is.
    update public.notices n set count = n.count - 1 where n.memory_id = memory and n.kind = 'file-lost' and n.read_at is null and n.count > 0;
    delete from public.notices n where n.memory_id = memory and n.kind = 'file-lost' and n.read_at is null and n.count = 0;
  end if;
end
$$;
comment on function private.forget_damage is 'Deletes the row of a file whose bytes are right again, and corrects the unread notice about it.';

revoke execute on function private.tell_of_lost_file, private.forget_damage from public;
