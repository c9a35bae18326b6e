-- People correct what a file says of its date: those who may write its caption.
grant update (taken_at) on media to anon, authenticated;

create function private.record_date_source() returns trigger language plpgsql set search_path = '' as $$
begin
  if auth.role() in ('anon', 'authenticated') then
    new.taken_source := case when new.taken_at is not distinct from new.file_taken_at then new.file_taken_source else 'person' end;
  end if;
  return new;
end
$$;
comment on function private.record_date_source is
  'Records that a person set a date, or that they went back to the one in the file. A date taken away by a person stays away.';
create trigger record_date_source before update of taken_at on media for each row
  when (old.taken_at is distinct from new.taken_at) execute function private.record_date_source();
revoke execute on function private.record_date_source from public;

create function set_media_dates(ids uuid[], dates text[]) returns setof uuid language sql volatile set search_path = '' as $$
  update public.media m set taken_at = wanted.taken_at
  from unnest(ids, dates) as wanted (id, taken_at)
  where m.id = wanted.id and m.taken_at is distinct from wanted.taken_at
  returning m.id
$$;
comment on function set_media_dates is
  'Sets the dates of photos and videos, one for each id, and returns the ids of those that changed. The others are left as they are.';
revoke execute on function set_media_dates from public;
grant execute on function set_media_dates to anon, authenticated, service_role;
