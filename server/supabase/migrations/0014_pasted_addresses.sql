-- More of what a copy brings along: brackets, quotation marks, signs of bold text, invisible letters, the name of a field.
-- shared/typed-text.ts and shared/typed-address.ts have the same rules, and a test compares both.
create or replace function auth.typed_line(value text) returns text language sql immutable strict parallel safe set search_path = '' as $$
  select btrim(regexp_replace(regexp_replace(regexp_replace(
    regexp_replace(normalize(value, NFC),
      '[\u034f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb]', '', 'g'),
    '[\u0001-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+', ' ', 'g'),
    '(^| )[\u200c\u200d]+', '\1', 'g'), '[\u200c\u200d]+( |$)', '\1', 'g'))
$$;

create or replace function auth.typed_address(value text) returns text language plpgsql immutable strict parallel safe set search_path = '' as $$
declare
  line text := replace(normalize(regexp_replace(auth.typed_line(value),
    '[\u200c\u200d\u20e3\ufe00-\ufe0f\U000e0000-\U000e0fff]', '', 'g'), NFKC), '。', '.');
begin
  line := btrim(coalesce(
    substring(line from '^[^<>]*<([^<>]+)>[ .,;]*$'), substring(line from '^\[[^][]*\]\(([^()]+)\)[ .,;]*$'), line));
  if line ~* '^mailto:' then
    line := regexp_replace(replace(regexp_replace(substr(line, 8), '\?.*$', ''), '%40', '@'), '%2b', '+', 'gi');
  end if;
  line := regexp_replace(line, '^[[:alpha:]-]+: ?(?=[^ ]+@[^ ]+$)', '');
  line := regexp_replace(line, ' \([^()@]*\)$', '');
  line := regexp_replace(line, '^[][ ''"“”„‘’‚«»‹›({<•·]+', '');
  line := regexp_replace(line, '^([*_~`]+)(.*)\1[^*_~`]*$', '\2');
  line := regexp_replace(line, '[][ .,;:!?''"“”„‘’‚«»‹›(){}<>•·*_~`|/\\-]+$', '');
  return lower(line);
end
$$;

reindex index auth.users_odd_address;
