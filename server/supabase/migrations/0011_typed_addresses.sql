-- Addresses as people type and paste them. shared/typed-text.ts has the same rules, and a test compares both.
create function auth.typed_line(value text) returns text language sql immutable strict parallel safe set search_path = '' as $$
  select btrim(regexp_replace(
    regexp_replace(normalize(value, NFC),
      '[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]', '', 'g'),
    '[\u0001-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+', ' ', 'g'))
$$;
comment on function auth.typed_line is 'One line of text: composed, without invisible characters, with single spaces.';

create function auth.typed_address(value text) returns text language plpgsql immutable strict parallel safe set search_path = '' as $$
declare
  line text := normalize(regexp_replace(auth.typed_line(value), '[\u200c\u200d]', '', 'g'), NFKC);
begin
  line := btrim(coalesce(substring(line from '^[^<>]*<([^<>]+)>[ .,;]*$'), line));
  if line ~* '^mailto:' then
    line := regexp_replace(substr(line, 8), '\?.*$', '');
  end if;
  line := regexp_replace(line, '^[''"]+|[''"]+$', '', 'g');
  return lower(regexp_replace(line, '[.,; ]+$', ''));
end
$$;
comment on function auth.typed_address is
  'An address as it is stored: of "Name <a@b>" and "mailto:a@b" the address alone, in lower case, without invisible characters and a final dot.';

-- Accounts from before this rule whose address has another form. They are found by what their person types.
create index users_odd_address on auth.users (auth.typed_address(email)) where lower(email) <> auth.typed_address(email);
