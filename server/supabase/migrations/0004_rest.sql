-- What the statements of rest/v1 call by themselves. Not exposed to requests, though every caller may run it.
create schema rest;
grant usage on schema rest to anon, authenticated, service_role;

create function rest.refuse(status integer, code text, message text, details text) returns text language plpgsql as $$
begin
  raise exception using errcode = 'PGRST',
    message = json_build_object('code', code, 'message', message, 'details', details),
    detail = json_build_object('status', status);
end
$$;
comment on function rest.refuse is
  'Ends a statement, and takes back what it wrote, with a refusal in the protocol''s form.';
grant execute on function rest.refuse to anon, authenticated, service_role;

-- A trigger may keep a row and hide it from its caller: then RETURNING has no row of it.
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
  'Deletes as the caller the rows of a table that meet a condition on its alias, whose values are given; returns those that the caller saw before and does not see any more, with these columns.';
grant execute on function rest.delete_rows to anon, authenticated, service_role;
