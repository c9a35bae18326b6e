set local check_function_bodies = off;

create sequence private.order_numbers as bigint start 1;

create function private.next_order_number() returns text language sql volatile security definer set search_path = '' as $$
  select 'SK-' || to_char(now() at time zone 'utc', 'YYYY') || '-' || lpad(nextval('private.order_numbers')::text, 6, '0')
$$;

-- The catalogue is rows, so that an administrator can change it. Sold plans keep the terms they were sold with.
create table subscription_plans (
  id text primary key check (id ~ '^[a-z0-9-]{1,40}$'),
  name text not null check (length(btrim(name)) between 1 and 100),
  max_memories integer check (max_memories > 0),
  storage_gb integer not null check (storage_gb > 0),
  term_years integer check (term_years > 0),
  included_cards integer not null default 0 check (included_cards >= 0),
  position integer not null unique
);
comment on table subscription_plans is 'The plans (Spec §9). Anyone may read them.';
comment on column subscription_plans.max_memories is 'How many memories an account may have; null for no limit.';
comment on column subscription_plans.storage_gb is 'Storage in units of 1024³ bytes.';
comment on column subscription_plans.term_years is 'Length of the term that one payment buys; null for a plan without an end.';
comment on column subscription_plans.position is 'Order of the plans, the smallest first.';
alter table subscription_plans enable row level security;

create table plan_prices (
  plan_id text not null references subscription_plans on delete cascade,
  currency text not null check (currency in ('GBP', 'EUR')),
  amount integer not null check (amount > 0),
  primary key (plan_id, currency)
);
comment on table plan_prices is 'Price of a plan for its whole term (Spec §9). A plan without a price is not for sale.';
comment on column plan_prices.amount is 'In pence or cents.';
alter table plan_prices enable row level security;

create table products (
  id text primary key check (id ~ '^[a-z0-9-]{1,40}$'),
  name text not null check (length(btrim(name)) between 1 and 100),
  position integer not null unique
);
comment on table products is 'What is sold besides plans.';
alter table products enable row level security;

create table product_prices (
  product_id text not null references products on delete cascade,
  currency text not null check (currency in ('GBP', 'EUR')),
  amount integer not null check (amount > 0),
  primary key (product_id, currency)
);
comment on table product_prices is 'Price of one item. A product without a price is not for sale.';
comment on column product_prices.amount is 'In pence or cents.';
alter table product_prices enable row level security;

create table quantity_discounts (
  product_id text not null references products on delete cascade,
  min_quantity integer not null check (min_quantity > 1),
  percentage numeric(5, 2) not null check (percentage > 0 and percentage <= 100),
  primary key (product_id, min_quantity)
);
comment on table quantity_discounts is 'Discounts by quantity. The largest that applies counts.';
alter table quantity_discounts enable row level security;

create table cart_items (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users on delete cascade,
  plan_id text references subscription_plans on delete cascade,
  product_id text references products on delete cascade,
  quantity integer not null default 1 check (quantity between 1 and 1000),
  additional_cards integer not null default 0 check (additional_cards between 0 and 1000),
  currency text not null default 'GBP' check (currency in ('GBP', 'EUR')),
  price numeric(10, 2) not null check (price >= 0),
  item jsonb not null default '{}' check (jsonb_typeof(item) = 'object' and pg_column_size(item) <= 16384),
  created_at timestamptz not null default now(),
  constraint one_thing check (num_nonnulls(plan_id, product_id) = 1),
  constraint cards_beside_a_plan check (plan_id is not null or additional_cards = 0),
  constraint one_plan_at_a_time check (plan_id is null or quantity = 1)
);
comment on table cart_items is 'The cart of a signed-in person. Nobody else can read it.';
comment on column cart_items.price is
  'Price of one item in pounds or euros, from the catalogue. The value that a client sends is overwritten. Cards added to a plan are priced as cards.';
comment on column cart_items.item is
  'The item as Spec §3 describes it (plan_id, product_id, additional_cards, quantity), and further details, for example the text on a card.';
create index cart_items_user_id on cart_items (user_id, created_at desc);
create index cart_items_plan_id on cart_items (plan_id);
create index cart_items_product_id on cart_items (product_id);
alter table cart_items enable row level security;

create table orders (
  id uuid primary key default gen_random_uuid(),
  number text not null unique default private.next_order_number(),
  user_id uuid references auth.users on delete set null,
  email text not null,
  language text not null default 'en' check (language in ('en', 'it')),
  status text not null default 'pending' check (status in ('pending', 'paid', 'failed', 'expired', 'refunded', 'disputed')),
  currency text not null check (currency in ('GBP', 'EUR')),
  subtotal integer not null check (subtotal >= 0),
  discount integer not null default 0 check (discount between 0 and subtotal),
  total integer not null check (total >= 0),
  tax integer not null default 0 check (tax between 0 and total),
  refunded integer not null default 0 check (refunded between 0 and total),
  voucher_code text,
  discount_percentage numeric check (discount_percentage between 0 and 100),
  affiliate_code text,
  fingerprint text not null default '',
  success_url text not null default '',
  cancel_url text not null default '',
  session_id text unique,
  session_url text,
  payment_intent text unique,
  provider_receipt text,
  delivery jsonb,
  revision integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '2 hours',
  paid_at timestamptz,
  refunded_at timestamptz
);
comment on table orders is
  'Orders, paid or not. The buyer can read their own. Only the server writes them, from what the payment provider reports. Kept for accounting when an account is deleted.';
comment on column orders.subtotal is 'In pence or cents, as all amounts here, before discounts.';
comment on column orders.discount is 'Discount for quantity and voucher together.';
comment on column orders.total is 'Amount to pay, including tax.';
comment on column orders.tax is 'The tax included in the total.';
comment on column orders.refunded is 'Amount refunded. Revenue is total - refunded.';
comment on column orders.fingerprint is
  'Identifies the buyer, the items and the terms: a second click with the same fingerprint returns the pending order.';
comment on column orders.session_url is 'The payment page at the provider.';
comment on column orders.delivery is
  'Delivery address for cards, as the buyer gave it to the provider: {name, phone, address: {line1, line2, city, state, postal_code, country}}.';
comment on column orders.revision is
  'Number of updates. If it changed since the provider was asked, the provider is asked again, so that an older answer never overwrites a newer one.';
comment on column orders.expires_at is 'When the provider stops accepting the payment.';
create index orders_user_id on orders (user_id, created_at desc, id);
create index orders_pending on orders (created_at) where status = 'pending';
alter table orders enable row level security;

create table order_items (
  id uuid primary key default gen_random_uuid(),
  order_id uuid not null references orders on delete cascade,
  position integer not null default 0,
  kind text not null check (kind in ('plan', 'card')),
  plan_id text,
  product_id text,
  quantity integer not null check (quantity > 0),
  unit_amount integer not null check (unit_amount >= 0),
  discount integer not null default 0 check (discount between 0 and unit_amount * quantity),
  total integer not null check (total = unit_amount * quantity - discount),
  terms jsonb not null default '{}',
  details jsonb not null default '{}',
  cart_item_id uuid
);
comment on table order_items is 'Lines of an order, as they were sold. The buyer can read them.';
comment on column order_items.terms is
  'The terms on the day of sale: name, and for a plan max_memories, storage_gb, term_years, included_cards. Later changes of the catalogue do not apply.';
comment on column order_items.details is 'Details of this line, for example the text on a card.';
comment on column order_items.cart_item_id is 'The cart item it came from, which is deleted when the order is paid.';
create index order_items_order_id on order_items (order_id, position);
alter table order_items enable row level security;

create table private.payment_events (
  id text primary key,
  type text not null,
  created timestamptz not null,
  received_at timestamptz not null default now(),
  handled_at timestamptz,
  order_id uuid references public.orders on delete set null
);
comment on table private.payment_events is
  'Processed events of the payment provider by their ids, so that none is processed twice. Only the server can read them.';
create index payment_events_order_id on private.payment_events (order_id);
alter table private.payment_events enable row level security;

create function private.validate_cart_item() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  pence integer;
begin
  if tg_op = 'INSERT' then
    -- Rows inserted together share one list of columns: values that a row does not give arrive as null.
    new.id := coalesce(new.id, gen_random_uuid());
    new.user_id := coalesce(new.user_id, auth.uid());
    new.quantity := coalesce(new.quantity, 1);
    new.additional_cards := coalesce(new.additional_cards, 0);
    new.currency := coalesce(new.currency, 'GBP');
    new.item := coalesce(new.item, '{}');
    new.created_at := coalesce(new.created_at, now());
    -- Checked here, because this trigger reads the cart before the policy is applied.
    if auth.role() = 'authenticated' and new.user_id is distinct from auth.uid() then
      raise exception 'This is somebody else''s cart.' using errcode = '42501';
    end if;
    -- A client that sends only the metadata described in Spec §3 is supported.
    if num_nonnulls(new.plan_id, new.product_id) = 0 then
      new.plan_id := new.item ->> 'plan_id';
      new.product_id := case when new.plan_id is null then new.item ->> 'product_id' end;
      new.additional_cards := greatest(new.additional_cards, coalesce((new.item ->> 'additional_cards')::integer, 0));
      new.quantity := greatest(new.quantity, coalesce((new.item ->> 'quantity')::integer, 1));
    end if;
    -- A cart holds one plan: a new one replaces the previous one.
    if new.plan_id is not null then
      delete from public.cart_items where user_id = new.user_id and plan_id is not null;
    end if;
    if (select count(*) from public.cart_items where user_id = new.user_id) >= 50 then
      raise exception 'A cart holds 50 lines.' using errcode = 'PT409', hint = 'cart_full';
    end if;
  end if;
  pence := coalesce(
    (select p.amount from public.plan_prices p where p.plan_id = new.plan_id and p.currency = new.currency),
    (select p.amount from public.product_prices p where p.product_id = new.product_id and p.currency = new.currency));
  if pence is null then
    raise exception 'This is not for sale.' using errcode = 'PT400', hint = 'not_for_sale';
  end if;
  new.price := pence / 100.0;
  new.item := new.item || jsonb_strip_nulls(jsonb_build_object('plan_id', new.plan_id, 'product_id', new.product_id,
    'additional_cards', new.additional_cards, 'quantity', new.quantity));
  return new;
end
$$;
create trigger validate_cart_item before insert or update on cart_items for each row execute function private.validate_cart_item();

-- When an administrator changes the catalogue, cart items get the new price.
create function private.reprice_carts() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.cart_items set currency = currency
  where currency = new.currency and (plan_id = to_jsonb(new) ->> 'plan_id' or product_id = to_jsonb(new) ->> 'product_id');
  return null;
end
$$;
create trigger reprice_carts after update on plan_prices
  for each row when (new.amount <> old.amount) execute function private.reprice_carts();
create trigger reprice_carts after update on product_prices
  for each row when (new.amount <> old.amount) execute function private.reprice_carts();

-- Allowed status changes. A payment that was received is never lost: it overrides an expiry or a failure.
create function private.may_follow(old_status text, new_status text) returns boolean
language sql immutable set search_path = '' as $$
  select old_status = new_status or case old_status
    when 'pending' then new_status in ('paid', 'failed', 'expired', 'refunded', 'disputed')
    when 'failed' then new_status in ('paid', 'expired', 'refunded', 'disputed')
    when 'expired' then new_status in ('paid', 'refunded', 'disputed')
    when 'paid' then new_status in ('refunded', 'disputed')
    when 'disputed' then new_status in ('paid', 'refunded')
    when 'refunded' then new_status in ('paid', 'disputed')
  end
$$;

create function private.validate_order() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if not private.may_follow(old.status, new.status) then
    raise exception 'An order that is % does not become %.', old.status, new.status;
  end if;
  if new.status in ('paid', 'refunded', 'disputed') then
    new.paid_at := coalesce(old.paid_at, new.paid_at, now());
  end if;
  if new.refunded > old.refunded then
    new.refunded_at := coalesce(new.refunded_at, now());
  end if;
  new.revision := old.revision + 1;
  return new;
end
$$;
create trigger validate_order before update on orders for each row execute function private.validate_order();

-- Other migrations attach further triggers to a payment; they run in the order of their names.
create function private.apply_order_status() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if new.paid_at is not null and old.paid_at is null then
    -- Also for an order that had expired: the payment was received, so the voucher counts as used.
    update public.voucher_uses set paid_at = new.paid_at, released_at = null where order_id = new.id and paid_at is null;
    delete from public.cart_items c using public.order_items i
    where i.order_id = new.id and c.id = i.cart_item_id and c.user_id = new.user_id;
  end if;
  if new.status in ('failed', 'expired') and new.voucher_code is not null then
    perform private.release_voucher(new.id);
  end if;
  return null;
end
$$;
create trigger t50_apply_order_status after update on orders
  for each row when (new.status <> old.status) execute function private.apply_order_status();

grant select on subscription_plans to anon;
grant select, insert, update, delete on subscription_plans to authenticated;
create policy "anyone" on subscription_plans for select to anon, authenticated using (true);

grant select on plan_prices to anon;
grant select, insert, update, delete on plan_prices to authenticated;

grant select on products to anon;
grant select, insert, update, delete on products to authenticated;

grant select on product_prices to anon;
grant select, insert, update, delete on product_prices to authenticated;

grant select on quantity_discounts to anon;
grant select, insert, update, delete on quantity_discounts to authenticated;

grant select, insert (id, user_id, plan_id, product_id, quantity, additional_cards, currency, price, item, created_at),
  update (plan_id, product_id, quantity, additional_cards, currency, item), delete on cart_items to authenticated;
create policy "own rows" on cart_items to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

grant select on orders to authenticated;
create policy "own rows" on orders for select to authenticated using (user_id = (select auth.uid()));

grant select on order_items to authenticated;
create policy "buyer reads" on order_items for select to authenticated
  using (exists (select from orders o where o.id = order_id and o.user_id = (select auth.uid())));

revoke execute on all functions in schema private from public;
grant execute on function private.next_order_number to service_role;

insert into subscription_plans (id, name, max_memories, storage_gb, term_years, included_cards, position) values
  ('skies-starter', 'Skies Starter', 1, 1, null, 0, 1),
  ('skies-memories', 'Skies Memories', null, 100, 1, 1, 2),
  ('skies-pro', 'Skies Pro', null, 250, 3, 3, 3),
  ('skies-master', 'Skies Master', null, 500, 5, 5, 4);
insert into plan_prices (plan_id, currency, amount)
select plan_id, currency, amount
from (values ('skies-memories', 4500), ('skies-pro', 12000), ('skies-master', 18000)) plans (plan_id, amount),
  (values ('GBP'), ('EUR')) currencies (currency);
insert into products (id, name, position) values ('metal-card', 'Metal card', 1);
insert into product_prices (product_id, currency, amount) values ('metal-card', 'GBP', 2500), ('metal-card', 'EUR', 2500);
insert into quantity_discounts (product_id, min_quantity, percentage) values
  ('metal-card', 10, 5), ('metal-card', 25, 10), ('metal-card', 100, 15);

do $$
declare
  relation text;
begin
  foreach relation in array array['subscription_plans', 'plan_prices', 'products', 'product_prices', 'quantity_discounts'] loop
    execute format('create policy "administrators add" on %I for insert to authenticated
      with check ((select private.is_admin()))', relation);
    execute format('create policy "administrators change" on %I for update to authenticated
      using ((select private.is_admin())) with check ((select private.is_admin()))', relation);
    execute format('create policy "administrators delete" on %I for delete to authenticated
      using ((select private.is_admin()))', relation);
    continue when relation = 'subscription_plans';
    execute format('create policy "anyone" on %I for select to anon, authenticated using (true)', relation);
  end loop;
end
$$;
