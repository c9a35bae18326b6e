set local check_function_bodies = off;

create table campaigns (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(btrim(name)) between 1 and 100),
  active boolean not null default true,
  created_at timestamptz not null default now()
);
comment on table campaigns is 'Batches of single-use vouchers that were made at once. Switched off, none of them is valid. Administrators read them.';
alter table campaigns enable row level security;
revoke all on campaigns from anon, authenticated;
grant select, update (name, active) on campaigns to authenticated;
create policy "administrators read" on campaigns for select to authenticated using ((select private.is_admin()));
create policy "administrators change" on campaigns for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "required authentication level" on campaigns as restrictive to authenticated
  using ((select private.has_required_aal()));
create trigger z90_audit_change after update on campaigns for each row execute function private.audit_change('id', 'plain');

alter table vouchers add column campaign_id uuid references campaigns on delete cascade;
comment on column vouchers.campaign_id is 'The campaign that it was made for; null for one that was made alone.';
create index vouchers_campaign_id on vouchers (campaign_id);
create index vouchers_newest on vouchers (created_at desc, id) where campaign_id is null;
-- A voucher comes to its campaign by create_campaign alone.
revoke insert, update on vouchers from authenticated;
grant insert (id, code, percentage, starts_at, ends_at, max_uses, max_uses_per_person, plan_ids, applies_to_cards, active, note, created_at),
  update (id, code, percentage, starts_at, ends_at, max_uses, max_uses_per_person, plan_ids, applies_to_cards, active, note, created_at)
  on vouchers to authenticated;
-- The log has a campaign once, and not each of its codes.
drop trigger z90_audit_change on vouchers;
create trigger z90_audit_change after update or delete on vouchers for each row execute function private.audit_change('code', 'plain');
create trigger z90_audit_insert after insert on vouchers for each row when (new.campaign_id is null)
  execute function private.audit_change('code', 'plain');

create or replace function private.usable_voucher(wanted public.vouchers, account uuid, sparing uuid[] default '{}') returns text
language sql stable security definer set search_path = '' as $$
  select case
    when wanted.id is null or not wanted.active
      or exists (select from public.campaigns c where c.id = wanted.campaign_id and not c.active) then 'voucher_unknown'
    when wanted.starts_at > now() or wanted.ends_at <= now() then 'voucher_over'
    when uses.total >= wanted.max_uses then 'voucher_used_up'
    when uses.own >= wanted.max_uses_per_person then 'voucher_used'
  end
  from (
    select count(*) as total, count(*) filter (where u.user_id = account) as own from public.voucher_uses u
    where u.voucher_id = wanted.id and u.released_at is null and u.order_id <> all (sparing)
  ) uses
$$;

create function create_campaign(name text, percentage numeric, codes integer, prefix text default '', ends_at timestamptz default null,
  plan_ids text[] default null, applies_to_cards boolean default true) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  made uuid;
  beginning constant text := upper(btrim(coalesce(prefix, '')));
begin
  perform private.require_role('admin');
  if codes is null or codes not between 1 and 1000 then
    raise exception 'A campaign has 1 to 1000 codes.' using errcode = 'PT400', hint = 'validation_failed';
  end if;
  if beginning !~ '^([A-Z0-9]{1,20})?$' then
    raise exception 'A code begins with up to 20 letters and figures.' using errcode = 'PT400', hint = 'validation_failed';
  end if;
  insert into public.campaigns (name) values (btrim(create_campaign.name)) returning id into made;
  -- Each has 60 random bits, as the codes of cards: nobody finds one from another.
  insert into public.vouchers (code, percentage, ends_at, max_uses, plan_ids, applies_to_cards, campaign_id)
  select concat_ws('-', nullif(beginning, ''), private.new_card_code()), create_campaign.percentage, create_campaign.ends_at, 1,
    create_campaign.plan_ids, create_campaign.applies_to_cards, made
  from generate_series(1, create_campaign.codes);
  perform private.record_action('campaigns.create', made::text, null, jsonb_build_object('name', create_campaign.name,
    'percentage', create_campaign.percentage, 'codes', create_campaign.codes, 'ends_at', create_campaign.ends_at,
    'plan_ids', create_campaign.plan_ids, 'applies_to_cards', create_campaign.applies_to_cards));
  return jsonb_build_object('id', made,
    'codes', (select jsonb_agg(v.code order by v.code) from public.vouchers v where v.campaign_id = made));
end
$$;
comment on function create_campaign is
  'Makes a campaign of so many single-use codes and returns its id and the codes. Each code is the prefix and twelve random letters.';

create function voucher_use(vouchers uuid[]) returns table (voucher_id uuid, paid integer, reserved integer)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role('admin');
  return query select u.voucher_id, (count(*) filter (where u.paid_at is not null))::integer,
    (count(*) filter (where u.paid_at is null and u.released_at is null))::integer
  from public.voucher_uses u where u.voucher_id = any (vouchers) group by u.voucher_id;
end
$$;
comment on function voucher_use is 'How often these vouchers were used in paid orders, and are reserved for orders that wait for their payment.';

create function campaign_use() returns table (id uuid, name text, active boolean, created_at timestamptz, percentage numeric,
  ends_at timestamptz, codes integer, paid integer)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role('admin');
  return query select c.id, c.name, c.active, c.created_at, max(v.percentage), max(v.ends_at), count(*)::integer,
    (count(*) filter (where exists (select from public.voucher_uses u where u.voucher_id = v.id and u.paid_at is not null)))::integer
  from public.campaigns c join public.vouchers v on v.campaign_id = c.id group by c.id order by c.created_at desc;
end
$$;
comment on function campaign_use is 'All campaigns, the newest first, with the number of their codes and of those used in paid orders.';

-- Affiliates.
create index orders_affiliate_code on orders (affiliate_code) where affiliate_code is not null;

create function desk_affiliates(find text default '', after timestamptz default 'infinity', size integer default 50)
returns table (id uuid, email text, code text, state text, created_at timestamptz, balances jsonb, clicks integer, busiest_day integer,
  purchases integer, own_purchases integer)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
begin
  perform private.require_role('admin');
  return query
    with page as (
      select a.id, u.email::text as email, a.user_id, a.code, a.state, a.created_at
      from public.affiliates a left join auth.users u on u.id = a.user_id
      where a.created_at < desk_affiliates.after
        and (coalesce(desk_affiliates.find, '') = '' or a.code = upper(btrim(desk_affiliates.find))
          or starts_with(lower(u.email), lower(btrim(desk_affiliates.find))))
      order by a.created_at desc limit least(greatest(size, 1), 200)
    )
    select p.id, p.email, p.code, p.state, p.created_at,
      (select coalesce(jsonb_agg(jsonb_build_object('currency', m.currency, 'earned', m.earned, 'paid_out', m.paid_out,
          'payable', private.payable_to(p.id, m.currency)) order by m.currency desc), '[]')
       from (select k.currency, coalesce((select sum(c.amount) from public.commissions c
             where c.affiliate_id = p.id and c.currency = k.currency), 0) as earned,
           coalesce((select sum(o.amount) from public.payouts o where o.affiliate_id = p.id and o.currency = k.currency), 0) as paid_out
         from (values ('GBP'), ('EUR')) k (currency)) m where m.earned <> 0 or m.paid_out <> 0),
      coalesce(seen.clicks, 0)::integer, coalesce(seen.busiest, 0)::integer,
      (select count(*) from public.commissions c where c.affiliate_id = p.id and c.earned_at > now() - interval '30 days')::integer,
      (select count(*) from public.orders o where o.affiliate_code = p.code and o.paid_at is not null
        and (o.user_id = p.user_id or lower(o.email) = lower(p.email)
          or o.delivery -> 'address' in (select d.address -> 'address' from public.card_deliveries d where d.user_id = p.user_id)))::integer
    from page p
    left join lateral (select sum(k.clicks) as clicks, max(k.clicks) as busiest from public.affiliate_clicks k
      where k.affiliate_id = p.id and k.day > current_date - 30) seen on true
    order by p.created_at desc;
end
$$;
comment on function desk_affiliates is
  'Affiliates, the newest first, with what they earned, were paid and can be paid in pence or cents, and what speaks against them: clicks and the busiest day of 30 days, purchases of 30 days, and purchases that went to the affiliate''s own email or postal address. find is a code or the beginning of an email address.';

create or replace function record_payout(email text, amount numeric, currency text, reference text default '') returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  wanted uuid;
  recorded uuid;
begin
  perform private.require_role('admin');
  select a.id into wanted from public.affiliates a join auth.users u on u.id = a.user_id
  where lower(u.email) = lower(btrim(record_payout.email));
  if wanted is null then
    raise exception 'There is no affiliate with this address.' using errcode = 'PT404';
  end if;
  if amount <= 0 or amount * 100 <> trunc(amount * 100) then
    raise exception 'This is no amount of money: %', amount using errcode = 'PT400';
  end if;
  insert into public.payouts (affiliate_id, currency, amount, reference)
  values (wanted, upper(record_payout.currency), (record_payout.amount * 100)::integer, coalesce(record_payout.reference, ''))
  returning id into recorded;
  return jsonb_build_object('id', recorded, 'left', private.payable_to(wanted, upper(record_payout.currency)));
end
$$;

revoke execute on all functions in schema private from public;
revoke execute on function create_campaign, voucher_use, campaign_use, desk_affiliates, record_payout from public, anon;
grant execute on function create_campaign, voucher_use, campaign_use, desk_affiliates, record_payout to authenticated, service_role;
