set local check_function_bodies = off;

-- Payments of deleted accounts. A job at the server closes payment pages and makes these refunds.
alter table refunds add column automatic boolean not null default false;
comment on column refunds.automatic is
  'Whether the server refunds it without an administrator, because the account was deleted. Only a paid order can be refunded, so it waits while a bank disputes the payment.';
comment on table refunds is
  'Refunds to ask the payment provider for, by an administrator or because an account was deleted. What an order has refunded comes from the provider alone.';
create index refunds_automatic on refunds (created_at) where automatic and state = 'asked';

create function private.notify_orders_without_account() returns trigger language plpgsql set search_path = '' as $$
begin
  perform pg_notify('orders_without_account', '');
  return null;
end
$$;
comment on function private.notify_orders_without_account is
  'Wakes the job that closes payment pages of deleted accounts and refunds their payments.';
create trigger notify_orders_without_account after insert on refunds for each row when (new.automatic)
  execute function private.notify_orders_without_account();
create trigger t70_notify_orders_without_account after update on orders for each row
  when (new.user_id is null and (old.status = 'disputed' and new.status = 'paid'
    or new.status = 'pending' and new.session_url is not null and (old.user_id is not null or old.session_url is null)))
  execute function private.notify_orders_without_account();

create function private.refund_order_without_account() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.refunds (id, order_id, amount, reason, automatic, asked_by)
  values (gen_random_uuid(), new.id, new.total - new.refunded, 'Paid after the account was deleted', true, null);
  return null;
end
$$;
comment on function private.refund_order_without_account is 'Refunds an order that was paid after its account was deleted.';
create trigger t60_refund_order_without_account after update on orders for each row
  when (new.user_id is null and new.paid_at is not null and old.paid_at is null and new.total > new.refunded)
  execute function private.refund_order_without_account();

create function private.refund_unmade_cards() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- Orders before cards, like a payment. Once both are locked, no card can be engraved or refunded meanwhile.
  perform from public.orders o where o.id in (select c.order_id from public.metal_cards c where c.user_id = old.id) order by o.id for update;
  perform from public.metal_cards c where c.user_id = old.id order by c.id for update;
  insert into public.refunds (id, order_id, amount, reason, automatic, asked_by)
  select gen_random_uuid(), f.order_id, f.amount, 'Cards not engraved when the account was deleted', true, null
  from (
    select o.id as order_id, least(
      (select round(sum(i.total::numeric / i.quantity)) from public.metal_cards c join public.order_items i on i.id = c.order_item_id
       where c.order_id = o.id and c.user_id = old.id and c.making in ('waiting', 'ordered') and i.kind = 'card'),
      o.total - o.refunded - coalesce((select sum(r.amount) from public.refunds r where r.order_id = o.id and r.state = 'asked'), 0)
    )::integer as amount
    from public.orders o
    where o.id in (select c.order_id from public.metal_cards c where c.user_id = old.id) and o.status in ('paid', 'disputed')
  ) f where f.amount > 0;
  return old;
end
$$;
comment on function private.refund_unmade_cards is
  'Refunds the cards that were bought and are not engraved when their holder deletes the account; they are cancelled. Cards that a plan includes have no price of their own.';
create trigger refund_unmade_cards before delete on auth.users for each row execute function private.refund_unmade_cards();

create or replace function private.issue_cards() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  made record;
  bears jsonb;
begin
  if new.status = 'refunded' and old.status <> 'refunded' then
    -- Cards that are already engraved are kept. None of the others opens anything from now on.
    update public.metal_cards set making = 'cancelled', memory_id = null
    where order_id = new.id and making in ('waiting', 'ordered');
    return null;
  end if;
  if new.status <> 'paid' or old.status = 'paid' then
    -- The delivery address may be known later than the payment.
    update public.card_deliveries set address = new.delivery where order_id = new.id and address is null and new.delivery is not null;
    return null;
  end if;
  -- For a deleted account no card is made, and none returns after a dispute.
  if new.user_id is null then
    return null;
  end if;
  for made in
    select i.id as item_id, i.kind, i.details, n.place from public.order_items i,
      generate_series(1, case i.kind when 'card' then i.quantity
        else i.quantity * coalesce((i.terms ->> 'included_cards')::integer, 0) end) as n (place)
    where i.order_id = new.id order by i.id, n.place
  loop
    bears := case when made.kind = 'card' then made.details -> 'engraving' end;
    insert into public.metal_cards (user_id, order_id, order_item_id, place, making, name, dates, finish, language)
    values (new.user_id, new.id, made.item_id, made.place,
      case when jsonb_typeof(bears) = 'object' then 'ordered' else 'waiting' end,
      left(coalesce(bears ->> 'name', ''), 48), left(coalesce(bears ->> 'dates', ''), 40),
      case when bears ->> 'finish' in ('steel', 'gold', 'black') then bears ->> 'finish' else 'steel' end,
      case when bears ->> 'language' in ('en', 'it') then bears ->> 'language' else 'en' end)
    -- An existing card keeps its state, unless it was cancelled by mistake.
    on conflict on constraint one_card_a_place do update set making = excluded.making where metal_cards.making = 'cancelled';
    if found and jsonb_typeof(bears) = 'object' then
      update public.metal_cards c set memory_id = m.id
      from public.memories m
      where c.order_item_id = made.item_id and c.place = made.place and m.id::text = bears ->> 'memory_id' and not m.draft
        and (m.user_id = new.user_id or exists (select from public.memory_members p
          where p.memory_id = m.id and p.user_id = new.user_id and p.role = 'co-owner'));
    end if;
  end loop;
  insert into public.card_deliveries (card_id, user_id, order_id, address)
  select c.id, new.user_id, new.id, new.delivery from public.metal_cards c where c.order_id = new.id and new.user_id is not null
  on conflict do nothing;
  return null;
end
$$;

revoke execute on all functions in schema private from public;
