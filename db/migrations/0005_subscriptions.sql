set local check_function_bodies = off;

create table user_subscriptions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  plan_id text not null references subscription_plans,
  status text not null default 'active' check (status in ('active', 'waiting', 'replaced', 'cancelled', 'refunded')),
  starts_at timestamptz not null default now(),
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  order_id uuid references orders on delete set null,
  order_item_id uuid unique references order_items on delete set null,
  name text not null,
  max_memories integer check (max_memories > 0),
  storage_gb integer not null check (storage_gb > 0),
  term_years integer check (term_years > 0),
  amount integer not null check (amount >= 0),
  credit integer not null default 0 check (credit >= 0),
  currency text not null check (currency in ('GBP', 'EUR')),
  replaced_at timestamptz,
  check (expires_at > starts_at)
);
comment on table user_subscriptions is 'Purchased plans. People can read their own; only the server writes them.';
comment on column user_subscriptions.expires_at is
  'A plan counts while its status is active and this is in the future (Spec §4).';
comment on column user_subscriptions.status is
  'active; waiting until a larger plan ends; replaced by a larger plan, which its unused value was added to; cancelled; refunded.';
comment on column user_subscriptions.order_item_id is 'The purchased item; null for a plan that an administrator granted.';
comment on column user_subscriptions.name is 'As sold, like max_memories (null for no limit), storage_gb and term_years.';
comment on column user_subscriptions.amount is 'Price paid in pence or cents; for a granted plan the price it would have had.';
comment on column user_subscriptions.credit is
  'Remaining value of the plans it replaced, in pence or cents. It extends the term.';
create index user_subscriptions_user_id on user_subscriptions (user_id, expires_at desc);
create index user_subscriptions_order_id on user_subscriptions (order_id);
create index user_subscriptions_expires_at on user_subscriptions (expires_at) where status in ('active', 'waiting');
alter table user_subscriptions enable row level security;

-- Spec §4: the active plan with the latest end, otherwise the Free plan. A waiting plan counts from its start, even if its
-- status has not been updated yet.
create function private.limits_of(account uuid)
returns table (plan_id text, name text, max_memories integer, storage_gb integer, storage_bytes bigint, expires_at timestamptz)
language sql stable security definer set search_path = '' as $$
  with held as (
    select s.plan_id, s.name, s.max_memories, s.storage_gb, s.expires_at from public.user_subscriptions s
    where s.user_id = account and (s.status = 'active' or s.status = 'waiting' and s.starts_at <= now())
      and s.expires_at > now() order by s.expires_at desc limit 1
  ), counting as (
    select * from held
    union all
    select p.id, p.name, p.max_memories, p.storage_gb, null from public.subscription_plans p
    where p.id = 'skies-starter' and not exists (select from held)
  )
  select c.plan_id, c.name, c.max_memories, c.storage_gb, c.storage_gb::bigint * 1024 * 1024 * 1024, c.expires_at
  from counting c
$$;
comment on function private.limits_of is
  'The limits of an account: those of its plan or of the free one. Always returns one row.';

create function grant_plan(email text, plan text, years integer default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  account uuid := (select u.id from auth.users u where lower(u.email) = lower(btrim(grant_plan.email)));
  term integer := (select coalesce(years, p.term_years) from public.subscription_plans p where p.id = plan and p.term_years is not null);
begin
  if account is null then
    raise exception 'Nobody has an account with this address.' using errcode = 'PT404', hint = 'no_account';
  end if;
  if term is null then
    raise exception 'There is no such plan to give.' using errcode = 'PT404', hint = 'no_plan',
      detail = (select string_agg(p.id, ', ' order by p.position) from public.subscription_plans p where p.term_years is not null);
  end if;
  if term not between 1 and 100 then
    raise exception 'A plan is given for 1 to 100 years.' using errcode = 'PT400', hint = 'years';
  end if;
  insert into public.user_subscriptions (user_id, plan_id, expires_at) values (account, plan, now() + make_interval(years => term));
  return (select to_jsonb(l) from private.limits_of(account) l);
end
$$;
comment on function grant_plan is
  'Grants a plan to an account from now on, for its own term or the given number of years, without a payment. Returns the limits that apply. Only for the service role.';

create function private.list_worth(plan text, term_years integer, starts_at timestamptz, expires_at timestamptz)
returns integer language sql stable security definer set search_path = '' as $$
  select coalesce((
    select case when isfinite(expires_at) then least(
      round(p.amount * extract(epoch from expires_at - starts_at) / extract(epoch from starts_at + make_interval(years => coalesce(term_years, 1)) - starts_at)), 2000000000) end
    from public.plan_prices p where p.plan_id = plan and p.currency = 'GBP'), 0)::integer
$$;
comment on function private.list_worth is 'The catalogue price of a period of a plan, in pence.';

create function private.copy_sold_terms() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if new.name is null then
    select p.name, p.max_memories, p.storage_gb, p.term_years
    into new.name, new.max_memories, new.storage_gb, new.term_years
    from public.subscription_plans p where p.id = new.plan_id;
  end if;
  -- A granted plan is valued at its catalogue price.
  if new.order_id is null and new.amount is null then
    new.currency := 'GBP';
    new.amount := private.list_worth(new.plan_id, new.term_years, new.starts_at, new.expires_at);
  end if;
  return new;
end
$$;
create trigger copy_sold_terms before insert on user_subscriptions
  for each row execute function private.copy_sold_terms();

create function private.left_of(worth integer, starts_at timestamptz, expires_at timestamptz, at timestamptz) returns numeric
language sql immutable set search_path = '' as $$
  select worth * greatest(extract(epoch from expires_at - greatest(at, starts_at)), 0)
    / extract(epoch from expires_at - starts_at)
$$;
comment on function private.left_of is
  'The unused part of a plan''s value at a moment, in proportion to time, in pence or cents.';

create function private.is_less(one public.user_subscriptions, other public.user_subscriptions) returns boolean
language sql immutable set search_path = '' as $$
  select one.storage_gb < other.storage_gb
    or one.max_memories is not null and (other.max_memories is null or one.max_memories < other.max_memories)
$$;
comment on function private.is_less is 'Whether one plan, as sold, is smaller than another in any limit.';

-- Recalculated from the first purchase in order of purchase, so the result does not depend on when, how often or in which
-- order payments and refunds are reported. The rule is in docs/decisions/0030.
create function private.recalculate_subscriptions(account uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  held public.user_subscriptions[] := '{}';
  bought record;
  next public.user_subscriptions;
  other public.user_subscriptions;
  ahead public.user_subscriptions;
  worth numeric;
  free_from timestamptz;
  place integer;
begin
  perform private.lock_account(account);
  for bought in
    select s.id, s.created_at as at, s as given, null::public.orders as paid, null::public.order_items as item, p as plan, 0 as line
    from public.user_subscriptions s join public.subscription_plans p on p.id = s.plan_id
    where s.user_id = account and s.order_id is null and s.status in ('active', 'replaced')
    union all
    select coalesce(s.id, gen_random_uuid()), o.paid_at, s, o, i, p, i.position
    from public.orders o join public.order_items i on i.order_id = o.id and i.kind = 'plan'
    join public.subscription_plans p on p.id = i.plan_id
    left join public.user_subscriptions s on s.order_item_id = i.id
    where o.user_id = account and o.status in ('paid', 'disputed')
      and coalesce((i.terms ->> 'term_years')::integer, p.term_years) is not null
    order by 2, 7, 1
  loop
    if (bought.paid).id is null then
      next := bought.given;
      next.status := 'active';
      next.replaced_at := null;
      held := array_append(held, next);
      continue;
    end if;
    next := private.sold_plan(bought.paid, bought.item, bought.plan);
    next.id := bought.id;
    next.user_id := account;

    ahead := null;
    worth := 0;
    foreach other in array held loop
      continue when other.status = 'replaced' or other.expires_at <= bought.at;
      if (select p.position from public.subscription_plans p where p.id = other.plan_id) < (bought.plan).position then
        worth := worth + private.left_of(other.amount + other.credit, other.starts_at, other.expires_at, bought.at);
      elsif ahead.id is null or other.expires_at > ahead.expires_at then
        ahead := other;
      end if;
    end loop;

    if ahead.id is null then
      -- The first plan, or a larger one, which gets the remaining value of those it replaces.
      next.credit := ceil(worth);
      next.expires_at := next.starts_at + make_interval(years => next.term_years);
      next.expires_at := next.expires_at + make_interval(days => coalesce(ceil(worth
        * extract(epoch from next.expires_at - next.starts_at) / 86400 / nullif((bought.item).unit_amount, 0))::integer, 0));
    else
      -- The same plan extends the current one; a smaller one starts when the current one ends.
      next.starts_at := ahead.expires_at;
      next.expires_at := next.starts_at + make_interval(years => next.term_years);
    end if;
    -- Smaller plans follow it one after the other.
    free_from := next.expires_at;
    for place in select n from generate_subscripts(held, 1) n order by (held[n]).starts_at loop
      other := held[place];
      continue when other.status = 'replaced' or other.expires_at <= bought.at;
      if ahead.id is null then
        other.status := 'replaced';
        other.replaced_at := bought.at;
      elsif other.starts_at >= ahead.expires_at then
        other.starts_at := free_from;
        other.expires_at := free_from + make_interval(years => other.term_years);
        free_from := other.expires_at;
      end if;
      held[place] := other;
    end loop;
    held := array_append(held, next);
  end loop;

  update public.user_subscriptions s set status = 'refunded'
  from public.orders o where o.id = s.order_id and s.user_id = account and o.status = 'refunded' and s.status <> 'refunded';
  insert into public.user_subscriptions as s
  select (h).* from (
    select private.with_status(k, held) as h from unnest(held) k
  ) settled
  on conflict (id) do update set status = excluded.status, starts_at = excluded.starts_at, expires_at = excluded.expires_at,
    amount = excluded.amount, credit = excluded.credit, replaced_at = excluded.replaced_at
  where (s.status, s.starts_at, s.expires_at, s.amount, s.credit, s.replaced_at)
    is distinct from (excluded.status, excluded.starts_at, excluded.expires_at, excluded.amount, excluded.credit, excluded.replaced_at);
end
$$;
comment on function private.recalculate_subscriptions is
  'Sets an account''s subscriptions from its payments, refunds and grants. Can be repeated without effect.';

create function private.sold_plan(paid public.orders, item public.order_items, plan public.subscription_plans)
returns public.user_subscriptions language plpgsql stable set search_path = '' as $$
declare
  sold public.user_subscriptions;
begin
  sold.plan_id := item.plan_id;
  sold.order_id := paid.id;
  sold.order_item_id := item.id;
  sold.created_at := paid.paid_at;
  sold.starts_at := paid.paid_at;
  sold.status := 'active';
  sold.name := coalesce(item.terms ->> 'name', plan.name);
  sold.max_memories := case when item.terms ? 'max_memories' then (item.terms ->> 'max_memories')::integer else plan.max_memories end;
  sold.storage_gb := coalesce((item.terms ->> 'storage_gb')::integer, plan.storage_gb);
  sold.term_years := coalesce((item.terms ->> 'term_years')::integer, plan.term_years);
  sold.currency := paid.currency;
  -- A refunded part has no value.
  sold.amount := round(item.total::numeric * (paid.total - paid.refunded) / greatest(paid.total, 1));
  sold.credit := 0;
  return sold;
end
$$;
comment on function private.sold_plan is 'The subscription that results from a line of a paid order if no other plan is held.';

create function private.with_status(plan public.user_subscriptions, held public.user_subscriptions[])
returns public.user_subscriptions language plpgsql stable set search_path = '' as $$
begin
  -- A renewal of the same plan is active from the start, so that its end counts.
  if plan.status <> 'replaced' then
    plan.status := case when plan.starts_at <= now() or exists (
        select from unnest(held) h where h.plan_id = plan.plan_id and h.status <> 'replaced'
          and h.starts_at <= now() and h.expires_at > now() and not private.is_less(plan, h))
      then 'active' else 'waiting' end;
  end if;
  return plan;
end
$$;
comment on function private.with_status is 'Sets whether a plan is active or waiting, given all plans that the account has.';

create function private.grant_sold_plans() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.order_items i where i.order_id = new.id and i.kind = 'plan') then
    perform private.recalculate_subscriptions(new.user_id);
  end if;
  return null;
end
$$;
create trigger t20_grant_sold_plans after update on orders for each row
  when (new.user_id is not null and new.paid_at is not null
    and (new.status <> old.status or new.refunded <> old.refunded or old.paid_at is null))
  execute function private.grant_sold_plans();

create function private.begin_waiting_subscriptions() returns integer language sql volatile security definer set search_path = '' as $$
  with begun as (
    update public.user_subscriptions set status = 'active' where status = 'waiting' and starts_at <= now() returning 1
  ) select count(*)::integer from begun
$$;
comment on function private.begin_waiting_subscriptions is
  'Activates waiting subscriptions whose start has passed, and returns how many. Limits apply from the start itself; this only updates the status for readers.';

create function private.confirm_voucher_use() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.voucher_uses set paid_at = coalesce(paid_at, new.paid_at, now()), released_at = null where order_id = new.id;
  return null;
end
$$;
create trigger t10_confirm_voucher_use after update on orders for each row
  when (new.voucher_code is not null and new.paid_at is not null and old.paid_at is null)
  execute function private.confirm_voucher_use();

grant select on user_subscriptions to authenticated;
create policy "own rows" on user_subscriptions for select to authenticated using (user_id = (select auth.uid()));

revoke execute on all functions in schema private from public;
revoke execute on function grant_plan from public, anon, authenticated;
