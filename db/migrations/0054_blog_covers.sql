set local check_function_bodies = off;

-- Public by its name in the protocol; which objects anybody may read is for the row policies below.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('covers', 'covers', true, 50 * 1024 * 1024, '{image/jpeg,image/png,image/webp,image/gif,image/avif,image/tiff,image/heic,image/heif}');

alter table blog_posts
  add column cover text,
  add column cover_alt text not null default '' check (length(cover_alt) <= 300),
  add column cover_width integer,
  add column cover_height integer,
  add column cover_colour text,
  add column cover_placeholder text;
comment on column blog_posts.cover is 'The name of an object in the bucket covers; null for a drawn sky.';
comment on column blog_posts.cover_alt is 'What the cover shows, for people who do not see it.';
comment on column blog_posts.cover_width is 'Pixels of the cover as it is seen. Triggers and a job write this and the columns after it.';
comment on column blog_posts.cover_placeholder is 'A tiny blurred picture as a data URL; null until a job has made it.';
create index blog_posts_cover on blog_posts (cover) where cover is not null;
grant insert (cover, cover_alt), update (cover, cover_alt) on blog_posts to authenticated;

alter table blog_revisions add column cover text, add column cover_alt text not null default '';
create index blog_revisions_cover on blog_revisions (cover) where cover is not null;

-- Only what people write counts as a change: an editor's version is the moment of it.
drop trigger touch_updated_at on blog_posts;
create trigger touch_updated_at before update of slug, language, title, summary, body, author, published_at, cover, cover_alt
  on blog_posts for each row execute function private.touch_updated_at();

create function private.describe_cover() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and new.cover is not distinct from old.cover then
    return new;
  end if;
  new.cover_width := null;
  new.cover_height := null;
  new.cover_colour := null;
  new.cover_placeholder := null;
  if new.cover is not null then
    -- Locked, so that it is not cleared away as unused before this post names it.
    select (o.metadata ->> 'width')::integer, (o.metadata ->> 'height')::integer into new.cover_width, new.cover_height
    from storage.objects o where o.bucket_id = 'covers' and o.name = new.cover for share;
    if not found then
      raise exception 'There is no such picture.' using errcode = '23503', hint = 'cover_missing';
    end if;
    perform pg_notify('cover_waiting', '');
  end if;
  return new;
end
$$;
comment on function private.describe_cover is
  'Refuses a cover that is not stored, and notes its size. Colour and placeholder follow from a job.';
create trigger describe_cover before insert or update of cover on blog_posts
  for each row execute function private.describe_cover();

create or replace function private.keep_revision() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and (new.slug, new.title, new.summary, new.body, new.author, new.cover, new.cover_alt) is not distinct from
    (old.slug, old.title, old.summary, old.body, old.author, old.cover, old.cover_alt) then
    return null;
  end if;
  insert into public.blog_revisions (slug, language, title, summary, body, author, published_at, cover, cover_alt, written_by)
  values (old.slug, old.language, old.title, old.summary, old.body, old.author, old.published_at, old.cover, old.cover_alt, auth.uid());
  return null;
end
$$;

create or replace function restore_revision(revision bigint) returns uuid language plpgsql volatile security definer set search_path = '' as $$
declare
  kept public.blog_revisions;
  restored uuid;
begin
  perform private.require_role('admin', 'editor');
  select * into kept from public.blog_revisions r where r.id = restore_revision.revision;
  if not found then
    raise exception 'There is nothing here.' using errcode = 'PT404', hint = 'not_found';
  end if;
  -- Whether it is published stays as it is; a deleted post comes back as a draft.
  insert into public.blog_posts as post (slug, language, title, summary, body, author, cover, cover_alt)
  values (kept.slug, kept.language, kept.title, kept.summary, kept.body, kept.author, kept.cover, kept.cover_alt)
  on conflict (slug, language) do update set title = excluded.title, summary = excluded.summary, body = excluded.body,
    author = excluded.author, cover = excluded.cover, cover_alt = excluded.cover_alt
  returning post.id into restored;
  perform private.record_action('blog.restore', kept.slug, null, jsonb_build_object('language', kept.language, 'revision', kept.id));
  return restored;
end
$$;

-- The post decides: its own policies say who may read it, and with it its cover.
create policy "covers: readers of the post read" on storage.objects for select to anon, authenticated
  using (bucket_id = 'covers' and exists (select from public.blog_posts p where p.cover = objects.name));
create policy "covers: administrators and editors read" on storage.objects for select to authenticated
  using (bucket_id = 'covers' and (select private.has_role('admin', 'editor')));
-- Never replaced and never deleted by people: earlier versions of a post name it. What nothing names is cleared away by a job.
create policy "covers: administrators and editors add" on storage.objects for insert to authenticated
  with check (bucket_id = 'covers' and name ~ '^[0-9a-f-]{36}\.[a-z]{3,4}$' and (select private.has_role('admin', 'editor')));

revoke execute on all functions in schema private from public;
revoke execute on function private.describe_cover from anon, authenticated, service_role;
