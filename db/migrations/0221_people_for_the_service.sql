-- The service may call what statements of members call, so that its requests are answered instead of failing.

grant execute on function private.person_roots(uuid[]), private.merged_people(uuid) to service_role;
