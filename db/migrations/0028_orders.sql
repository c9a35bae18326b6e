create sequence private.order_numbers as bigint start 1;
create function private.next_order_number() returns text language sql volatile security definer set search_path = '' as $$
  select 'SK-' || to_char(now() at time zone 'utc', 'YYYY') || '-' || lpad(nextval('private.order_numbers')::text, 6, '0')
$$;

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
  'What was bought, or is about to be. Its buyer sees it; only the server writes it, by what the payment provider says. Kept for the books when an account goes.';
comment on column orders.subtotal is 'Pence or cents, as all money here: before discounts.';
comment on column orders.discount is 'What quantity and voucher take off together.';
comment on column orders.total is 'What is paid, tax included.';
comment on column orders.tax is 'The part of the total that is tax.';
comment on column orders.refunded is 'How much of the total was given back; what counts as earned is total - refunded.';
comment on column orders.fingerprint is
  'Names who buys what on which terms: a second click with the same one leads to the same order while that is pending.';
comment on column orders.session_url is 'The provider''s page where it is paid.';
comment on column orders.delivery is 'Where cards go, as its buyer told the provider: {name, phone, address: {line1, line2, city, state, postal_code, country}}.';
comment on column orders.revision is
  'Counts what was applied: what the provider said before that is asked for anew, so that nothing older overwrites it.';
comment on column orders.expires_at is 'When the provider stops waiting for the payment.';
create index orders_user_id on orders (user_id, created_at desc, id);
create index orders_pending on orders (created_at) where status = 'pending';

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
comment on table order_items is 'The lines of an order, as they were sold. Seen by its buyer.';
comment on column order_items.terms is
  'What the catalogue promised on that day: name, and of a plan max_memories, storage_gb, term_years, included_cards. Later changes do not touch it.';
comment on column order_items.details is 'What belongs to this line alone, as the words on a card.';
comment on column order_items.cart_item_id is 'The line of the cart that it was, which goes once it is paid.';
create index order_items_order_id on order_items (order_id, position);

create table private.payment_events (
  id text primary key,
  type text not null,
  created timestamptz not null,
  received_at timestamptz not null default now(),
  handled_at timestamptz,
  order_id uuid references public.orders on delete set null
);
comment on table private.payment_events is 'Events of the payment provider by their own ids, so that none is acted on twice. Seen by the server alone.';
create index payment_events_order_id on private.payment_events (order_id);
alter table private.payment_events enable row level security;

-- What may follow what. Money that has really come is never forgotten: a late payment wins over an expiry or a failure.
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

create function private.mind_order() returns trigger language plpgsql security definer set search_path = '' as $$
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
create trigger mind_order before update on orders for each row execute function private.mind_order();

-- Beside what other migrations hang on a payment, in the order of the triggers' names.
create function private.settle_order() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if new.paid_at is not null and old.paid_at is null then
    -- Also of an order that had been given up: the money came, so the use counts.
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
create trigger "40_settle_order" after update on orders
  for each row when (new.status <> old.status) execute function private.settle_order();

revoke execute on function private.next_order_number, private.may_follow, private.mind_order, private.settle_order from public;

grant execute on function private.next_order_number to service_role;

alter table orders enable row level security;
grant select on orders to authenticated;
create policy "their own" on orders for select to authenticated using (user_id = (select auth.uid()));
create policy "after the second step" on orders as restrictive to authenticated
  using ((select private.fully_signed_in()));

alter table order_items enable row level security;
grant select on order_items to authenticated;
create policy "of their own orders" on order_items for select to authenticated
  using (exists (select from orders o where o.id = order_id and o.user_id = (select auth.uid())));
create policy "after the second step" on order_items as restrictive to authenticated
  using ((select private.fully_signed_in()));

alter publication supabase_realtime add table orders;
