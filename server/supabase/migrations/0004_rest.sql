-- Functions that statements of rest/v1 call themselves. Requests cannot name them, though every caller may execute them.
create schema rest;
grant usage on schema rest to anon, authenticated, service_role;

create function rest.refuse(status integer, code text, message text, details text) returns text language plpgsql as $$
begin
  raise exception using errcode = 'PGRST',
    message = json_build_object('code', code, 'message', message, 'details', details),
    detail = json_build_object('status', status);
end
$$;
comment on function rest.refuse is 'Aborts a statement with an error in the protocol''s form.';
grant execute on function rest.refuse to anon, authenticated, service_role;

-- A trigger may keep a row and hide it from its caller; RETURNING then does not contain it.
create function rest.delete_rows(of anyelement, alias text, condition text, columns text[], keys text[], given text[])
returns setof anyelement language plpgsql set search_path = '' as $$
declare
  relation constant regclass := (select t.typrelid from pg_catalog.pg_type t where t.oid = pg_typeof(of));
  known jsonb;
begin
  execute format('select jsonb_agg(to_jsonb(k)) from (select %s from %s as %I where %s) k',
    (select string_agg(format('%I.%I', alias, c), ', ') from unnest(columns) c), relation, alias, condition)
    into known using given;
  execute format('delete from %s as %I where %s', relation, alias, condition) using given;
  return query execute format('select k.* from jsonb_populate_recordset(null::%1$s, $1) k where not exists (select from %1$s o where %2$s)',
    relation, (select string_agg(format('o.%1$I = k.%1$I', c), ' and ') from unnest(keys) c)) using known;
end
$$;
comment on function rest.delete_rows is
  'Deletes as the caller the rows of a table that meet a condition on its alias, with these values. Returns these columns of the rows that the caller could see before and no longer sees.';
grant execute on function rest.delete_rows to anon, authenticated, service_role;
