create table affiliates (
  id uuid primary key default gen_random_uuid(),
  user_id uuid unique default auth.uid() references auth.users on delete set null,
  code text not null unique check (code ~ '^[0-9A-HJKMNP-TV-Z]{8}$'),
  state text not null default 'active' check (state in ('active', 'paused', 'left')),
  created_at timestamptz not null default now()
);
comment on table affiliates is
  'Who recommends Skies for a commission. Seen by themselves and administrators; kept for the books, without a name, when an account goes.';
comment on column affiliates.code is 'What their link carries, ?ref={code}. The server makes it, and it stays theirs also when they leave and come back.';
comment on column affiliates.state is
  'active; paused by an administrator; left by themselves. Only what was bought by way of an active one earns anything.';

-- As its maker, since a code is the server's to give; what a caller may change is asked here.
create function private.mind_affiliate() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    new.code := coalesce(new.code, left(private.new_card_code(), 8));
    return new;
  end if;
  if new.user_id is null then
    new.state := 'left';
  end if;
  if private.is_caller() and not private.is_admin() and 'paused' in (old.state, new.state) and new.state <> old.state then
    raise exception 'Only an administrator pauses and resumes.' using errcode = '42501';
  end if;
  return new;
end
$$;
create trigger mind_affiliate before insert or update on affiliates
  for each row execute function private.mind_affiliate();

create table affiliate_clicks (
  affiliate_id uuid not null references affiliates on delete cascade,
  day date not null default (now() at time zone 'utc')::date,
  clicks integer not null default 1 check (clicks > 0),
  primary key (affiliate_id, day)
);
comment on table affiliate_clicks is
  'How many browsers came by an affiliate''s link on a day (UTC), of those who agreed to be counted. Nothing is kept of any of them.';

create table commissions (
  id uuid primary key default gen_random_uuid(),
  affiliate_id uuid not null references affiliates on delete cascade,
  order_id uuid not null unique references orders on delete cascade,
  currency text not null check (currency in ('GBP', 'EUR')),
  base integer not null check (base >= 0),
  earned integer not null check (earned >= 0),
  reversed integer not null default 0 check (reversed between 0 and earned),
  amount integer not null generated always as (earned - reversed) stored,
  held boolean not null default false,
  earned_at timestamptz not null,
  payable_at timestamptz not null
);
comment on table commissions is
  '30 % of what was really paid, one row an order. Its affiliate sees everything but which order it was, so that no buyer is known by it.';
comment on column commissions.base is 'What was paid without tax, in pence or cents, as all money here.';
comment on column commissions.reversed is 'What was taken back of it, as money went back to the buyer; amount, what remains, is 30 % of what remains paid.';
comment on column commissions.held is 'While the payment is disputed nobody knows whose the money is, so it is not paid out.';
comment on column commissions.payable_at is '30 days after the payment: by then nearly everything has gone back that will.';
create index commissions_affiliate_id on commissions (affiliate_id, earned_at desc);

create table payouts (
  id uuid primary key default gen_random_uuid(),
  affiliate_id uuid not null references affiliates on delete cascade,
  currency text not null check (currency in ('GBP', 'EUR')),
  amount integer not null check (amount > 0),
  reference text not null default '' check (length(reference) <= 200),
  paid_at timestamptz not null default now(),
  recorded_by uuid default auth.uid() references auth.users on delete set null
);
comment on table payouts is 'What was paid to an affiliate, as an administrator recorded it. Never more than was payable at the time.';
create index payouts_affiliate_id on payouts (affiliate_id, paid_at desc);
create index payouts_recorded_by on payouts (recorded_by);

create function private.commission_of(total integer, tax integer, refunded integer) returns integer
language sql immutable set search_path = '' as $$
  select case when total <= 0 then 0
    else div(3::numeric * (total - refunded) * (total - tax) + 5::numeric * total, 10::numeric * total) end::integer
$$;
comment on function private.commission_of is
  '30 % of what remains of a payment without its tax, in whole pence or cents, half a penny rounded up. Of what goes back, the same part is tax as of the whole. The rule of shared/commission.ts once more.';

create function private.earn_commission() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  left_over constant integer := private.commission_of(new.total, new.tax, new.refunded);
  whole constant integer := private.commission_of(new.total, new.tax, 0);
begin
  -- Whatever became of its affiliate since: what was earned once follows its payment.
  update public.commissions set base = new.total - new.tax, earned = whole, reversed = whole - left_over,
    held = new.status = 'disputed'
  where order_id = new.id;
  if not found then
    insert into public.commissions (affiliate_id, order_id, currency, base, earned, reversed, held, earned_at, payable_at)
    select a.id, new.id, new.currency, new.total - new.tax, whole, whole - left_over, new.status = 'disputed',
      new.paid_at, new.paid_at + interval '30 days'
    from public.affiliates a join auth.users u on u.id = a.user_id
    where a.code = new.affiliate_code and whole > 0
      -- Nobody earns from what they buy themselves.
      and a.user_id is distinct from new.user_id and lower(u.email) is distinct from lower(new.email);
  end if;
  return null;
end
$$;
comment on function private.earn_commission is
  'Makes the commission of an order what its payment says by now: once or a hundred times, the same.';
create trigger "30_earn_commission" after update on orders for each row
  when (new.affiliate_code is not null and new.paid_at is not null
    and (old.paid_at is null or (new.status, new.total, new.tax, new.refunded) is distinct from (old.status, old.total, old.tax, old.refunded)))
  execute function private.earn_commission();

create function private.referring_code(code text, visited_at timestamptz, buyer uuid, address text) returns text
language sql stable security definer set search_path = '' as $$
  select a.code from public.affiliates a join auth.users u on u.id = a.user_id
  where a.code = upper(btrim(referring_code.code)) and a.state = 'active'
    -- Clocks of telephones are an hour wrong at times.
    and visited_at between now() - interval '30 days' and now() + interval '1 hour'
    and a.user_id is distinct from buyer and lower(u.email) is distinct from lower(address)
$$;
comment on function private.referring_code is
  'The code by which somebody came, where it counts for what they buy now: of an active affiliate, at most 30 days ago, and not their own; else null.';

create function private.count_affiliate_click(code text, visitor uuid) returns boolean
language sql volatile security definer set search_path = '' as $$
  with counted as (
    insert into public.affiliate_clicks as c (affiliate_id)
    select a.id from public.affiliates a
    where a.code = upper(btrim(count_affiliate_click.code)) and a.state = 'active' and a.user_id is distinct from visitor
    on conflict on constraint affiliate_clicks_pkey do update set clicks = c.clicks + 1
    returning 1
  ) select exists (select from counted)
$$;
comment on function private.count_affiliate_click is
  'Counts one browser more that came by a link today; not its affiliate''s own. Answers whether there was anything to count.';

create function private.payable_to(affiliate uuid, currency text) returns integer
language sql stable security definer set search_path = '' as $$
  select (coalesce((select sum(c.amount) from public.commissions c
      where c.affiliate_id = affiliate and c.currency = payable_to.currency and not c.held and c.payable_at <= now()), 0)
    - coalesce((select sum(p.amount) from public.payouts p
      where p.affiliate_id = affiliate and p.currency = payable_to.currency), 0))::integer
$$;
comment on function private.payable_to is
  'What can be paid to an affiliate now; less than nothing where a commission was reversed after it had been paid out, which later ones make up for.';

create function private.mind_payout() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  payable integer;
begin
  -- Before the policy would say so, this has looked into somebody's balance.
  if private.is_caller() and not private.is_admin() then
    raise exception 'Only an administrator records payouts.' using errcode = '42501';
  end if;
  -- Two payouts at once are one after the other from here on.
  perform 1 from public.affiliates where id = new.affiliate_id for no key update;
  payable := private.payable_to(new.affiliate_id, new.currency);
  if new.amount > payable then
    raise exception 'Only % can be paid out now.', to_char(payable / 100.0, 'FM999999990.00') || ' ' || new.currency
      using errcode = 'PT409', hint = 'over_balance';
  end if;
  return new;
end
$$;
create trigger mind_payout before insert on payouts for each row execute function private.mind_payout();

-- As the caller: the policies say which rows are theirs.
create function my_affiliate_balances()
returns table (currency text, earned integer, reversed integer, waiting integer, payable integer, paid_out integer)
language sql stable set search_path = '' as $$
  with own as (select a.id from public.affiliates a where a.user_id = auth.uid()),
  movements as (
    select c.currency, c.earned, c.reversed, c.amount, c.held or c.payable_at > now() as waits, 0 as paid
    from public.commissions c where c.affiliate_id in (select id from own)
    union all
    select p.currency, 0, 0, 0, false, p.amount from public.payouts p where p.affiliate_id in (select id from own)
  )
  select m.currency, sum(m.earned)::integer, sum(m.reversed)::integer,
    coalesce(sum(m.amount) filter (where m.waits), 0)::integer,
    (coalesce(sum(m.amount) filter (where not m.waits), 0) - sum(m.paid))::integer, sum(m.paid)::integer
  from movements m group by m.currency order by m.currency desc
$$;
comment on function my_affiliate_balances is
  'What the caller has earned by recommending Skies, a row a currency: earned = reversed + waiting + payable + paid_out. In pence or cents.';

create function record_payout(email text, amount numeric, currency text, reference text default '') returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  wanted uuid;
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
  values (wanted, upper(record_payout.currency), (record_payout.amount * 100)::integer, coalesce(record_payout.reference, ''));
  return jsonb_build_object('left', private.payable_to(wanted, upper(record_payout.currency)));
end
$$;
comment on function record_payout is
  'Records that an affiliate was paid so many pounds or euros; PT409 where that is more than can be paid out. Answers what is left, in pence or cents.';

revoke execute on function private.mind_affiliate, private.commission_of, private.earn_commission, private.referring_code,
  private.count_affiliate_click, private.payable_to, private.mind_payout, my_affiliate_balances, record_payout from public;
revoke execute on function my_affiliate_balances, record_payout from anon, authenticated;
grant execute on function my_affiliate_balances to authenticated, service_role;
grant execute on function record_payout to service_role;

alter table affiliates enable row level security;
grant select, insert (user_id), update (state) on affiliates to authenticated;
create policy "themselves, and administrators" on affiliates for select to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()));
create policy "who joins" on affiliates for insert to authenticated with check (user_id = (select auth.uid()));
create policy "who leaves, and administrators" on affiliates for update to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()))
  with check (user_id = (select auth.uid()) or (select private.is_admin()));
create policy "after the second step" on affiliates as restrictive to authenticated
  using ((select private.fully_signed_in()));

alter table affiliate_clicks enable row level security;
grant select on affiliate_clicks to authenticated;
create policy "who is clicked, and administrators" on affiliate_clicks for select to authenticated
  using (affiliate_id in (select id from affiliates));
create policy "after the second step" on affiliate_clicks as restrictive to authenticated
  using ((select private.fully_signed_in()));

-- Without order_id: what was bought, and by whom, is nobody's business but the buyer's.
alter table commissions enable row level security;
grant select (id, affiliate_id, currency, base, earned, reversed, amount, held, earned_at, payable_at) on commissions to authenticated;
create policy "who earned it, and administrators" on commissions for select to authenticated
  using (affiliate_id in (select id from affiliates));
create policy "after the second step" on commissions as restrictive to authenticated
  using ((select private.fully_signed_in()));

alter table payouts enable row level security;
grant select, insert (affiliate_id, currency, amount, reference, paid_at), delete on payouts to authenticated;
create policy "who was paid, and administrators" on payouts for select to authenticated
  using (affiliate_id in (select id from affiliates));
create policy "administrators record" on payouts for insert to authenticated with check ((select private.is_admin()));
create policy "administrators take back" on payouts for delete to authenticated using ((select private.is_admin()));
create policy "after the second step" on payouts as restrictive to authenticated
  using ((select private.fully_signed_in()));
