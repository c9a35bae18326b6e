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
