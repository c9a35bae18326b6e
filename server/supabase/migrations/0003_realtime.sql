-- Tables that report changes: those in the publication, as on the hosted platform.
create schema realtime;

do $$
begin
  if not exists (select from pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
  end if;
end
$$;

create table realtime.changes (
  id bigint generated always as identity primary key,
  -- Ids are assigned before the commit, so a lower one may become visible later. The transaction id tells a reader what is
  -- new: nothing older than the oldest transaction that was running when it last looked.
  xact xid8 not null default pg_current_xact_id(),
  schema_name text not null,
  table_name text not null,
  type text not null check (type in ('INSERT', 'UPDATE', 'DELETE')),
  key jsonb not null,
  old_record jsonb,
  captured_at timestamptz not null default clock_timestamp()
);
comment on table realtime.changes is 'Changes of the last minutes, for every process to send. No caller can read them.';
comment on column realtime.changes.key is 'The row''s primary key by column name.';
comment on column realtime.changes.old_record is 'The deleted row, to decide who could see it; null otherwise.';
create index changes_xact on realtime.changes (xact);
create index changes_captured_at on realtime.changes (captured_at);

create function realtime.capture() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  changed constant jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
begin
  insert into realtime.changes (schema_name, table_name, type, key, old_record)
  values (
    tg_table_schema, tg_table_name, tg_op,
    (select jsonb_object_agg(name, changed -> name) from unnest(tg_argv) as name),
    case when tg_op = 'DELETE' then changed end
  );
  -- One notification for each transaction, however many rows it changes. It only asks processes to read.
  perform pg_notify('realtime', '');
  return null;
end
$$;
comment on function realtime.capture is 'Records a change of a row. Its arguments are the columns of the primary key.';

create function realtime.key_columns(relation oid) returns text[] language sql stable set search_path = '' as $$
  select array_agg(a.attname::text order by k.position)
  from pg_catalog.pg_index i
    cross join unnest(i.indkey::smallint[]) with ordinality as k (attnum, position)
    join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
  where i.indrelid = relation and i.indisprimary
$$;

create function realtime.announce_deletion(relation regclass, old_row jsonb) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into realtime.changes (schema_name, table_name, type, key, old_record)
  select n.nspname, c.relname, 'DELETE', (select jsonb_object_agg(name, old_row -> name) from unnest(realtime.key_columns(c.oid)) name), old_row
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.oid = relation;
  perform pg_notify('realtime', '');
end
$$;
comment on function realtime.announce_deletion is
  'Reports a row as deleted to those who could see it, although it is only hidden from now on.';

create function realtime.watch_publication() returns void language plpgsql set search_path = '' as $$
declare
  watched record;
begin
  -- If two processes start together, the second one finds the triggers in place.
  perform pg_catalog.pg_advisory_xact_lock(7545938);
  for watched in
    with published as (
      select format('%I.%I', p.schemaname, p.tablename)::regclass as relation
      from pg_catalog.pg_publication_tables p where p.pubname = 'supabase_realtime' and p.schemaname <> 'realtime'
    ), wanted as (
      -- The rows of a table without a primary key cannot be read again, so it reports nothing.
      select relation, columns from published cross join realtime.key_columns(relation) as columns where columns is not null
    ), made as (
      select tgrelid::regclass as relation, encode(tgargs, 'escape') as arguments
      from pg_catalog.pg_trigger where tgname = 'realtime_capture'
    )
    select relation, columns, arguments from wanted full join made using (relation)
    where arguments is distinct from (select string_agg(name || '\000', '') from unnest(columns) as name)
  loop
    if watched.arguments is not null then
      execute format('drop trigger realtime_capture on %s', watched.relation);
    end if;
    if watched.columns is not null then
      execute format(
        'create trigger realtime_capture after insert or update or delete on %s for each row execute function realtime.capture(%s)',
        watched.relation, (select string_agg(quote_literal(name), ', ') from unnest(watched.columns) as name));
    end if;
  end loop;
end
$$;
comment on function realtime.watch_publication is
  'Creates the trigger on every published table and drops it from all others. Changes nothing if all are as they should be.';

create function realtime.select_condition(relation oid, role_name name) returns text
language sql stable set search_path = '' as $$
  select case
    when not c.relrowsecurity or r.rolsuper or r.rolbypassrls then 'true'
    else concat('(', coalesce(string_agg(p.condition, ' or ') filter (where p.permissive), 'false'), ')',
      string_agg(' and ' || p.condition, '') filter (where not p.permissive))
  end
  from pg_catalog.pg_class c cross join pg_catalog.pg_roles r
    left join lateral (
      select '(' || coalesce(pg_catalog.pg_get_expr(polqual, polrelid), 'true') || ')' as condition, polpermissive as permissive
      from pg_catalog.pg_policy
      where polrelid = c.oid and polcmd in ('r', '*')
        and (polroles = '{0}' or exists (select from unnest(polroles) as granted where pg_catalog.pg_has_role(r.oid, granted, 'usage')))
    ) p on true
  where c.oid = relation and r.rolname = role_name
  group by c.relrowsecurity, r.rolsuper, r.rolbypassrls
$$;
comment on function realtime.select_condition is
  'The row policies for reading a table as a role, as one SQL condition on a row with the table''s name. Used for deleted rows.';

create function realtime.notify_session_end() returns trigger language plpgsql set search_path = '' as $$
begin
  perform pg_notify('realtime', '');
  return null;
end
$$;
comment on function realtime.notify_session_end is
  'Notifies every process, which closes the channels of a session that has ended.';
create trigger realtime_session_end after delete or update of not_after on auth.sessions
  for each row execute function realtime.notify_session_end();

revoke execute on all functions in schema realtime from public;
