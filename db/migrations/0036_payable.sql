-- Whoever pays affiliates has to know whom, and can take back what they recorded by mistake.
create function payable_affiliates() returns table (email text, currency text, payable integer)
language sql stable security definer set search_path = '' as $$
  select u.email, c.currency, private.payable_to(a.id, c.currency)
  from public.affiliates a join auth.users u on u.id = a.user_id, (values ('GBP'), ('EUR')) c (currency)
  where private.payable_to(a.id, c.currency) > 0
  order by u.email, c.currency desc
$$;
comment on function payable_affiliates is
  'To whom commissions can be paid out now, and how much in pence or cents, a row for each person and currency.';

create or replace function record_payout(email text, amount numeric, currency text, reference text default '') returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  wanted uuid;
  recorded uuid;
begin
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
comment on function record_payout is
  'Records that an affiliate was paid so many pounds or euros; PT409 where that is more than can be paid out. Answers its id, and what is left in pence or cents.';

revoke execute on function payable_affiliates, record_payout from public, anon, authenticated;
grant execute on function payable_affiliates, record_payout to service_role;
