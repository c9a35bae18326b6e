-- What is for sale and what it costs. Rows, so that an administrator changes them; what was sold keeps its own terms.
create function private.is_admin() returns boolean language sql stable security definer set search_path = '' as $$
  select coalesce(auth.jwt() -> 'app_metadata' ->> 'role' = 'admin', false) and private.fully_signed_in()
$$;
comment on function private.is_admin is 'Whether the caller runs the house: their token says so, and both their steps are taken.';
revoke execute on function private.is_admin from public;
grant execute on function private.is_admin to authenticated, service_role;

create table plan_prices (
  plan_id text not null references subscription_plans on delete cascade,
  currency text not null check (currency in ('GBP', 'EUR')),
  amount integer not null check (amount > 0),
  primary key (plan_id, currency)
);
comment on table plan_prices is 'What a plan costs for its whole term (Spec §9). Without a price it is not for sale.';
comment on column plan_prices.amount is 'In pence or cents.';

create table products (
  id text primary key check (id ~ '^[a-z0-9-]{1,40}$'),
  name text not null check (length(btrim(name)) between 1 and 100),
  position integer not null unique
);
comment on table products is 'What can be bought beside plans.';

create table product_prices (
  product_id text not null references products on delete cascade,
  currency text not null check (currency in ('GBP', 'EUR')),
  amount integer not null check (amount > 0),
  primary key (product_id, currency)
);
comment on table product_prices is 'What one piece costs. Without a price it is not for sale.';
comment on column product_prices.amount is 'In pence or cents.';

create table quantity_discounts (
  product_id text not null references products on delete cascade,
  min_quantity integer not null check (min_quantity > 1),
  percentage numeric(5, 2) not null check (percentage > 0 and percentage <= 100),
  primary key (product_id, min_quantity)
);
comment on table quantity_discounts is 'What is taken off from so many pieces on; of several the largest counts.';

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
  wanted text;
begin
  foreach wanted in array array['subscription_plans', 'plan_prices', 'products', 'product_prices', 'quantity_discounts'] loop
    execute format('grant insert, update, delete on %I to authenticated', wanted);
    execute format('create policy "administrators add" on %I for insert to authenticated
      with check ((select private.is_admin()))', wanted);
    execute format('create policy "administrators change" on %I for update to authenticated
      using ((select private.is_admin())) with check ((select private.is_admin()))', wanted);
    execute format('create policy "administrators delete" on %I for delete to authenticated
      using ((select private.is_admin()))', wanted);
    continue when wanted = 'subscription_plans';
    execute format('alter table %I enable row level security', wanted);
    execute format('grant select on %I to anon, authenticated', wanted);
    execute format('create policy "anyone" on %I for select to anon, authenticated using (true)', wanted);
    execute format('create policy "after the second step" on %I as restrictive to authenticated
      using ((select private.fully_signed_in()))', wanted);
  end loop;
end
$$;
