-- A plan and its prices are several rows, which an administrator edits as one. Both functions compare them with the values that the
-- change is based on, in one transaction, so that an edit never overwrites another one that its author has not seen (decision 0113).

create function save_plan(plan_id text, changes jsonb, based_on jsonb default null) returns void language plpgsql security definer
set search_path = '' as $$
declare
  current_terms jsonb;
begin
  perform private.require_role('admin');
  if based_on is null then
    insert into public.subscription_plans (id, name, max_memories, storage_gb, term_years, included_cards, position)
    select save_plan.plan_id, r.name, r.max_memories, r.storage_gb, r.term_years, r.included_cards,
      (select coalesce(max(p.position), 0) + 1 from public.subscription_plans p)
    from jsonb_populate_record(null::public.subscription_plans, changes - 'prices') r;
  else
    -- Concurrent saves of this plan wait here, also for its prices.
    select jsonb_build_object('name', p.name, 'max_memories', p.max_memories, 'storage_gb', p.storage_gb,
      'term_years', p.term_years, 'included_cards', p.included_cards)
    into current_terms from public.subscription_plans p where p.id = save_plan.plan_id for update;
    if current_terms is null then
      raise exception 'This plan does not exist.' using errcode = 'PT404';
    end if;
    current_terms := current_terms || jsonb_build_object('prices', (select coalesce(jsonb_object_agg(p.currency, p.amount), '{}')
      from public.plan_prices p where p.plan_id = save_plan.plan_id));
    if current_terms <> based_on then
      raise exception 'This was changed in the meantime.' using errcode = 'PT409', hint = 'conflict';
    end if;
    update public.subscription_plans p
    set (name, max_memories, storage_gb, term_years, included_cards) =
      (select r.name, r.max_memories, r.storage_gb, r.term_years, r.included_cards
       from jsonb_populate_record(p, changes - 'prices') r)
    where p.id = save_plan.plan_id and changes - 'prices' <> '{}';
  end if;
  delete from public.plan_prices p
  using jsonb_each(coalesce(changes -> 'prices', '{}')) as price (currency, amount)
  where p.plan_id = save_plan.plan_id and p.currency = price.currency and price.amount = 'null';
  insert into public.plan_prices (plan_id, currency, amount)
  select save_plan.plan_id, price.currency, price.amount::integer
  from jsonb_each_text(coalesce(changes -> 'prices', '{}')) as price (currency, amount) where price.amount is not null
  on conflict on constraint plan_prices_pkey do update set amount = excluded.amount;
end
$$;
comment on function save_plan is
  'Saves the changed terms of a plan, and its changed prices (null removes one), over the terms that they are based on; creates the plan without them. For administrators. Refused (PT409) if the plan has other terms by now.';

create function save_card(changes jsonb, based_on jsonb) returns void language plpgsql security definer set search_path = '' as $$
declare
  current_terms jsonb;
begin
  perform private.require_role('admin');
  insert into public.products (id, name, position) values ('metal-card', 'Metal card', 1) on conflict (id) do nothing;
  perform from public.products p where p.id = 'metal-card' for update;
  current_terms := jsonb_build_object(
    'prices', (select coalesce(jsonb_object_agg(p.currency, p.amount), '{}')
      from public.product_prices p where p.product_id = 'metal-card'),
    'discounts', (select coalesce(jsonb_object_agg(d.min_quantity, d.percentage), '{}')
      from public.quantity_discounts d where d.product_id = 'metal-card'));
  if current_terms <> based_on then
    raise exception 'This was changed in the meantime.' using errcode = 'PT409', hint = 'conflict';
  end if;
  delete from public.product_prices p
  using jsonb_each(coalesce(changes -> 'prices', '{}')) as price (currency, amount)
  where p.product_id = 'metal-card' and p.currency = price.currency and price.amount = 'null';
  insert into public.product_prices (product_id, currency, amount)
  select 'metal-card', price.currency, price.amount::integer
  from jsonb_each_text(coalesce(changes -> 'prices', '{}')) as price (currency, amount) where price.amount is not null
  on conflict (product_id, currency) do update set amount = excluded.amount;
  if changes ? 'discounts' then
    delete from public.quantity_discounts d
    where d.product_id = 'metal-card' and not (changes -> 'discounts') ? d.min_quantity::text;
    insert into public.quantity_discounts (product_id, min_quantity, percentage)
    select 'metal-card', step.quantity::integer, step.percentage::numeric
    from jsonb_each_text(changes -> 'discounts') as step (quantity, percentage)
    on conflict (product_id, min_quantity) do update set percentage = excluded.percentage;
  end if;
end
$$;
comment on function save_card is
  'Saves the changed prices of the metal card (null removes one), and its discounts by quantity as a whole, over the values that they are based on. For administrators. Refused (PT409) if the card has other ones by now.';

revoke execute on function save_plan, save_card from public, anon;
grant execute on function save_plan, save_card to authenticated, service_role;
