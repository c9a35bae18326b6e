-- A large import would record a change for each of its rows, and every process would read each row again for every subscriber.
-- It sets realtime.announces to off for the rows that nobody can have open yet. No caller can set it.
create or replace function realtime.capture() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  changed jsonb;
begin
  if current_setting('realtime.announces', true) = 'off' then
    return null;
  end if;
  changed := to_jsonb(case when tg_op = 'DELETE' then old else new end);
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
