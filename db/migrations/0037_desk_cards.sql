set local check_function_bodies = off;

alter table metal_cards drop constraint metal_cards_making_check,
  add constraint metal_cards_making_check check (making in ('waiting', 'ordered', 'engraved', 'sent', 'returned', 'cancelled')),
  add column returned_at timestamptz;
comment on column metal_cards.making is
  'waiting for its text; ordered; engraved; sent; returned by the carrier; or cancelled because the order was refunded before engraving.';
-- The columns of the fulfilment board.
create index metal_cards_making on metal_cards (making, created_at, id);

create or replace function private.validate_card() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  administers constant boolean := not private.is_caller() or private.has_role('admin', 'fulfilment');
begin
  -- Fulfilment says how far a card is, and nothing about what is on it or what it opens.
  if private.is_caller() and private.has_role('fulfilment') and new.user_id is distinct from auth.uid()
    and (new.name, new.dates, new.finish, new.language, new.memory_id, new.claimed_at, new.blocked)
      is distinct from (old.name, old.dates, old.finish, old.language, old.memory_id, old.claimed_at, old.blocked) then
    raise exception 'Fulfilment changes how far a card is, and nothing else.' using errcode = '42501';
  end if;
  if new.making <> old.making then
    if not administers and not (old.making = 'waiting' and new.making = 'ordered'
      and exists (select from public.card_deliveries d where d.card_id = new.id and d.address is not null)) then
      raise exception 'Only its engraver knows how far a card is.' using errcode = '42501';
    end if;
    new.engraved_at := case when new.making in ('engraved', 'sent', 'returned') then coalesce(new.engraved_at, now()) end;
    new.sent_at := case when new.making in ('sent', 'returned')
      then case when old.making = 'returned' then now() else coalesce(new.sent_at, now()) end end;
    new.returned_at := case when new.making = 'returned' then now() when new.making = 'sent' then old.returned_at end;
  end if;
  if (new.name, new.dates, new.finish, new.language) is distinct from (old.name, old.dates, old.finish, old.language)
    and old.making not in ('waiting', 'ordered') and new.user_id is not null then
    raise exception 'This card is engraved already.' using errcode = 'PT409', hint = 'engraved';
  end if;
  if new.user_id is null and old.user_id is not null then
    -- The text of a deleted account is removed, and nothing is engraved for it.
    new.name := '';
    new.dates := '';
    new.making := case when new.making in ('waiting', 'ordered') then 'cancelled' else new.making end;
  end if;

  -- A card that was given away opens nothing until it is claimed again.
  if new.claimed_at is null and old.claimed_at is not null then
    new.memory_id := null;
  end if;
  -- Its link was deleted by a manager of the memory, or together with the memory.
  if new.link_id is null and old.link_id is not null and new.memory_id is not distinct from old.memory_id then
    new.memory_id := null;
  end if;
  if new.memory_id is distinct from old.memory_id then
    new.link_id := null;
    if new.memory_id is not null then
      if private.is_caller() and not private.is_manager(new.memory_id) then
        raise exception 'A card opens memories that its holder keeps.' using errcode = '42501';
      end if;
      if new.blocked is not null then
        raise exception 'This card is switched off.' using errcode = 'PT409', hint = 'blocked';
      end if;
      new.link_id := private.link_for_card(new.memory_id, new.code, new.language);
      new.claimed_at := coalesce(new.claimed_at, now());
    end if;
  end if;
  return new;
end
$$;

create or replace function private.validate_delivery() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_caller() or private.has_role('admin', 'fulfilment') then
    return new;
  end if;
  if not exists (select from public.metal_cards c where c.id = new.card_id and c.making in ('waiting', 'ordered')) then
    raise exception 'This card is engraved already.' using errcode = 'PT409', hint = 'engraved';
  end if;
  return new;
end
$$;

drop function private.cards_to_engrave(text);
create function private.cards_to_engrave(wanted text[])
returns table (id uuid, code text, place integer, making text, state text, name text, dates text, finish text, language text,
  address jsonb, order_id uuid, order_number text)
language sql stable security definer set search_path = '' as $$
  select c.id, c.code, row_number() over (order by o.number, c.order_item_id, c.place)::integer, c.making, c.state, c.name, c.dates,
    c.finish, c.language, d.address, o.id, o.number
  from public.orders o join public.metal_cards c on c.order_id = o.id
  left join public.card_deliveries d on d.card_id = c.id
  where (o.number = any (wanted) or o.id::text = any (wanted) or c.id::text = any (wanted) or c.code = any (wanted)) and o.status = 'paid' and c.making in ('ordered', 'engraved')
    and (not private.is_caller() or private.has_role('admin', 'fulfilment'))
  order by 3
$$;
comment on function private.cards_to_engrave is
  'The cards of paid orders that are to be engraved, by numbers or ids of orders and by ids or codes of cards. Empty unless the caller is an administrator, fulfilment or the server.';

create or replace function private.enqueue_card_email(cards uuid[], told text, cards_url text) returns void
language sql volatile security definer set search_path = '' as $$
  insert into private.outbox (kind, template, language, recipient, props, dedupe_key)
  select 'mail', 'cards-' || told, o.language, o.email,
    jsonb_build_object('number', o.number, 'cards', count(*), 'cardsUrl', cards_url, 'carrier', max(coalesce(d.carrier, '')),
      'trackingNumber', max(coalesce(d.tracking_number, '')), 'trackingUrl', max(coalesce(d.tracking_url, ''))),
    'cards-' || told || ':' || min(c.id::text) || case when told = 'sent' then max(coalesce(d.tracking_number, '')) else '' end
  from public.metal_cards c join public.orders o on o.id = c.order_id
  left join public.card_deliveries d on d.card_id = c.id
  where c.id = any (cards) and (not private.is_caller() or private.has_role('admin', 'fulfilment'))
  group by o.id
  on conflict (dedupe_key) do nothing
$$;

drop policy "holder and administrators read" on metal_cards;
create policy "holder and staff read" on metal_cards for select to authenticated
  using (user_id = (select auth.uid()) or (select private.has_role('admin', 'support', 'fulfilment')));
drop policy "holder and administrators change" on metal_cards;
create policy "holder and staff change" on metal_cards for update to authenticated
  using (user_id = (select auth.uid()) or (select private.has_role('admin', 'fulfilment')))
  with check (user_id = (select auth.uid()) or (select private.has_role('admin', 'fulfilment')));

-- Support sees cards, and must not make secrets for them by that.
drop policy "holder and administrators" on card_secrets;
create policy "holder and staff" on card_secrets to authenticated
  using (card_id in (select id from metal_cards c where c.user_id = (select auth.uid())) or (select private.has_role('admin', 'fulfilment')))
  with check (card_id in (select id from metal_cards c where c.user_id = (select auth.uid())) or (select private.has_role('admin', 'fulfilment')));

drop policy "buyer and administrators read" on card_deliveries;
create policy "buyer and staff read" on card_deliveries for select to authenticated
  using (user_id = (select auth.uid()) or (select private.has_role('admin', 'support', 'fulfilment')));
drop policy "buyer and administrators change" on card_deliveries;
create policy "buyer and staff change" on card_deliveries for update to authenticated
  using (user_id = (select auth.uid()) or (select private.has_role('admin', 'fulfilment')))
  with check (user_id = (select auth.uid()) or (select private.has_role('admin', 'fulfilment')));

revoke execute on all functions in schema private from public;
grant execute on function private.cards_to_engrave to authenticated, service_role;
