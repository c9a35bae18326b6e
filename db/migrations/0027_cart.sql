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
comment on table cart_items is 'What a signed-in person means to buy. Never visible to anyone else.';
comment on column cart_items.price is
  'Of one of it, in pounds or euros, as the catalogue says: whatever the browser sends is overwritten. Cards beside a plan cost what cards cost.';
comment on column cart_items.item is
  'What it is, once more as Spec §3 has it (plan_id, product_id, additional_cards, quantity), and what else belongs to it, as the words on a card.';
create index cart_items_user_id on cart_items (user_id, created_at desc);
create index cart_items_plan_id on cart_items (plan_id);
create index cart_items_product_id on cart_items (product_id);

create function private.mind_cart_item() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  pence integer;
begin
  if tg_op = 'INSERT' then
    -- Of rows sent together, each has the columns of all: what one does not say comes as null.
    new.id := coalesce(new.id, gen_random_uuid());
    new.user_id := coalesce(new.user_id, auth.uid());
    new.quantity := coalesce(new.quantity, 1);
    new.additional_cards := coalesce(new.additional_cards, 0);
    new.currency := coalesce(new.currency, 'GBP');
    new.item := coalesce(new.item, '{}');
    new.created_at := coalesce(new.created_at, now());
    -- Before the policy would say so, this has looked into the cart.
    if auth.role() = 'authenticated' and new.user_id is distinct from auth.uid() then
      raise exception 'This is somebody else''s cart.' using errcode = '42501';
    end if;
    -- Whoever sends only what Spec §3 calls the item's metadata is understood, too.
    if num_nonnulls(new.plan_id, new.product_id) = 0 then
      new.plan_id := new.item ->> 'plan_id';
      new.product_id := case when new.plan_id is null then new.item ->> 'product_id' end;
      new.additional_cards := greatest(new.additional_cards, coalesce((new.item ->> 'additional_cards')::integer, 0));
      new.quantity := greatest(new.quantity, coalesce((new.item ->> 'quantity')::integer, 1));
    end if;
    -- One person holds one plan: another one takes the place of what was chosen before.
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
create trigger mind_cart_item before insert or update on cart_items for each row execute function private.mind_cart_item();

-- What lies in carts costs what the catalogue says, also after an administrator has changed it.
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

revoke execute on function private.mind_cart_item, private.reprice_carts from public;

alter table cart_items enable row level security;
grant select, delete on cart_items to authenticated;
grant insert (id, user_id, plan_id, product_id, quantity, additional_cards, currency, price, item, created_at),
  update (plan_id, product_id, quantity, additional_cards, currency, item) on cart_items to authenticated;
create policy "their own" on cart_items to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "after the second step" on cart_items as restrictive to authenticated
  using ((select private.fully_signed_in()));

alter publication supabase_realtime add table cart_items;
