set local check_function_bodies = off;

-- Twelve letters out of 32 carry 60 bits: short enough for engraving, and not guessable at twenty attempts an hour.
create function private.new_card_code() returns text language plpgsql volatile set search_path = '' as $$
declare
  alphabet constant text := '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  random bytea := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
  made text := '';
  i integer;
begin
  -- Bytes 9 to 15 of a version 4 UUID are random; each letter takes five bits.
  foreach i in array array[9, 10, 11, 12, 13, 14, 25, 26, 27, 28, 29, 30] loop
    made := made || substr(alphabet, get_byte(random, i) % 32 + 1, 1);
  end loop;
  return made;
end
$$;

create table metal_cards (
  id uuid primary key default gen_random_uuid(),
  code text not null unique default private.new_card_code() check (code ~ '^[0-9A-HJKMNP-TV-Z]{12}$'),
  user_id uuid references auth.users on delete set null,
  order_id uuid references orders on delete cascade,
  order_item_id uuid references order_items on delete cascade,
  place integer check (place > 0),
  making text not null default 'waiting' check (making in ('waiting', 'ordered', 'engraved', 'sent', 'cancelled')),
  name text not null default '' check (length(name) <= 48),
  dates text not null default '' check (length(dates) <= 40),
  finish text not null default 'steel' check (finish in ('steel', 'gold', 'black')),
  language text not null default 'en' check (language in ('en', 'it')),
  memory_id uuid references memories on delete set null,
  link_id uuid unique references share_links on delete set null,
  claimed_at timestamptz,
  blocked text check (blocked in ('lost', 'disabled')),
  state text not null generated always as (case
    when blocked is not null then blocked when link_id is not null then 'assigned'
    when claimed_at is not null then 'claimed' else 'unclaimed' end) stored,
  created_at timestamptz not null default now(),
  engraved_at timestamptz,
  sent_at timestamptz,
  constraint one_card_a_place unique (order_item_id, place)
);
comment on table metal_cards is 'Engraved cards with unique codes. Visible to their holder and to administrators.';
comment on column metal_cards.code is 'The engraved code, in /c/{code}: letters of Crockford''s base 32.';
comment on column metal_cards.user_id is 'The holder: the buyer, until somebody claims it with the secret in its pack.';
comment on column metal_cards.place is 'Its number within the line of the order, so that no card is made twice.';
comment on column metal_cards.making is
  'waiting for its text; ordered; engraved; sent; or cancelled because the order was refunded before engraving.';
comment on column metal_cards.link_id is
  'The link that the card opens, created for it alone. The card stops working when the link ends.';
comment on column metal_cards.blocked is 'Why it is disabled.';
comment on column metal_cards.state is 'unclaimed, claimed, assigned, lost or disabled.';
create index metal_cards_user_id on metal_cards (user_id);
create index metal_cards_order_id on metal_cards (order_id);
create index metal_cards_memory_id on metal_cards (memory_id);
alter table metal_cards enable row level security;

create table card_secrets (
  card_id uuid primary key references metal_cards on delete cascade,
  hash text not null check (hash ~ '^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$')
);
comment on table card_secrets is
  'The secret that claims a card, as a keyed argon2id hash that no caller can read. Without a row it cannot be claimed: it is not packed yet, or already claimed.';
-- Written by administrators and by holders who give their card away. Neither can read one.
alter table card_secrets enable row level security;

create table card_deliveries (
  card_id uuid primary key references metal_cards on delete cascade,
  user_id uuid not null default auth.uid() references auth.users on delete cascade,
  order_id uuid references orders on delete cascade,
  address jsonb check (jsonb_typeof(address) = 'object' and length(address::text) <= 2000),
  carrier text not null default '' check (length(carrier) <= 60),
  tracking_number text not null default '' check (length(tracking_number) <= 60),
  tracking_url text not null default '' check (length(tracking_url) <= 500 and tracking_url ~ '^(https://\S+)?$')
);
comment on table card_deliveries is
  'Delivery address and tracking of each card. Visible to the buyer, even after somebody else claimed the card, and not to the new holder.';
create index card_deliveries_user_id on card_deliveries (user_id);
create index card_deliveries_order_id on card_deliveries (order_id);
alter table card_deliveries enable row level security;

-- Runs as the owner, because the holder cannot write the link. The caller's rights are therefore checked here.
create function private.validate_card() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  administers constant boolean := not private.is_caller() or private.is_admin();
begin
  if new.making <> old.making then
    if not administers and not (old.making = 'waiting' and new.making = 'ordered'
      and exists (select from public.card_deliveries d where d.card_id = new.id and d.address is not null)) then
      raise exception 'Only its engraver knows how far a card is.' using errcode = '42501';
    end if;
    new.engraved_at := case when new.making in ('engraved', 'sent') then coalesce(new.engraved_at, now()) end;
    new.sent_at := case when new.making = 'sent' then coalesce(new.sent_at, now()) end;
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
create trigger validate_card before update on metal_cards for each row execute function private.validate_card();

create function private.link_for_card(memory uuid, code text, language text) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  made uuid;
begin
  if not exists (select from public.memories where id = memory and not draft) then
    raise exception 'A card opens memories that are published.' using errcode = 'PT409', hint = 'draft';
  end if;
  insert into public.share_links (memory_id, for_card, label)
  values (memory, true, (case language when 'it' then 'Carta ' else 'Card ' end) || right(code, 4)) returning id into made;
  -- The card has the same secret as the memory's first link. Locks that link, so that a concurrent change of the secret
  -- waits.
  perform from public.share_links l where l.memory_id = memory and l.is_first for share of l;
  insert into public.share_pins (link_id, hash, kind)
  select made, p.hash, p.kind from public.share_links l join public.share_pins p on p.link_id = l.id
  where l.memory_id = memory and l.is_first;
  return made;
end
$$;
comment on function private.link_for_card is
  'Creates the link of a card with the PIN or passphrase of the memory''s first link, and returns its id.';

create function private.copy_secret_to_cards() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  cards constant uuid[] := (select array_agg(c.id) from public.share_links l
    join public.share_links c on c.memory_id = l.memory_id and c.for_card
    where l.id = coalesce(new.link_id, old.link_id) and l.is_first);
begin
  if tg_op = 'DELETE' then
    delete from public.share_pins where link_id = any (cards);
  elsif cards is not null then
    insert into public.share_pins (link_id, hash, kind) select card, new.hash, new.kind from unnest(cards) card
    on conflict (link_id) do update set hash = excluded.hash, kind = excluded.kind;
  end if;
  return null;
end
$$;
comment on function private.copy_secret_to_cards is
  'Copies the PIN or passphrase of a memory''s first link to the links of its cards. Visitors have to enter the new one.';
-- Each card's own secret increases the version of its link.
create trigger t30_copy_secret_to_cards after insert or update or delete on share_pins
  for each row execute function private.copy_secret_to_cards();

-- Afterwards, because deleting a link updates the row of its card.
create function private.follow_card() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if old.link_id is distinct from new.link_id then
    delete from public.share_links where id = old.link_id;
  end if;
  if old.blocked is distinct from new.blocked then
    update public.share_links set revoked_at = case when new.blocked is not null then now() end where id = new.link_id;
  end if;
  -- Once claimed, the secret that was printed for its pack is no longer valid.
  if new.claimed_at is not null and old.claimed_at is null then
    delete from public.card_secrets where card_id = new.id;
  end if;
  return null;
end
$$;
create trigger follow_card after update on metal_cards for each row execute function private.follow_card();

create function private.validate_delivery() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_caller() or private.is_admin() then
    return new;
  end if;
  if not exists (select from public.metal_cards c where c.id = new.card_id and c.making in ('waiting', 'ordered')) then
    raise exception 'This card is engraved already.' using errcode = 'PT409', hint = 'engraved';
  end if;
  return new;
end
$$;
create trigger validate_delivery before insert or update on card_deliveries
  for each row execute function private.validate_delivery();

-- Runs as its caller: the policies decide whose card it is.
create function personalise_card(card_id uuid, words jsonb, address jsonb) returns void
language plpgsql volatile set search_path = '' as $$
begin
  insert into public.card_deliveries (card_id, address) values (personalise_card.card_id, personalise_card.address)
  on conflict on constraint card_deliveries_pkey do update set address = personalise_card.address;
  update public.metal_cards c set name = coalesce(words ->> 'name', ''), dates = coalesce(words ->> 'dates', ''),
    finish = coalesce(words ->> 'finish', 'steel'), language = coalesce(words ->> 'language', 'en'),
    memory_id = (words ->> 'memory_id')::uuid, making = 'ordered'
  where c.id = personalise_card.card_id;
end
$$;
comment on function personalise_card is
  'Sets the text on one of the caller''s waiting cards, what it opens (words: name, dates, finish, language, memory_id) and its address, and orders it.';

create function private.issue_cards() returns trigger language plpgsql security definer set search_path = '' as $$
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
comment on function private.issue_cards is
  'Creates the cards of a paid order; those included in plans wait for their text. Cancels cards that are not engraved when the order is refunded.';
create trigger t30_issue_cards after update on orders for each row execute function private.issue_cards();

create function private.cards_to_engrave(wanted text)
returns table (id uuid, code text, place integer, making text, state text, name text, dates text, finish text, language text,
  address jsonb, order_id uuid, order_number text)
language sql stable security definer set search_path = '' as $$
  select c.id, c.code, row_number() over (order by c.order_item_id, c.place)::integer, c.making, c.state, c.name, c.dates,
    c.finish, c.language, d.address, o.id, o.number
  from public.orders o join public.metal_cards c on c.order_id = o.id
  left join public.card_deliveries d on d.card_id = c.id
  where (o.number = wanted or o.id::text = wanted) and o.status = 'paid' and c.making in ('ordered', 'engraved')
    and (not private.is_caller() or private.is_admin())
  order by 3
$$;
comment on function private.cards_to_engrave is
  'The cards of a paid order, by its number or id, that are to be engraved. Empty unless the caller is an administrator or the server.';

create function private.enqueue_card_email(cards uuid[], told text, cards_url text) returns void
language sql volatile security definer set search_path = '' as $$
  insert into private.outbox (kind, template, language, recipient, props, dedupe_key)
  select 'mail', 'cards-' || told, o.language, o.email,
    jsonb_build_object('number', o.number, 'cards', count(*), 'cardsUrl', cards_url, 'carrier', max(coalesce(d.carrier, '')),
      'trackingNumber', max(coalesce(d.tracking_number, '')), 'trackingUrl', max(coalesce(d.tracking_url, ''))),
    'cards-' || told || ':' || min(c.id::text)
  from public.metal_cards c join public.orders o on o.id = c.order_id
  left join public.card_deliveries d on d.card_id = c.id
  where c.id = any (cards) and (not private.is_caller() or private.is_admin())
  group by o.id
  on conflict (dedupe_key) do nothing
$$;
comment on function private.enqueue_card_email is
  'Enqueues an email to the buyer of these cards ("engraved", "sent") in the transaction of the change.';

grant select, update (making, name, dates, finish, language, memory_id, claimed_at, blocked) on metal_cards to authenticated;
create policy "holder and administrators read" on metal_cards for select to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()));
create policy "holder and administrators change" on metal_cards for update to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()))
  with check (user_id = (select auth.uid()) or (select private.is_admin()));

grant select (card_id), insert (card_id, hash), update (hash) on card_secrets to authenticated;
create policy "holder and administrators" on card_secrets to authenticated
  using (card_id in (select id from metal_cards)) with check (card_id in (select id from metal_cards));

grant select, insert (card_id, address), update (address, carrier, tracking_number, tracking_url)
  on card_deliveries to authenticated;
create policy "buyer and administrators read" on card_deliveries for select to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()));
create policy "holder adds" on card_deliveries for insert to authenticated
  with check (user_id = (select auth.uid()) and card_id in (select id from metal_cards where user_id = (select auth.uid())));
create policy "buyer and administrators change" on card_deliveries for update to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()))
  with check (user_id = (select auth.uid()) or (select private.is_admin()));

revoke execute on all functions in schema private from public;
revoke execute on function personalise_card from public, anon, authenticated;
grant execute on function personalise_card to authenticated;
grant execute on function private.cards_to_engrave, private.enqueue_card_email to authenticated, service_role;
grant execute on function private.new_card_code to service_role;
