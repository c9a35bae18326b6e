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
    -- Text that cannot be engraved was refused before the sale. Of an older order, the card waits for another text.
    bears := case when made.kind = 'card' and private.is_engraving(made.details -> 'engraving') then made.details -> 'engraving' end;
    insert into public.metal_cards (user_id, order_id, order_item_id, place, making, name, dates, finish, language)
    values (new.user_id, new.id, made.item_id, made.place,
      case when jsonb_typeof(bears) = 'object' then 'ordered' else 'waiting' end,
      coalesce(bears ->> 'name', ''), coalesce(bears ->> 'dates', ''),
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

-- Text on cards. As in shared/card-face.ts: the letters, digits and punctuation of the engraver's typeface.
create function private.is_engravable(words text) returns boolean language sql immutable strict parallel safe set search_path = '' as $$
  select normalize(words, NFC) ~ ('^['
    || '\u0020\u0022\u0026-\u0029\u002b-\u003b\u0041-\u005a\u0061-\u007a\u00aa-\u00ab\u00b7\u00ba-\u00bb\u00c0-\u00d6'
    || '\u00d8-\u00f6\u00f8-\u017e\u018f\u0192\u01a0-\u01a1\u01af-\u01b0\u01c4-\u01dc\u01e6-\u01e7\u01ea-\u01eb'
    || '\u01fa-\u021b\u022a-\u022d\u0230-\u0233\u0237\u0251\u0259\u0261\u0300-\u0301\u0303-\u0304\u0308-\u0309\u0323'
    || '\u0375\u037a\u0384\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce\u03d7-\u03e1\u0401-\u044f\u0451-\u045f'
    || '\u0462-\u0463\u046a-\u046b\u0490-\u0493\u0496-\u0497\u049a-\u049b\u04a2-\u04a3\u04ae-\u04b1\u04ba-\u04bb'
    || '\u04d8-\u04d9\u04e8-\u04e9\u1e08-\u1e09\u1e0c-\u1e0f\u1e14-\u1e17\u1e1c-\u1e1d\u1e20-\u1e21\u1e24-\u1e25'
    || '\u1e2a-\u1e2b\u1e2e-\u1e2f\u1e36-\u1e3b\u1e42-\u1e49\u1e4c-\u1e53\u1e5a-\u1e69\u1e6c-\u1e6f\u1e78-\u1e7b'
    || '\u1e80-\u1e85\u1e8e-\u1e8f\u1e92-\u1e93\u1e97\u1e9e\u1ea0-\u1ef9\u1f00-\u1f15\u1f18-\u1f1d\u1f20-\u1f45'
    || '\u1f48-\u1f4d\u1f50-\u1f57\u1f59\u1f5b\u1f5d\u1f5f-\u1f7d\u1f80-\u1fb4\u1fb6-\u1fc4\u1fc6-\u1fd3\u1fd6-\u1fdb'
    || '\u1fdd-\u1fef\u1ff2-\u1ff4\u1ff6-\u1ffe\u2013-\u2014\u2018-\u2019\u201c-\u201d'
    || ']*$')
$$;
comment on function private.is_engravable is 'Whether the engraver''s typeface has all characters of a text.';

create function private.is_engraving(engraving jsonb) returns boolean language sql immutable parallel safe set search_path = '' as $$
  select coalesce(jsonb_typeof(engraving) = 'object', false)
    and length(coalesce(engraving ->> 'name', '')) <= 48 and length(coalesce(engraving ->> 'dates', '')) <= 40
    and private.is_engravable(coalesce(engraving ->> 'name', '') || coalesce(engraving ->> 'dates', ''))
$$;
comment on function private.is_engraving is 'Whether a card can have this text: {name, dates}.';

create function private.refuse_engraving() returns trigger language plpgsql set search_path = '' as $$
begin
  raise exception 'The text on a card cannot be engraved.' using errcode = 'PT400', hint = 'not_engravable';
end
$$;
comment on function private.refuse_engraving is 'Refuses a text that is too long or has characters that the engraver''s typeface lacks.';
-- Only new text is checked, so that a card with an older one can still be cancelled or given away.
create trigger refuse_engraving before insert on metal_cards for each row
  when (not private.is_engravable(new.name || new.dates)) execute function private.refuse_engraving();
create trigger refuse_changed_engraving before update of name, dates on metal_cards for each row
  when ((new.name, new.dates) is distinct from (old.name, old.dates) and not private.is_engravable(new.name || new.dates))
  execute function private.refuse_engraving();
create trigger refuse_engraving before insert or update of item on cart_items for each row
  when (jsonb_typeof(new.item -> 'engraving') <> 'null' and not private.is_engraving(new.item -> 'engraving'))
  execute function private.refuse_engraving();

-- A photo that moves to another memory leaves the timeline entries of this one, as a deleted photo does.
create function private.leave_entries() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.memory_entries e set media_id = null where e.media_id = new.id and e.memory_id <> new.memory_id;
  return null;
end
$$;
comment on function private.leave_entries is 'Removes a photo that was moved to another memory from the timeline entries of the earlier one.';
create trigger leave_entries after update of memory_id on media for each row
  when (new.memory_id <> old.memory_id) execute function private.leave_entries();
update memory_entries e set media_id = null from media m where m.id = e.media_id and m.memory_id <> e.memory_id;

-- Candles and hearts are contributions: in memories of others they stay, without a name.
alter table reactions drop constraint reactions_user_id_fkey,
  add constraint reactions_user_id_fkey foreign key (user_id) references auth.users on delete set null;
comment on column reactions.user_id is 'Null for a guest, and if the account was deleted.';

-- Vouchers of orders that a bank processes.
alter table orders add column processing boolean not null default false;
comment on column orders.processing is
  'Whether a bank processes the payment of this pending order. Its payment page is complete and cannot be closed any more.';

create or replace function apply_voucher(code_text text) returns jsonb
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
  -- A person who returns from the payment page keeps the use that is reserved for them: the next checkout closes that page. It
  -- cannot close a page whose payment a bank processes, so such a use counts.
  select coalesce(array_agg(u.order_id), '{}') into own_pending
  from public.voucher_uses u join public.orders o on o.id = u.order_id
  where u.user_id = person and u.paid_at is null and u.released_at is null and not o.processing;
  if private.usable_voucher(found, person, own_pending) is not null then
    return jsonb_build_object('valid', false, 'discount_percentage', 0, 'message', 'Invalid voucher code');
  end if;
  return jsonb_build_object('valid', true, 'discount_percentage', found.percentage, 'message', '',
    'plan_ids', found.plan_ids, 'applies_to_cards', found.applies_to_cards);
end
$$;

revoke execute on all functions in schema private from public;
-- Conditions of triggers run as their caller.
grant execute on function private.is_engravable, private.is_engraving to authenticated, service_role;
