set local check_function_bodies = off;

-- Orders are looked up by the beginning of the buyer's address. Row policies admit only comparisons that can not leak as conditions
-- of an index, which these are in the collation "C", and `like` is not.
alter table orders add column email_key text collate "C" not null generated always as (lower(email)) stored;
comment on column orders.email_key is 'The address in small letters, for searching by its beginning.';
create index orders_newest on orders (created_at desc, id);
create index orders_status on orders (status, created_at desc, id);
create index orders_email_key on orders (email_key, created_at desc);

drop policy "own rows" on orders;
create policy "buyer and staff read" on orders for select to authenticated
  using (user_id = (select auth.uid()) or (select private.has_role('admin', 'support', 'fulfilment')));
drop policy "buyer reads" on order_items;
create policy "buyer and staff read" on order_items for select to authenticated
  using (exists (select from orders o where o.id = order_id));

create table refunds (
  id uuid primary key,
  order_id uuid not null references orders on delete cascade,
  amount integer not null check (amount > 0),
  reason text not null check (length(reason) between 1 and 500),
  state text not null default 'asked' check (state in ('asked', 'done', 'refused')),
  provider_id text unique,
  asked_by uuid default auth.uid() references auth.users on delete set null,
  created_at timestamptz not null default now(),
  settled_at timestamptz
);
comment on table refunds is
  'Refunds that an administrator asked the payment provider for. What an order has refunded comes from the provider alone.';
comment on column refunds.id is 'Chosen by who asks: the same refund asked for again is the same one.';
comment on column refunds.amount is 'In pence or cents.';
comment on column refunds.state is 'asked until the provider has answered; done; or refused by the provider.';
create index refunds_order_id on refunds (order_id, created_at);
create index refunds_asked_by on refunds (asked_by);
alter table refunds enable row level security;
grant select on refunds to authenticated, service_role;
create policy "administrators and support read" on refunds for select to authenticated
  using ((select private.has_role('admin', 'support')));
create policy "required authentication level" on refunds as restrictive to authenticated
  using ((select private.has_required_aal()));

create function private.begin_refund(wanted text, part integer, reason text, request uuid)
returns table (id uuid, order_id uuid, amount integer, state text, payment_intent text)
language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
declare
  sold public.orders;
  known public.refunds;
  available integer;
  asked integer;
begin
  perform private.require_role('admin');
  select * into sold from public.orders o where o.number = wanted or o.id::text = wanted for update;
  if not found then
    raise exception 'There is no such order.' using errcode = 'PT404', hint = 'not_found';
  end if;
  select * into known from public.refunds r where r.id = begin_refund.request;
  if not found then
    if sold.status <> 'paid' or sold.payment_intent is null then
      raise exception 'Only an order that is paid can be refunded.' using errcode = 'PT409', hint = 'not_refundable';
    end if;
    available := sold.total - sold.refunded - coalesce((select sum(r.amount) from public.refunds r
      where r.order_id = sold.id and r.state = 'asked'), 0);
    asked := coalesce(part, available);
    if asked <= 0 or asked > available then
      raise exception 'Only % can be refunded.', to_char(available / 100.0, 'FM999999990.00') || ' ' || sold.currency
        using errcode = 'PT409', hint = 'over_refund';
    end if;
    insert into public.refunds (id, order_id, amount, reason)
    values (begin_refund.request, sold.id, asked, btrim(begin_refund.reason)) returning * into known;
    perform private.record_action('order.refund', sold.id::text, jsonb_build_object('refunded', sold.refunded),
      jsonb_build_object('amount', asked, 'currency', sold.currency), begin_refund.reason);
  elsif known.order_id <> sold.id or known.amount <> coalesce(part, known.amount) then
    raise exception 'This refund was asked for with other values.' using errcode = 'PT409', hint = 'conflict';
  end if;
  return query select known.id, sold.id, known.amount, known.state, sold.payment_intent;
end
$$;
comment on function private.begin_refund is
  'Notes down that an administrator refunds a part of a paid order (its number or id), or all that is left, before the provider is asked. Raises PT409 for more than is left.';

create function private.settle_refund(request uuid, outcome text, provider_id text default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  settled public.refunds;
begin
  perform private.require_role('admin');
  update public.refunds r set state = outcome, provider_id = settle_refund.provider_id, settled_at = now()
  where r.id = request and r.state = 'asked' returning * into settled;
  if found and outcome = 'refused' then
    perform private.record_action('order.refund_refused', settled.order_id::text, null, jsonb_build_object('amount', settled.amount));
  end if;
end
$$;
comment on function private.settle_refund is 'Notes down what the payment provider answered to a refund: done or refused.';

create function private.resend_receipt(order_id uuid, mail jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  sold public.orders;
begin
  perform private.require_role('admin', 'support');
  select * into sold from public.orders o where o.id = resend_receipt.order_id for update;
  -- Pressed twice, it is one email.
  if exists (select from private.outbox b where b.state = 'waiting' and b.template = 'receipt' and b.dedupe_key like 'receipt of ' || sold.id || '%') then
    return;
  end if;
  insert into private.outbox (kind, template, language, recipient, props, dedupe_key)
  values ('mail', 'receipt', sold.language, sold.email, mail, 'receipt of ' || sold.id || ' again ' || gen_random_uuid());
  perform private.record_action('order.receipt', sold.id::text);
end
$$;
comment on function private.resend_receipt is 'Enqueues the receipt of an order once more, with these values for its template.';

create function order_events(order_id uuid) returns table (happened_at timestamptz, kind text, state text)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role('admin', 'support', 'fulfilment');
  return query
    select coalesce(b.settled_at, b.created_at), b.template, b.state from private.outbox b
    where b.template in ('receipt', 'order-refunded', 'order-disputed', 'payment-failed')
      and b.recipient = (select o.email from public.orders o where o.id = order_events.order_id)
      and b.dedupe_key like '% of ' || order_events.order_id || '%'
    union all
    select e.created, case e.type when 'charge.refunded' then 'refunded' when 'charge.dispute.created' then 'disputed'
      else 'dispute-closed' end, null::text from private.payment_events e
    where e.order_id = order_events.order_id
      and e.type in ('charge.refunded', 'charge.dispute.created', 'charge.dispute.closed')
    order by 1;
end
$$;
comment on function order_events is
  'What happened with an order that its row does not show: emails of the last 30 days with their state, refunds and disputes. For staff.';

revoke execute on all functions in schema private from public;
revoke execute on function order_events from public, anon;
grant execute on function order_events to authenticated, service_role;
grant execute on function private.begin_refund, private.settle_refund, private.resend_receipt to authenticated, service_role;
