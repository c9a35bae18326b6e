-- Films of slideshows are work of the queue, too.
insert into private.work (kind, subject, attempts, due_at)
select 'films', f.slideshow_id, coalesce(c.attempts, 0), greatest(c.until, f.requested_at)
from slideshow_films f left join private.film_claims c on c.slideshow_id = f.slideshow_id where f.state in ('waiting', 'making');
create trigger enqueue_film after insert or update of state on slideshow_films
  for each row when (new.state = 'waiting') execute function private.enqueue_work('films', 'slideshow_id', 'requested_at');
create trigger end_work after delete on slideshow_films for each row execute function private.end_work('slideshow_id');
drop index slideshow_films_waiting;

create or replace function private.follow_media_in_slideshows() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' then
    update public.slideshows s set changes = s.changes + 1
      where s.id in (select i.slideshow_id from public.slideshow_items i where i.media_id = new.id);
    if new.memory_id <> old.memory_id then
      delete from public.slideshow_items i where i.media_id = new.id;
      update public.slideshows s set music_id = null where s.music_id = new.id;
    end if;
    if new.memory_id = old.memory_id and new.moderation = 'shown' then
      return null;
    end if;
  end if;
  with gone as (delete from private.film_media f where f.media_id = old.id returning f.slideshow_id),
  ended as (delete from private.work w using gone where w.subject = gone.slideshow_id)
  update public.slideshow_films f set state = 'withdrawn', progress = null, failure = null, object_name = null, size = null,
    seconds = null, made_at = null, made_of = null, expires_at = null
  from gone where f.slideshow_id = gone.slideshow_id;
  return null;
end
$$;

create or replace function public.discard_film(slideshow uuid) returns void language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from public.slideshows s where s.id = slideshow and private.is_manager(s.memory_id)) then
    raise exception 'There is no such slideshow among yours.' using errcode = 'PT404';
  end if;
  -- In the order of the job that stores a film.
  perform from public.slideshow_films f where f.slideshow_id = slideshow for update;
  delete from private.work w where w.subject = slideshow;
  update public.slideshow_films f set state = 'ready', progress = null, failure = null
    where f.slideshow_id = slideshow and f.state in ('waiting', 'making') and f.object_name is not null;
  if not found then
    delete from public.slideshow_films f where f.slideshow_id = slideshow;
  end if;
end
$$;

create or replace function public.request_film(slideshow uuid) returns void language plpgsql security definer set search_path = '' as $$
declare
  memory constant uuid := (select s.memory_id from public.slideshows s where s.id = slideshow and private.is_manager(s.memory_id));
begin
  if memory is null then
    raise exception 'There is no such slideshow among yours.' using errcode = 'PT404';
  end if;
  if (select count(*) from public.slideshow_films f where f.memory_id = memory and f.slideshow_id <> slideshow
    and f.state in ('waiting', 'making')) >= 3 then
    raise exception 'Three films of this memory are being made.' using errcode = 'PT400', hint = 'too_many_films';
  end if;
  insert into public.slideshow_films as f (slideshow_id, memory_id) values (slideshow, memory)
  on conflict (slideshow_id) do update set state = 'waiting', progress = null, failure = null, requested_at = now()
    where f.state not in ('waiting', 'making');
end
$$;

drop table private.film_claims;
