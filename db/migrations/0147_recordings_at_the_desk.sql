-- At the desk, recordings are counted with the videos.

CREATE OR REPLACE FUNCTION private.count_figures()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  today constant date := (now() at time zone 'utc')::date;
  -- The last day that was counted may have gone on after that.
  since constant date := coalesce((select max(f.day) from private.daily_figures f),
    (select (min(u.created_at) at time zone 'utc')::date from auth.users u), today);
begin
  -- One process counts at a time.
  if not pg_try_advisory_xact_lock(hashtext('private.count_figures')) then
    return false;
  end if;
  insert into private.daily_figures as known (day, sign_ups, memories, photos, videos)
  select d.day::date,
    (select count(*) from auth.users u where u.created_at >= d.since and u.created_at < d.until),
    (select count(*) from public.memories m where m.created_at >= d.since and m.created_at < d.until),
    x.photos, x.videos
  from (select day, day at time zone 'utc' as since, (day + interval '1 day') at time zone 'utc' as until
    from generate_series(since::timestamp, today::timestamp, interval '1 day') day) d
  cross join lateral (select count(*) filter (where o.type = 'image') as photos, count(*) filter (where o.type in ('video', 'audio')) as videos
    from public.media o where o.created_at >= d.since and o.created_at < d.until and o.moderation <> 'attached') x
  -- What was counted of a day that is not over yet can only have grown, except by deletions.
  on conflict (day) do update set sign_ups = greatest(known.sign_ups, excluded.sign_ups), memories = greatest(known.memories, excluded.memories),
    photos = greatest(known.photos, excluded.photos), videos = greatest(known.videos, excluded.videos);
  update private.daily_figures f set counted_at = now(),
    accounts = (select count(*) from auth.users),
    active = (select count(distinct s.user_id) from auth.sessions s where greatest(s.created_at, s.refreshed_at) > now() - interval '30 days'),
    all_memories = (select count(*) from public.memories m where m.deleted_at is null),
    all_media = (select count(*) from public.media o where o.moderation not in ('deleted', 'attached')),
    stored = (select coalesce(sum(a.stored), 0) from private.account_use a),
    cards = (select coalesce(jsonb_object_agg(c.making, c.many), '{}') from (select making, count(*) as many from public.metal_cards group by 1) c)
  where f.day = today;
  return true;
end
$function$;
comment on function private.count_figures() is 'Counts today, and every day since it was last called. A job calls it; it reads whole tables, so no request does.';

CREATE OR REPLACE FUNCTION public.desk_person(person uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  found_one jsonb;
begin
  perform private.require_role('admin', 'support');
  select jsonb_build_object(
    'id', u.id, 'email', u.email, 'phone', u.phone, 'full_name', coalesce(p.full_name, ''),
    'role', u.raw_app_meta_data ->> 'role', 'language', u.raw_user_meta_data ->> 'language',
    'suspended', private.is_suspended(u.banned_until), 'confirmed', u.confirmed_at is not null,
    'created_at', u.created_at, 'last_sign_in_at', u.last_sign_in_at,
    'providers', (select coalesce(jsonb_agg(i.provider order by i.provider), '[]') from auth.identities i where i.user_id = u.id),
    'counts', (
      select jsonb_build_object('memories', count(*) filter (where m.deleted_at is null), 'in_trash', count(*) filter (where m.deleted_at is not null),
        'photos', coalesce(sum(x.photos), 0), 'videos', coalesce(sum(x.videos), 0))
      from public.memories m cross join lateral (
        select count(*) filter (where o.type = 'image') as photos, count(*) filter (where o.type in ('video', 'audio')) as videos from public.media o
        where o.memory_id = m.id and o.moderation not in ('deleted', 'attached')) x
      where m.user_id = u.id),
    'stored', coalesce((select a.stored + a.held from private.account_use a where a.account = u.id), 0),
    'plan', (select to_jsonb(l) from private.limits_of(u.id) l),
    'plans', (
      select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'status', s.status, 'starts_at', s.starts_at,
        'expires_at', s.expires_at, 'order_id', s.order_id) order by s.starts_at desc, s.id), '[]')
      from public.user_subscriptions s where s.user_id = u.id),
    'orders', (
      select coalesce(jsonb_agg(to_jsonb(o) order by o.created_at desc, o.id), '[]')
      from (select o.id, o.number, o.status, o.currency, o.total, o.refunded, o.created_at from public.orders o
        where o.user_id = u.id order by o.created_at desc, o.id limit 20) o),
    'sessions', (
      select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'user_agent', s.user_agent, 'ip', split_part(s.ip, '/', 1), 'aal', s.aal,
        'created_at', s.created_at, 'last_seen_at', greatest(s.created_at, s.refreshed_at)) order by greatest(s.created_at, s.refreshed_at) desc), '[]')
      from auth.sessions s where s.user_id = u.id and (s.not_after is null or s.not_after > now())),
    'factors', (
      select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'type', f.factor_type, 'name', f.friendly_name, 'status', f.status,
        'created_at', f.created_at) order by f.created_at), '[]')
      from auth.mfa_factors f where f.user_id = u.id))
  into found_one from auth.users u left join public.profiles p on p.id = u.id where u.id = person;
  if found_one is null then
    raise exception 'There is nothing here.' using errcode = 'PT404', hint = 'not_found';
  end if;
  return found_one;
end
$function$;
comment on function public.desk_person(uuid) is 'What an account has: counts, plan, orders, sessions and second factors without their secrets; nothing of what is in its memories. For administrators and support.';

CREATE OR REPLACE FUNCTION public.desk_queues()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_role('admin', 'support');
  return jsonb_build_object(
    'outbox', (select count(*) from private.outbox o where o.state = 'waiting'),
    'failed_mails', (select count(*) from private.outbox o where o.state = 'dead'),
    'photos', (select count(*) from public.media m where m.state = 'waiting'),
    'videos', (select count(*) from public.media m where m.type in ('video', 'audio') and (m.playback is null or m.playback in ('waiting', 'making'))),
    'reports', (select count(*) from public.reports r where r.settled_at is null),
    'messages', (select count(*) from public.inbox_items i where i.kind = 'message' and i.state in ('new', 'open')));
end
$function$;
comment on function public.desk_queues() is 'What waits now: emails, photos, videos and recordings to be made ready, emails that were given up, open reports, and messages that nobody has answered or closed. For administrators and support.';
