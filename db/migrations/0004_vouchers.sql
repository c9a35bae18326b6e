set local check_function_bodies = off;

create table vouchers (
  id uuid primary key default gen_random_uuid(),
  code text not null unique check (code ~ '^[A-Z0-9][A-Z0-9-]{1,38}[A-Z0-9]$'),
  percentage numeric(5, 2) not null check (percentage > 0 and percentage <= 100),
  starts_at timestamptz not null default now(),
  ends_at timestamptz,
  max_uses integer check (max_uses > 0),
  max_uses_per_person integer check (max_uses_per_person > 0),
  plan_ids text[],
  applies_to_cards boolean not null default true,
  active boolean not null default true,
  note text not null default '' check (length(note) <= 500),
  created_at timestamptz not null default now(),
  check (ends_at > starts_at)
);
comment on table vouchers is
  'Codes for a percentage discount. Administrators can read and create them; everybody else can only check a single code.';
comment on column vouchers.code is 'In capitals. People may type it in any case.';
comment on column vouchers.max_uses is 'Total number of uses; null for no limit. Reserved uses that are not paid yet count.';
comment on column vouchers.plan_ids is 'The plans it applies to; null for all, empty for none.';
comment on column vouchers.applies_to_cards is 'Whether it applies to cards.';
comment on column vouchers.note is 'Purpose, for administrators.';
alter table vouchers enable row level security;

create table voucher_uses (
  voucher_id uuid not null references vouchers on delete cascade,
  order_id uuid not null unique references orders on delete cascade deferrable initially deferred,
  user_id uuid references auth.users on delete set null,
  percentage numeric(5, 2) not null,
  used_at timestamptz not null default now(),
  paid_at timestamptz,
  released_at timestamptz
);
comment on table voucher_uses is
  'The order that a voucher was used for. The buyer and administrators can read it; only the server writes it.';
comment on column voucher_uses.used_at is 'When the use was reserved, at the start of the payment.';
comment on column voucher_uses.released_at is 'When it was released because the payment was not completed.';
comment on column voucher_uses.percentage is 'The discount that was applied.';
create index voucher_uses_voucher_id on voucher_uses (voucher_id) where released_at is null;
create index voucher_uses_user_id on voucher_uses (user_id);
alter table voucher_uses enable row level security;

create function private.write_code_plainly() returns trigger language plpgsql set search_path = '' as $$
begin
  new.code := upper(btrim(new.code));
  return new;
end
$$;
create trigger write_code_plainly before insert or update on vouchers
  for each row execute function private.write_code_plainly();

create function private.usable_voucher(wanted public.vouchers, account uuid, sparing uuid[] default '{}') returns text
language sql stable security definer set search_path = '' as $$
  select case
    when wanted.id is null or not wanted.active then 'voucher_unknown'
    when wanted.starts_at > now() or wanted.ends_at <= now() then 'voucher_over'
    when uses.total >= wanted.max_uses then 'voucher_used_up'
    when uses.own >= wanted.max_uses_per_person then 'voucher_used'
  end
  from (
    select count(*) as total, count(*) filter (where u.user_id = account) as own from public.voucher_uses u
    where u.voucher_id = wanted.id and u.released_at is null and u.order_id <> all (sparing)
  ) uses
$$;
comment on function private.usable_voucher is
  'Why an account cannot use a voucher now, as a hint; null if it can. Uses for the given orders are not counted.';

-- The answer is the same for every invalid code, so that it reveals nothing about existing codes.
create function apply_voucher(code_text text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  wanted constant text := upper(btrim(coalesce(code_text, '')));
  -- A session without the required authentication level is treated as anonymous.
  person constant uuid := case when private.has_required_aal() then auth.uid() end;
  found public.vouchers;
  own_pending uuid[];
begin
  if wanted = '' then
    return jsonb_build_object('valid', false, 'discount_percentage', 0, 'message', 'No voucher code provided');
  end if;
  select * into found from public.vouchers v where v.code = wanted;
  -- A person who returns from the payment page keeps the use that is reserved for them.
  select coalesce(array_agg(u.order_id), '{}') into own_pending from public.voucher_uses u
  where u.user_id = person and u.paid_at is null and u.released_at is null;
  if private.usable_voucher(found, person, own_pending) is not null then
    return jsonb_build_object('valid', false, 'discount_percentage', 0, 'message', 'Invalid voucher code');
  end if;
  return jsonb_build_object('valid', true, 'discount_percentage', found.percentage, 'message', '',
    'plan_ids', found.plan_ids, 'applies_to_cards', found.applies_to_cards);
end
$$;
comment on function apply_voucher is
  'The discount of a code for the caller (Spec §7): valid, discount_percentage and message, and for a valid code what it applies to.';

create function private.voucher_covers(code text, plan_id text) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce((
    select case when voucher_covers.plan_id is null then v.applies_to_cards
      else coalesce(voucher_covers.plan_id = any (v.plan_ids), true) end
    from public.vouchers v where v.code = upper(btrim(voucher_covers.code))), false)
$$;
comment on function private.voucher_covers is 'Whether a voucher applies to this plan, or to cards if the plan is null.';

create function private.reserve_voucher(code text, account uuid, order_id uuid, plan_ids text[]) returns numeric
language plpgsql volatile security definer set search_path = '' as $$
declare
  found public.vouchers;
  reason text;
begin
  -- Other transactions that use this voucher wait until this one ends.
  select * into found from public.vouchers v where v.code = upper(btrim(reserve_voucher.code)) for update;
  reason := coalesce(private.usable_voucher(found, account, array[reserve_voucher.order_id]),
    case when not found.applies_to_cards
      and not exists (select from unnest(reserve_voucher.plan_ids) p where coalesce(p = any (found.plan_ids), true))
      then 'voucher_plans' end);
  if reason is not null then
    raise exception 'Invalid voucher code' using errcode = 'PT409', hint = reason;
  end if;
  insert into public.voucher_uses as u (voucher_id, order_id, user_id, percentage)
  values (found.id, reserve_voucher.order_id, account, found.percentage)
  on conflict on constraint voucher_uses_order_id_key do update
    set voucher_id = excluded.voucher_id, percentage = excluded.percentage, released_at = null, used_at = now();
  return found.percentage;
end
$$;
comment on function private.reserve_voucher is
  'Reserves one use of a voucher for an order and returns its percentage. Raises PT409, with the reason as hint, if it cannot be used. plan_ids are the plans in the order; empty if it contains only cards. Repeating it for the same order has no effect.';

create function private.release_voucher(order_id uuid) returns void
language sql volatile security definer set search_path = '' as $$
  update public.voucher_uses u set released_at = now()
  where u.order_id = release_voucher.order_id and u.released_at is null and u.paid_at is null
$$;
comment on function private.release_voucher is 'Releases the use reserved for an order that was not paid. Paid uses are kept.';

grant select, insert, update, delete on vouchers to authenticated;
create policy "administrators" on vouchers to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));

grant select on voucher_uses to authenticated;
create policy "buyer and administrators read" on voucher_uses for select to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()));

revoke execute on all functions in schema private from public;
revoke execute on function apply_voucher from public, anon, authenticated;
grant execute on function apply_voucher to anon, authenticated;
