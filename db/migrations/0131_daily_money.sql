set local check_function_bodies = off;

-- Nothing may change between the rows that are added up below and the triggers that follow them.
lock table orders, private.returned_amounts in share row exclusive mode;

create table private.daily_money (
  day date not null,
  currency text not null,
  paid bigint not null,
  returned bigint not null
);
comment on table private.daily_money is
  'A ledger, as private.media_sums: the rows of a day (UTC) and a currency add up to what orders paid and what was returned, in pence or cents. Only triggers write it.';
create index daily_money_day on private.daily_money (day, currency) include (paid, returned);
alter table private.daily_money enable row level security;

create function private.counted_money() returns setof private.daily_money language sql stable security definer set search_path = '' as $$
  select m.day, m.currency, sum(m.paid)::bigint, sum(m.returned)::bigint from (
    select (o.paid_at at time zone 'utc')::date as day, o.currency, o.total as paid, 0 as returned
      from public.orders o where o.paid_at is not null
    union all
    select (r.returned_at at time zone 'utc')::date, r.currency, 0, r.amount from private.returned_amounts r) m
  group by m.day, m.currency having sum(m.paid) <> 0 or sum(m.returned) <> 0
$$;
comment on function private.counted_money is 'What the rows of private.daily_money have to add up to, counted from orders and refunds.';
insert into private.daily_money select * from private.counted_money();

create function private.add_money(at timestamptz, of_currency text, paid bigint, returned bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  on_day constant date := (at at time zone 'utc')::date;
begin
  if at is null or (add_money.paid = 0 and add_money.returned = 0) then
    return;
  end if;
  insert into private.daily_money (day, currency, paid, returned) values (on_day, of_currency, add_money.paid, add_money.returned);
  if (select count(*) from (select from private.daily_money d where d.day = on_day and d.currency = of_currency
      limit private.most_ledger_rows() + 1) d) > private.most_ledger_rows() then
    -- Only rows that nobody else has locked, as in private.merge_sums.
    with merged as (
      delete from private.daily_money d where d.ctid = any (array(
        select l.ctid from private.daily_money l where l.day = on_day and l.currency = of_currency for update skip locked))
      returning d.*
    )
    insert into private.daily_money (day, currency, paid, returned)
    select on_day, of_currency, sum(m.paid), sum(m.returned) from merged m having count(*) > 0;
  end if;
end
$$;
comment on function private.add_money is 'Changes what was paid and returned on a day by differences.';

create function private.note_paid() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op <> 'INSERT' then
    perform private.add_money(old.paid_at, old.currency, -old.total, 0);
  end if;
  if tg_op <> 'DELETE' then
    perform private.add_money(new.paid_at, new.currency, new.total, 0);
  end if;
  return null;
end
$$;
comment on function private.note_paid is 'Adds what an order paid to the sums of its day.';
create trigger note_paid after insert on orders for each row when (new.paid_at is not null) execute function private.note_paid();
create trigger note_changed_payment after update on orders for each row
  when ((old.paid_at, old.total, old.currency) is distinct from (new.paid_at, new.total, new.currency))
  execute function private.note_paid();
create trigger note_deleted_payment after delete on orders for each row when (old.paid_at is not null) execute function private.note_paid();

create function private.note_returned_amount() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op <> 'INSERT' then
    perform private.add_money(old.returned_at, old.currency, 0, -old.amount);
  end if;
  if tg_op <> 'DELETE' then
    perform private.add_money(new.returned_at, new.currency, 0, new.amount);
  end if;
  return null;
end
$$;
comment on function private.note_returned_amount is 'Adds a refund to the sums of its day.';
create trigger note_returned_amount after insert or update or delete on private.returned_amounts for each row
  execute function private.note_returned_amount();

create or replace function desk_figures(period text default 'day')
returns table (since date, is_current boolean, sign_ups bigint, memories bigint, photos bigint, videos bigint, accounts bigint, active bigint,
  all_memories bigint, all_media bigint, stored bigint, revenue jsonb, refunds jsonb, cards jsonb, counted_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
declare
  many constant integer := case period when 'month' then 12 when 'week' then 26 else 30 end;
  unit constant text := case when period in ('month', 'week') then period else 'day' end;
  first_day constant timestamp := date_trunc(unit, now() at time zone 'utc') - (2 * many - 1) * ('1 ' || unit)::interval;
begin
  perform private.require_role('admin', 'support');
  return query
    with money as (
      select m.since, coalesce(jsonb_object_agg(m.currency, m.paid) filter (where m.paid <> 0), '{}') as revenue,
        coalesce(jsonb_object_agg(m.currency, m.returned) filter (where m.returned <> 0), '{}') as refunds
      from (
        select date_trunc(unit, d.day::timestamp) as since, d.currency, sum(d.paid)::bigint as paid, sum(d.returned)::bigint as returned
        from private.daily_money d where d.day >= first_day::date group by 1, 2) m
      group by 1
    ), days as (
      select date_trunc(unit, f.day::timestamp) as since, sum(f.sign_ups) as sign_ups, sum(f.memories) as memories, sum(f.photos) as photos,
        sum(f.videos) as videos, (array_agg(f order by f.day desc))[1] as last
      from private.daily_figures f where f.day >= first_day::date group by 1
    )
    select p.since::date, p.place > many, coalesce(d.sign_ups, 0)::bigint, coalesce(d.memories, 0)::bigint, coalesce(d.photos, 0)::bigint,
      coalesce(d.videos, 0)::bigint, (d.last).accounts, (d.last).active, (d.last).all_memories, (d.last).all_media, (d.last).stored,
      coalesce(m.revenue, '{}'), coalesce(m.refunds, '{}'), coalesce((d.last).cards, '{}'), (d.last).counted_at
    from generate_series(first_day, now() at time zone 'utc', ('1 ' || unit)::interval) with ordinality p (since, place)
    left join days d on d.since = p.since left join money m on m.since = p.since order by p.since;
end
$$;
drop index private.returned_amounts_returned_at;
drop index orders_paid_at;

revoke execute on function private.counted_money, private.add_money, private.note_paid, private.note_returned_amount
  from public, anon, authenticated, service_role;
