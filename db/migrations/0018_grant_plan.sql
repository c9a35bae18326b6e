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
