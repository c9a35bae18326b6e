set local check_function_bodies = off;

-- Search by the beginnings of words, with what every PostgreSQL has: no extension is needed.
create function private.search_words(value text) returns tsvector language sql immutable strict parallel safe set search_path = '' as $$
  select array_to_tsvector(array_remove(regexp_split_to_array(lower(left(value, 500)), '[^[:alnum:]]+'), ''))
$$;
comment on function private.search_words is 'The words of a name or an address, in lower case, without any grammar.';
create function private.search_query(value text) returns tsquery language sql immutable strict parallel safe set search_path = '' as $$
  select string_agg(quote_literal(word) || ':*', ' & ')::tsquery
  from unnest(array_remove(regexp_split_to_array(lower(left(value, 500)), '[^[:alnum:]]+'), '')) word
$$;
comment on function private.search_query is 'Finds texts with words that begin like these. Null where there is no word.';

create index users_search on auth.users using gin (private.search_words(email));
create index users_created_at on auth.users (created_at desc, id desc);
create index users_staff on auth.users (created_at desc, id desc) where raw_app_meta_data ? 'role';
create index users_suspended on auth.users (created_at desc, id desc) where banned_until is not null;
create index profiles_search on profiles using gin (private.search_words(full_name));

create table staff_notes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  author uuid default auth.uid() references auth.users on delete set null,
  body text not null check (length(btrim(body)) between 1 and 5000),
  created_at timestamptz not null default now()
);
comment on table staff_notes is
  'Notes by staff about an account. Administrators and support read them, administrators write them. Deleted with the account.';
create index staff_notes_user_id on staff_notes (user_id, created_at desc, id);
create index staff_notes_author on staff_notes (author);
alter table staff_notes enable row level security;
grant select, insert (id, user_id, body), delete on staff_notes to authenticated;
create policy "administrators and support read" on staff_notes for select to authenticated
  using ((select private.has_role('admin', 'support')));
create policy "administrators add" on staff_notes for insert to authenticated
  with check ((select private.is_admin()) and author = (select auth.uid()));
create policy "author deletes" on staff_notes for delete to authenticated
  using ((select private.is_admin()) and author = (select auth.uid()));
create policy "required authentication level" on staff_notes as restrictive to authenticated
  using ((select private.has_required_aal()));
create trigger z90_audit_change after insert or delete on staff_notes
  for each row execute function private.audit_change('user_id', 'personal');

create function private.is_suspended(until timestamptz) returns boolean language sql stable set search_path = '' as $$
  select coalesce(until > now(), false)
$$;

-- The first page and every later one are read from an index: of the newest accounts, of staff, of suspended accounts, or of words.
create function desk_people(find text default '', kind text default 'all', before_at timestamptz default null, before_id uuid default null)
returns table (id uuid, email text, full_name text, role text, suspended boolean, plan text, created_at timestamptz, last_sign_in_at timestamptz)
-- The planner cannot know how many words begin like a few letters; reading every account is never right for fifty of them.
language plpgsql stable security definer set search_path = '' set enable_seqscan = off as $$
declare
  -- An account lies before every row of the first page.
  last_at constant timestamptz := coalesce(before_at, 'infinity');
  last_id constant uuid := coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  wanted constant tsquery := private.search_query(find);
  page uuid[];
begin
  perform private.require_role('admin', 'support');
  if find ~* '^\s*[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\s*$' then
    page := array[btrim(find)::uuid];
  elsif wanted is not null then
    page := array(
      select u.id from auth.users u where u.id in (
        select w.id from auth.users w where private.search_words(w.email) @@ wanted
        union all
        select p.id from public.profiles p where private.search_words(p.full_name) @@ wanted)
      and (u.created_at, u.id) < (last_at, last_id)
      and (kind = 'all' or kind = 'staff' and u.raw_app_meta_data ? 'role' or kind = 'suspended' and private.is_suspended(u.banned_until))
      order by u.created_at desc, u.id desc limit 50);
  elsif kind = 'staff' then
    page := array(select u.id from auth.users u where u.raw_app_meta_data ? 'role' and (u.created_at, u.id) < (last_at, last_id)
      order by u.created_at desc, u.id desc limit 50);
  elsif kind = 'suspended' then
    page := array(select u.id from auth.users u
      where u.banned_until is not null and u.banned_until > now() and (u.created_at, u.id) < (last_at, last_id)
      order by u.created_at desc, u.id desc limit 50);
  else
    page := array(select u.id from auth.users u where (u.created_at, u.id) < (last_at, last_id)
      order by u.created_at desc, u.id desc limit 50);
  end if;
  return query
    select u.id, u.email, private.name_of(u.id), u.raw_app_meta_data ->> 'role', private.is_suspended(u.banned_until),
      (select l.name from private.limits_of(u.id) l), u.created_at, u.last_sign_in_at
    from auth.users u where u.id = any (page) order by u.created_at desc, u.id desc;
end
$$;
comment on function desk_people is
  'Fifty accounts, the newest first: all, staff or suspended; with find those whose address or name has words that begin so, or the one of an id. For administrators and support.';

create function desk_person(person uuid) returns jsonb language plpgsql stable security definer set search_path = '' as $$
declare
  found_one jsonb;
begin
  perform private.require_role('admin', 'support');
  select jsonb_build_object(
    'id', u.id, 'email', u.email, 'phone', u.phone, 'full_name', coalesce(p.full_name, ''),
    'role', u.raw_app_meta_data ->> 'role', 'language', u.raw_user_meta_data ->> 'language',
    'suspended', private.is_suspended(u.banned_until), 'confirmed', u.confirmed_at is not null,
    'created_at', u.created_at, 'last_sign_in_at', u.last_sign_in_at,
    'providers', (select coalesce(jsonb_agg(i.provider order by i.provider), '[]') from auth.identities i where i.user_id = u.id),
    'counts', (
      select jsonb_build_object('memories', count(*) filter (where m.deleted_at is null), 'in_trash', count(*) filter (where m.deleted_at is not null),
        'photos', coalesce(sum(x.photos), 0), 'videos', coalesce(sum(x.videos), 0))
      from public.memories m cross join lateral (
        select count(*) filter (where o.type = 'image') as photos, count(*) filter (where o.type = 'video') as videos from public.media o
        where o.memory_id = m.id and o.moderation not in ('deleted', 'attached')) x
      where m.user_id = u.id),
    'stored', coalesce((select a.stored + a.held from private.account_use a where a.account = u.id), 0),
    'plan', (select to_jsonb(l) from private.limits_of(u.id) l),
    'plans', (
      select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'status', s.status, 'starts_at', s.starts_at,
        'expires_at', s.expires_at, 'order_id', s.order_id) order by s.starts_at desc, s.id), '[]')
      from public.user_subscriptions s where s.user_id = u.id),
    'orders', (
      select coalesce(jsonb_agg(to_jsonb(o) order by o.created_at desc, o.id), '[]')
      from (select o.id, o.number, o.status, o.currency, o.total, o.refunded, o.created_at from public.orders o
        where o.user_id = u.id order by o.created_at desc, o.id limit 20) o),
    'sessions', (
      select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'user_agent', s.user_agent, 'ip', split_part(s.ip, '/', 1), 'aal', s.aal,
        'created_at', s.created_at, 'last_seen_at', greatest(s.created_at, s.refreshed_at)) order by greatest(s.created_at, s.refreshed_at) desc), '[]')
      from auth.sessions s where s.user_id = u.id and (s.not_after is null or s.not_after > now())),
    'factors', (
      select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'type', f.factor_type, 'name', f.friendly_name, 'status', f.status,
        'created_at', f.created_at) order by f.created_at), '[]')
      from auth.mfa_factors f where f.user_id = u.id))
  into found_one from auth.users u left join public.profiles p on p.id = u.id where u.id = person;
  if found_one is null then
    raise exception 'There is nothing here.' using errcode = 'PT404', hint = 'not_found';
  end if;
  return found_one;
end
$$;
comment on function desk_person is
  'What an account has: counts, plan, orders, sessions and second factors without their secrets; nothing of what is in its memories. For administrators and support.';

create function private.person_to_change(whom text, reason text) returns auth.users
language plpgsql volatile security definer set search_path = '' as $$
declare
  person auth.users;
begin
  if nullif(btrim(reason), '') is null then
    raise exception 'Say why.' using errcode = 'PT400', hint = 'validation_failed';
  end if;
  select * into person from auth.users u
  where case when whom ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then u.id = whom::uuid else lower(u.email) = lower(btrim(whom)) end
  for update;
  if not found then
    raise exception 'Nobody has an account with this address.' using errcode = 'PT404', hint = 'no_account';
  end if;
  if person.id = auth.uid() then
    raise exception 'Another administrator does this with your account.' using errcode = 'PT409', hint = 'own_account';
  end if;
  return person;
end
$$;
comment on function private.person_to_change is
  'The account of an address or id, locked, for an act of an administrator who says why. Nobody acts on their own account here.';

create function suspend_person(whom text, reason text) returns jsonb language plpgsql volatile security definer set search_path = '' as $$
declare
  person auth.users;
begin
  perform private.require_role('admin');
  person := private.person_to_change(whom, reason);
  update auth.users u set banned_until = now() + interval '100 years', updated_at = now() where u.id = person.id;
  -- Each one that ends is told to every process.
  delete from auth.sessions s where s.user_id = person.id;
  delete from auth.one_time_tokens t where t.user_id = person.id;
  perform private.record_action('person.suspend', person.id::text, null, null, reason);
  return jsonb_build_object('id', person.id, 'suspended', true);
end
$$;
comment on function suspend_person is
  'Lets a person not sign in any more, and ends their sessions and the links that were sent. For administrators and the command line.';

create function let_back_person(whom text, reason text) returns jsonb language plpgsql volatile security definer set search_path = '' as $$
declare
  person auth.users;
begin
  perform private.require_role('admin');
  person := private.person_to_change(whom, reason);
  update auth.users u set banned_until = null, updated_at = now() where u.id = person.id;
  perform private.record_action('person.let_back', person.id::text, null, null, reason);
  return jsonb_build_object('id', person.id, 'suspended', false);
end
$$;
comment on function let_back_person is 'Lets a suspended person sign in again. For administrators and the command line.';

create function private.erase_account(person uuid) returns boolean language plpgsql volatile security definer set search_path = '' as $$
declare
  recipients text[];
begin
  -- Rows follow by their foreign keys, stored bytes by their rows; messages know their reader by the address alone.
  delete from auth.users u where u.id = person returning array_remove(array[u.email, '+' || u.phone], null) into recipients;
  delete from private.outbox o where o.recipient = any (recipients);
  return recipients is not null;
end
$$;
comment on function private.erase_account is 'Deletes an account with all that is theirs, and the messages to it. Returns false where there is none.';

create function erase_person(whom text, reason text) returns jsonb language plpgsql volatile security definer set search_path = '' as $$
declare
  person auth.users;
begin
  perform private.require_role('admin');
  person := private.person_to_change(whom, reason);
  perform private.erase_account(person.id);
  perform private.record_action('person.erase', person.id::text, null, null, reason);
  return jsonb_build_object('id', person.id, 'erased', true);
end
$$;
comment on function erase_person is
  'Deletes an account exactly as its person would. Nothing brings it back. For administrators and the command line.';

drop function grant_plan(text, text, integer);
create function grant_plan(email text, plan text, years integer default null, reason text default 'Given from the command line')
returns jsonb language plpgsql volatile security definer set search_path = '' as $$
declare
  term integer := (select coalesce(years, p.term_years) from public.subscription_plans p where p.id = plan and p.term_years is not null);
  person auth.users;
begin
  perform private.require_role('admin');
  person := private.person_to_change(email, reason);
  if term is null then
    raise exception 'There is no such plan to give.' using errcode = 'PT404', hint = 'no_plan',
      detail = (select string_agg(p.id, ', ' order by p.position) from public.subscription_plans p where p.term_years is not null);
  end if;
  if term not between 1 and 100 then
    raise exception 'A plan is given for 1 to 100 years.' using errcode = 'PT400', hint = 'years';
  end if;
  insert into public.user_subscriptions (user_id, plan_id, expires_at) values (person.id, plan, now() + make_interval(years => term));
  perform private.record_action('person.plan', person.id::text, null, jsonb_build_object('plan', plan, 'years', term), reason);
  return (select to_jsonb(l) from private.limits_of(person.id) l);
end
$$;
comment on function grant_plan is
  'Grants a plan to the account of an address or id from now on, for its own term or the given number of years, without a payment. Returns the limits that apply. For administrators and the command line.';

create function end_granted_plan(subscription uuid, reason text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  plan public.user_subscriptions;
begin
  perform private.require_role('admin');
  select * into plan from public.user_subscriptions s where s.id = subscription and s.order_id is null and s.status in ('active', 'waiting') for update;
  if not found then
    raise exception 'There is no granted plan to end. One that was bought ends with a refund.' using errcode = 'PT404', hint = 'not_found';
  end if;
  perform private.person_to_change(plan.user_id::text, reason);
  update public.user_subscriptions s set status = 'cancelled' where s.id = subscription;
  perform private.recalculate_subscriptions(plan.user_id);
  perform private.record_action('person.plan', plan.user_id::text, jsonb_build_object('plan', plan.plan_id), null, reason);
  return (select to_jsonb(l) from private.limits_of(plan.user_id) l);
end
$$;
comment on function end_granted_plan is 'Ends a plan that was granted without a payment. Nothing is deleted: the limits change. For administrators.';

create function private.begin_account_act(person uuid, action text, reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.person_to_change(person::text, reason);
  perform private.record_action(action, person::text, null, null, reason);
end
$$;
comment on function private.begin_account_act is
  'Locks an account and records what the server is about to do with it for an administrator. Only the server calls it.';

-- Whoever the log names, as they are called now.
create function desk_names(ids uuid[]) returns table (id uuid, email text, full_name text)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role('admin');
  return query select u.id, coalesce(u.email, '+' || u.phone), coalesce(p.full_name, '')
    from auth.users u left join public.profiles p on p.id = u.id where u.id = any (ids[:200]);
end
$$;
comment on function desk_names is 'The addresses and names of accounts that are still there, for the audit log. For administrators.';

revoke execute on all functions in schema private from public;
revoke execute on function private.search_words, private.search_query, private.is_suspended, private.person_to_change, private.erase_account,
  private.begin_account_act
  from anon, authenticated, service_role;
-- Indexes with expressions are written as whoever changes the row.
grant execute on function private.search_words to authenticated, service_role;
revoke execute on function desk_people, desk_person, suspend_person, let_back_person, erase_person, grant_plan, end_granted_plan, desk_names
  from public, anon;
grant execute on function desk_people, desk_person, suspend_person, let_back_person, erase_person, grant_plan, end_granted_plan, desk_names
  to authenticated, service_role;
