create function grant_plan(email text, plan text, years integer default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  account uuid := (select u.id from auth.users u where lower(u.email) = lower(btrim(grant_plan.email)));
  term integer := (select coalesce(years, p.term_years) from public.subscription_plans p where p.id = plan and p.term_years is not null);
begin
  if account is null then
    raise exception 'Nobody has an account with this address.' using errcode = 'PT404', hint = 'no_account';
  end if;
  if term is null then
    raise exception 'There is no such plan to give.' using errcode = 'PT404', hint = 'no_plan',
      detail = (select string_agg(p.id, ', ' order by p.position) from public.subscription_plans p where p.term_years is not null);
  end if;
  if term not between 1 and 100 then
    raise exception 'A plan is given for 1 to 100 years.' using errcode = 'PT400', hint = 'years';
  end if;
  insert into public.user_subscriptions (user_id, plan_id, expires_at) values (account, plan, now() + make_interval(years => term));
  return (select to_jsonb(l) from private.limits_of(account) l);
end
$$;
comment on function grant_plan is
  'Gives an account a plan from now on, for its own term or for so many years, without a payment; answers what counts for it now. Only for the service.';
revoke execute on function grant_plan from public, anon, authenticated;
grant execute on function grant_plan to service_role;

-- As the caller: the policies say of each row whether it may be counted.
create function recent_activity()
returns table (kind text, memory_id uuid, memory_name text, mine boolean, author text, items bigint, at timestamptz)
language sql stable set search_path = '' as $$
  with own as (select m.id, m.person_name, m.created_at from public.memories m where m.user_id = auth.uid()),
  -- The eight newest are of the eight to which photos were added last: those of all others need not be counted.
  added_to as (
    select own.id, own.person_name from own
    cross join lateral (select x.created_at as last from public.media x where x.memory_id = own.id order by x.created_at desc limit 1) newest
    order by newest.last desc limit 8
  )
  (select 'added', own.id, own.person_name, coalesce(d.user_id = auth.uid(), false), null, count(*), max(x.created_at)
    from added_to own join public.media x on x.memory_id = own.id left join public.media_details d on d.media_id = x.id
    -- What one person adds in a day is one line.
    group by own.id, own.person_name, d.user_id, (x.created_at at time zone 'utc')::date)
  union all
  select 'told', own.id, own.person_name, coalesce(s.user_id = auth.uid(), false), nullif(s.author_name, ''), 1, s.created_at
    from own join public.stories s on s.memory_id = own.id
  union all
  select 'joined', own.id, own.person_name, false, null, 1, p.created_at
    from own join public.memory_members p on p.memory_id = own.id
  union all
  select 'began', own.id, own.person_name, true, null, 1, own.created_at from own
  order by 7 desc, 1, 2 limit 8
$$;
comment on function recent_activity is
  'The eight newest things of the signed-in person''s own memories: photos and videos by day, stories, people who joined, beginnings.';
revoke execute on function recent_activity from public, anon;
grant execute on function recent_activity to authenticated;
