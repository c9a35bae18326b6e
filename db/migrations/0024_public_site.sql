create table contact_messages (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(name) between 1 and 200),
  email text not null check (length(email) <= 254),
  subject text not null check (length(subject) <= 200),
  -- HTML, cleaned by the server before it is stored.
  message html not null check (length(message) <= 20000),
  created_at timestamptz not null default now()
);
comment on table contact_messages is
  'Messages of the contact form. The server alone writes them, together with the email to MAIL_INFO; administrators read them.';
comment on column contact_messages.email is 'As it was typed: nobody has confirmed it.';
create index contact_messages_created_at on contact_messages (created_at, id);

alter table contact_messages enable row level security;
grant select on contact_messages to authenticated;
create policy "administrators read" on contact_messages for select to authenticated
  using ((select private.is_admin()));

create table blog_posts (
  id uuid primary key default gen_random_uuid(),
  -- The translations of a post share their slug, which is in the address of both.
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 100),
  language text not null check (language in ('en', 'it')),
  title text not null check (length(title) between 1 and 200),
  summary text not null check (length(summary) between 1 and 500),
  body html not null check (length(body) <= 200000),
  author text not null check (length(author) between 1 and 100),
  published_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (slug, language)
);
comment on table blog_posts is 'The posts of the blog, a row for each language. Anyone reads those that are published.';
comment on column blog_posts.published_at is 'Null for a draft; in the future for a scheduled post.';
create index blog_posts_published on blog_posts (language, published_at desc, id);

alter table blog_posts enable row level security;
grant select on blog_posts to anon, authenticated;
grant insert (slug, language, title, summary, body, author, published_at),
  update (slug, language, title, summary, body, author, published_at), delete on blog_posts to authenticated;
create policy "published posts" on blog_posts for select to anon, authenticated using (published_at <= now());
create policy "administrators read" on blog_posts for select to authenticated using ((select private.is_admin()));
create policy "administrators add" on blog_posts for insert to authenticated with check ((select private.is_admin()));
create policy "administrators change" on blog_posts for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "administrators delete" on blog_posts for delete to authenticated using ((select private.is_admin()));
create trigger touch_updated_at before update on blog_posts for each row execute function private.touch_updated_at();
