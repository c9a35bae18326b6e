create table subscription_plans (
  id text primary key check (id ~ '^[a-z0-9-]{1,40}$'),
  name text not null check (length(btrim(name)) between 1 and 100),
  max_memories integer check (max_memories > 0),
  storage_gb integer not null check (storage_gb > 0),
  term_years integer check (term_years > 0),
  included_cards integer not null default 0 check (included_cards >= 0),
  position integer not null unique
);
comment on table subscription_plans is 'The plans that can be held (Spec §9). Anyone may read them.';
comment on column subscription_plans.max_memories is 'How many memories may be kept; null for as many as one likes.';
comment on column subscription_plans.storage_gb is 'Storage in units of 1024³ bytes.';
comment on column subscription_plans.term_years is 'How long one payment lasts; null for a plan that never ends.';
comment on column subscription_plans.position is 'Its place among the plans, from the smallest on.';

insert into subscription_plans (id, name, max_memories, storage_gb, term_years, included_cards, position) values
  ('skies-starter', 'Skies Starter', 1, 1, null, 0, 1),
  ('skies-memories', 'Skies Memories', null, 100, 1, 1, 2),
  ('skies-pro', 'Skies Pro', null, 250, 3, 3, 3),
  ('skies-master', 'Skies Master', null, 500, 5, 5, 4);

alter table subscription_plans enable row level security;
grant select on subscription_plans to anon, authenticated;
create policy "anyone" on subscription_plans for select to anon, authenticated using (true);
create policy "after the second step" on subscription_plans as restrictive to authenticated
  using ((select private.fully_signed_in()));

create table user_subscriptions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  plan_id text not null references subscription_plans,
  status text not null default 'active' check (status in ('active', 'cancelled', 'refunded')),
  starts_at timestamptz not null default now(),
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  check (expires_at > starts_at)
);
comment on table user_subscriptions is 'Plans that people have paid for. Each sees their own; only the server writes them.';
comment on column user_subscriptions.expires_at is 'It counts while its status is active and this lies ahead (Spec §4).';
create index user_subscriptions_user_id on user_subscriptions (user_id, expires_at desc);

alter table user_subscriptions enable row level security;
grant select on user_subscriptions to authenticated;
create policy "their own" on user_subscriptions for select to authenticated using (user_id = (select auth.uid()));
create policy "after the second step" on user_subscriptions as restrictive to authenticated
  using ((select private.fully_signed_in()));

-- Spec §4: active, not over, the newest-expiring of several; without one, the Free plan.
create function private.limits_of(account uuid)
returns table (plan_id text, name text, max_memories integer, storage_gb integer, storage_bytes bigint, expires_at timestamptz)
language sql stable security definer set search_path = '' as $$
  with held as (
    select s.plan_id, s.expires_at from public.user_subscriptions s
    where s.user_id = account and s.status = 'active' and s.expires_at > now() order by s.expires_at desc limit 1
  )
  select p.id, p.name, p.max_memories, p.storage_gb, p.storage_gb::bigint * 1024 * 1024 * 1024, held.expires_at
  from public.subscription_plans p left join held on true
  where p.id = coalesce(held.plan_id, 'skies-starter')
$$;
comment on function private.limits_of is 'What an account may keep now: its plan, or the free one. One row, always.';
revoke execute on function private.limits_of from public;

alter publication supabase_realtime add table user_subscriptions;
