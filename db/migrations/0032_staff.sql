set local check_function_bodies = off;

-- The people who run this installation. Their role is in their token, and counts only once they have used a second factor. A
-- change of role ends their sessions, so a token never says more than is true.
create function private.has_role(variadic roles text[]) returns boolean language sql stable security definer set search_path = '' as $$
  select coalesce(auth.jwt() ->> 'aal' = 'aal2' and auth.jwt() -> 'app_metadata' ->> 'role' = any (roles), false)
$$;
comment on function private.has_role is
  'Whether the caller has one of these staff roles (admin, support, fulfilment, editor) and has used a second factor.';

create or replace function private.is_admin() returns boolean language sql stable security definer set search_path = '' as $$
  select private.has_role('admin')
$$;
comment on function private.is_admin is 'Whether the caller is an administrator who has used a second factor.';

create function private.is_staff() returns boolean language sql stable security definer set search_path = '' as $$
  select private.has_role('admin', 'support', 'fulfilment', 'editor') or coalesce(auth.role() = 'service_role', false)
$$;
comment on function private.is_staff is
  'Whether the caller has any staff role, or is the command line of the server, which has the service key.';

create function private.require_role(variadic roles text[]) returns void language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.has_role(variadic roles) and auth.role() is distinct from 'service_role' then
    raise exception 'There is nothing at this path.' using errcode = 'PT404', hint = 'not_found';
  end if;
end
$$;
comment on function private.require_role is
  'Refuses everybody but these roles and the command line, with the answer for a function that does not exist.';

create table audit_log (
  id bigint generated always as identity primary key,
  happened_at timestamptz not null default now(),
  actor uuid,
  role text not null,
  address text,
  action text not null check (action ~ '^[a-z_]+\.[a-z_]+$'),
  subject text not null,
  before jsonb,
  after jsonb,
  reason text check (length(reason) between 1 and 2000)
);
comment on table audit_log is
  'What staff did, written in the transaction of the act. Administrators read it. Nobody can change or delete a row.';
comment on column audit_log.actor is 'The account of the person; null for the command line. No reference: the row outlives the account.';
comment on column audit_log.role is 'The role under which they acted; service_role for the command line.';
comment on column audit_log.address is 'The network address of the request.';
comment on column audit_log.action is 'A kind of thing and what was done to it, for example vouchers.update or person.suspend.';
comment on column audit_log.subject is 'The id of what was changed.';
comment on column audit_log.before is 'The changed columns as they were. What people wrote and where they live is left out.';
create index audit_log_action on audit_log (action, id desc);
create index audit_log_subject on audit_log (subject, id desc);
create index audit_log_actor on audit_log (actor, id desc);

alter table audit_log enable row level security;
revoke all on audit_log from anon, authenticated, service_role;
grant select on audit_log to authenticated, service_role;
create policy "administrators read" on audit_log for select to authenticated using ((select private.is_admin()));
create policy "required authentication level" on audit_log as restrictive to authenticated
  using ((select private.has_required_aal()));

create function private.refuse_change() returns trigger language plpgsql set search_path = '' as $$
begin
  raise exception 'The audit log cannot be changed.' using errcode = '42501';
end
$$;
create trigger refuse_change before update or delete on audit_log for each row execute function private.refuse_change();
create trigger refuse_truncate before truncate on audit_log for each statement execute function private.refuse_change();

create function private.record_action(action text, subject text, before jsonb default null, after jsonb default null, reason text default null)
returns void language sql volatile security definer set search_path = '' as $$
  insert into public.audit_log (actor, role, address, action, subject, before, after, reason)
  values (auth.uid(), coalesce(auth.jwt() -> 'app_metadata' ->> 'role', auth.role(), 'service_role'), auth.jwt() ->> 'address',
    action, subject, before, after, nullif(btrim(reason), ''))
$$;
comment on function private.record_action is 'Adds a row to the audit log for the caller. For functions that staff call.';

-- For tables that staff write by row policies. The argument of the trigger names the key column.
create function private.audit_change() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  -- What people wrote, who they are and where they live: the log outlives their accounts.
  left_out constant text[] := case tg_argv[1] when 'personal'
    then array['email', 'address', 'name', 'dates', 'words', 'message', 'body', 'search', 'user_id', 'updated_at'] else '{}' end;
  old_row constant jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  new_row constant jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  removed jsonb;
  added jsonb;
begin
  if not private.is_staff() then
    return null;
  end if;
  select jsonb_object_agg(key, value) into removed from jsonb_each(old_row)
  where value is distinct from new_row -> key and key <> all (left_out);
  select jsonb_object_agg(key, value) into added from jsonb_each(new_row)
  where value is distinct from old_row -> key and key <> all (left_out);
  if old_row is distinct from new_row then
    perform private.record_action(tg_table_name || '.' || lower(tg_op), coalesce(new_row, old_row) ->> tg_argv[0], removed, added);
  end if;
  return null;
end
$$;
comment on function private.audit_change is
  'Records a change of a row by staff. Arguments: the key column; "personal" where columns hold what people wrote.';

do $$
declare
  audited record;
begin
  for audited in select * from (values
    ('vouchers', 'code', 'plain'), ('subscription_plans', 'id', 'plain'), ('plan_prices', 'plan_id', 'plain'),
    ('products', 'id', 'plain'), ('product_prices', 'product_id', 'plain'), ('quantity_discounts', 'product_id', 'plain'),
    ('blog_posts', 'slug', 'personal'), ('payouts', 'id', 'personal'), ('affiliates', 'id', 'personal'), ('metal_cards', 'code', 'personal'),
    ('card_deliveries', 'card_id', 'personal'), ('reports', 'id', 'personal')
  ) as tables (relation, key, kind) loop
    execute format('create trigger z90_audit_change after insert or update or delete on %I
      for each row execute function private.audit_change(%L, %L)', audited.relation, audited.key, audited.kind);
  end loop;
end
$$;

create function set_staff_role(email text, role text, reason text default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  person auth.users;
begin
  perform private.require_role('admin');
  if role is not null and role not in ('admin', 'support', 'fulfilment', 'editor') then
    raise exception 'A role is admin, support, fulfilment or editor.' using errcode = '22023', hint = 'validation_failed';
  end if;
  select * into person from auth.users u where lower(u.email) = lower(btrim(set_staff_role.email)) for update;
  if not found then
    raise exception 'Nobody has this address.' using errcode = 'PT404', hint = 'not_found';
  end if;
  if person.id = auth.uid() then
    raise exception 'Another administrator changes your role.' using errcode = 'PT409', hint = 'own_role';
  end if;
  if person.raw_app_meta_data ->> 'role' is distinct from role then
    update auth.users u set raw_app_meta_data = case when set_staff_role.role is null then u.raw_app_meta_data - 'role'
      else u.raw_app_meta_data || jsonb_build_object('role', set_staff_role.role) end
    where u.id = person.id;
    -- Tokens carry the role: those of before end now.
    delete from auth.sessions s where s.user_id = person.id;
    perform private.record_action('person.role', person.id::text, jsonb_build_object('role', person.raw_app_meta_data ->> 'role'),
      jsonb_build_object('role', role), reason);
  end if;
  return jsonb_build_object('email', person.email, 'role', role,
    'second_factor', exists (select from auth.mfa_factors f where f.user_id = person.id and f.status = 'verified'));
end
$$;
comment on function set_staff_role is
  'Gives a person a staff role, or takes it away with null, and ends their sessions. For administrators and the command line. Whether they have a second factor is in the answer: without one no role counts.';

revoke execute on all functions in schema private from public;
revoke execute on function private.record_action, private.audit_change, private.refuse_change from anon, authenticated, service_role;
revoke execute on function set_staff_role from public, anon;
grant execute on function set_staff_role to authenticated, service_role;
grant execute on function private.has_role to authenticated, service_role;
