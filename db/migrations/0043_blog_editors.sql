set local check_function_bodies = off;

-- Editors write the blog as administrators do.
drop policy "administrators read" on blog_posts;
drop policy "administrators add" on blog_posts;
drop policy "administrators change" on blog_posts;
drop policy "administrators delete" on blog_posts;
create policy "administrators and editors read" on blog_posts for select to authenticated
  using ((select private.has_role('admin', 'editor')));
create policy "administrators and editors add" on blog_posts for insert to authenticated
  with check ((select private.has_role('admin', 'editor')));
create policy "administrators and editors change" on blog_posts for update to authenticated
  using ((select private.has_role('admin', 'editor'))) with check ((select private.has_role('admin', 'editor')));
create policy "administrators and editors delete" on blog_posts for delete to authenticated
  using ((select private.has_role('admin', 'editor')));

create table blog_revisions (
  id bigint generated always as identity primary key,
  slug text not null,
  language text not null,
  title text not null,
  summary text not null,
  body html not null,
  author text not null,
  published_at timestamptz,
  written_by uuid references auth.users on delete set null,
  written_at timestamptz not null default now()
);
comment on table blog_revisions is
  'Versions of posts as they were before each change and before their deletion. A trigger adds them; nobody changes them. Administrators and editors read them.';
comment on column blog_revisions.written_by is 'Who replaced or deleted it; null for the command line and for accounts that are gone.';
create index blog_revisions_post on blog_revisions (slug, language, id desc);
create index blog_revisions_written_by on blog_revisions (written_by);
alter table blog_revisions enable row level security;
revoke all on blog_revisions from anon, authenticated, service_role;
grant select on blog_revisions to authenticated, service_role;
create policy "administrators and editors read" on blog_revisions for select to authenticated
  using ((select private.has_role('admin', 'editor')));
create policy "required authentication level" on blog_revisions as restrictive to authenticated
  using ((select private.has_required_aal()));

create function private.keep_revision() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and (new.slug, new.title, new.summary, new.body, new.author) is not distinct from
    (old.slug, old.title, old.summary, old.body, old.author) then
    return null;
  end if;
  insert into public.blog_revisions (slug, language, title, summary, body, author, published_at, written_by)
  values (old.slug, old.language, old.title, old.summary, old.body, old.author, old.published_at, auth.uid());
  return null;
end
$$;
create trigger keep_revision after update or delete on blog_posts for each row execute function private.keep_revision();

create function restore_revision(revision bigint) returns uuid language plpgsql volatile security definer set search_path = '' as $$
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
  insert into public.blog_posts as post (slug, language, title, summary, body, author)
  values (kept.slug, kept.language, kept.title, kept.summary, kept.body, kept.author)
  on conflict (slug, language) do update set title = excluded.title, summary = excluded.summary, body = excluded.body, author = excluded.author
  returning post.id into restored;
  perform private.record_action('blog.restore', kept.slug, null, jsonb_build_object('language', kept.language, 'revision', kept.id));
  return restored;
end
$$;
comment on function restore_revision is
  'Puts an earlier version of a post back; a deleted post comes back as a draft. Returns the id of the post. For administrators and editors.';

revoke execute on all functions in schema private from public;
revoke execute on function private.keep_revision from anon, authenticated, service_role;
revoke execute on function restore_revision from public, anon;
grant execute on function restore_revision to authenticated, service_role;
