-- PostgreSQL orders the accents of a letter in quadratic time, and no time limit interrupts it: a letter with half a million
-- of them would occupy a processor for hours. What people type is cut, above all limits; in texts that are searched, a
-- space divides very long words.
create or replace function auth.typed_line(value text)
 returns text
 language sql
 immutable parallel safe strict
 set search_path to ''
as $$
  select btrim(regexp_replace(regexp_replace(regexp_replace(
    regexp_replace(normalize(left(value, 2000), NFC),
      '[\u034f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb]', '', 'g'),
    '[\u0001-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+', ' ', 'g'),
    '(^| )[\u200c\u200d]+', '\1', 'g'), '[\u200c\u200d]+( |$)', '\1', 'g'))
$$;

create or replace function auth.typed_address(value text)
 returns text
 language plpgsql
 immutable parallel safe strict
 set search_path to ''
as $$
declare
  line text := replace(normalize(regexp_replace(auth.typed_line(value),
    '[\u200c\u200d\u20e3\ufe00-\ufe0f\U000e0000-\U000e0fff]', '', 'g'), NFKC), '。', '.');
begin
  -- Longer than any address with a name, as in shared/typed-address.ts.
  if length(value) > 1000 then
    return value;
  end if;
  line := btrim(coalesce(
    substring(line from '^[^<>]*<([^<>]+)>[ .,;]*$'), substring(line from '^\[[^][]*\]\(([^()]+)\)[ .,;]*$'), line));
  if line ~* '^mailto:' then
    line := regexp_replace(replace(regexp_replace(substr(line, 8), '\?.*$', ''), '%40', '@'), '%2b', '+', 'gi');
  end if;
  line := regexp_replace(line, '^[[:alpha:]-]+: ?(?=[^ ]+@[^ ]+$)', '');
  line := regexp_replace(line, ' \([^()@]*\)$', '');
  line := regexp_replace(line, '^[][ ''"“”„‘’‚«»‹›({<•·]+', '');
  line := regexp_replace(line, '^([*_~`]{1,3})(.*)\1[^*_~`]*$', '\2');
  line := regexp_replace(line, '[][ .,;:!?''"“”„‘’‚«»‹›(){}<>•·*_~`|/\\-]+$', '');
  return lower(line);
end
$$;

create or replace function private.is_engravable(words text)
 returns boolean
 language sql
 immutable parallel safe strict
 set search_path to ''
as $$
  select length(words) <= 2000 and normalize(left(words, 2000), NFC) ~ ('^['
    || '\u0020\u0022\u0026-\u0029\u002b-\u003b\u0041-\u005a\u0061-\u007a\u00aa-\u00ab\u00b7\u00ba-\u00bb\u00c0-\u00d6'
    || '\u00d8-\u00f6\u00f8-\u017e\u018f\u0192\u01a0-\u01a1\u01af-\u01b0\u01c4-\u01dc\u01e6-\u01e7\u01ea-\u01eb'
    || '\u01fa-\u021b\u022a-\u022d\u0230-\u0233\u0237\u0251\u0259\u0261\u0300-\u0301\u0303-\u0304\u0308-\u0309\u0323'
    || '\u0375\u037a\u0384\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce\u03d7-\u03e1\u0401-\u044f\u0451-\u045f'
    || '\u0462-\u0463\u046a-\u046b\u0490-\u0493\u0496-\u0497\u049a-\u049b\u04a2-\u04a3\u04ae-\u04b1\u04ba-\u04bb'
    || '\u04d8-\u04d9\u04e8-\u04e9\u1e08-\u1e09\u1e0c-\u1e0f\u1e14-\u1e17\u1e1c-\u1e1d\u1e20-\u1e21\u1e24-\u1e25'
    || '\u1e2a-\u1e2b\u1e2e-\u1e2f\u1e36-\u1e3b\u1e42-\u1e49\u1e4c-\u1e53\u1e5a-\u1e69\u1e6c-\u1e6f\u1e78-\u1e7b'
    || '\u1e80-\u1e85\u1e8e-\u1e8f\u1e92-\u1e93\u1e97\u1e9e\u1ea0-\u1ef9\u1f00-\u1f15\u1f18-\u1f1d\u1f20-\u1f45'
    || '\u1f48-\u1f4d\u1f50-\u1f57\u1f59\u1f5b\u1f5d\u1f5f-\u1f7d\u1f80-\u1fb4\u1fb6-\u1fc4\u1fc6-\u1fd3\u1fd6-\u1fdb'
    || '\u1fdd-\u1fef\u1ff2-\u1ff4\u1ff6-\u1ffe\u2013-\u2014\u2018-\u2019\u201c-\u201d'
    || ']*$')
$$;

create or replace function private.search_key(value text)
 returns text
 language sql
 immutable parallel safe strict
 set search_path to ''
as $$
  select btrim(regexp_replace(
    replace(replace(replace(replace(
      translate(
        lower(regexp_replace(
          normalize(regexp_replace(regexp_replace(value, '(\S{250})(?=\S)', '\1 ', 'g'),
            '[''’‘ʼʹ`´ʻ\u034f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20e3\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]', '', 'g'), NFKD),
          '[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]', '', 'g')),
        'ıłøđðħŧŋĸςȼɨƒىیک', 'iloddhtnkσcifييك'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u1680\u2000-\u206f\u3000-\u3003]+', ' ', 'g'))
$$;

create or replace function private.typed_voucher(value text)
 returns text
 language sql
 immutable parallel safe
 set search_path to ''
as $$
  select btrim(upper(translate(
    regexp_replace(
      normalize(regexp_replace(coalesce(left(value, 2000), ''),
        '[\u034f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20e3\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]', '', 'g'), NFKC),
      '[[:space:]"''“”„‘’«»‹›().,;:!?<>{}*_`´|/\[\]\\]+', '', 'g'),
    '‐‑‒–—―−٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९',
    '-------012345678901234567890123456789')), '-')
$$;
