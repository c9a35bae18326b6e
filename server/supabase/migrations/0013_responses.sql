-- Called at the end of a request's transaction, so that nothing stays of one that sets a response that cannot be sent.
create function rest.check_response(status text, headers text) returns void language plpgsql set search_path = '' as $$
declare
  is_sendable boolean;
begin
  if status <> '' and status !~ '^[2-5][0-9]{2}$' then
    perform rest.refuse(500, 'PGRST112', 'response.status guc must be a valid status code', null);
  end if;
  if headers <> '' then
    begin
      is_sendable := not exists (
        select from json_array_elements(headers::json) as one
        where not (
          select count(*) = 1 and bool_and(json_typeof(value) = 'string'
            and key ~ '^[-!#$%&''*+.^_`|~0-9A-Za-z]+$' and value #>> '{}' ~ '^[\t\u0020-\u007e\u0080-\u00ff]*$')
          from json_each(one)));
    exception when data_exception then
      is_sendable := false;
    end;
    if not is_sendable then
      perform rest.refuse(500, 'PGRST111',
        'response.headers guc must be a JSON array composed of objects with a single key and a string value', null);
    end if;
  end if;
end
$$;
comment on function rest.check_response is
  'Aborts a transaction whose settings response.status and response.headers no response can have.';
grant execute on function rest.check_response to anon, authenticated, service_role;
