-- Searched names also lose the vowel signs of Hebrew and Arabic, and the marks of emoji. shared/search-key.ts has the same rules.
create or replace function private.search_key(value text) returns text language sql immutable strict parallel safe set search_path = '' as $$
  select btrim(regexp_replace(
    replace(replace(replace(replace(
      translate(
        lower(regexp_replace(
          normalize(regexp_replace(value,
            '[''’‘ʼʹ`´ʻ\u034f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20e3\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]', '', 'g'), NFKD),
          '[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]', '', 'g')),
        'ıłøđðħŧŋĸςȼɨƒىیک', 'iloddhtnkσcifييك'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u1680\u2000-\u206f\u3000-\u3003]+', ' ', 'g'))
$$;

reindex index auth.users_search;
reindex index public.profiles_search;
do $$
begin
  perform private.index_for_search(kind) from unnest(array['memory', 'story', 'moment', 'comment', 'photo', 'file']) kind;
end
$$;

-- The same invisible characters as in shared/typed-text.ts.
create or replace function private.typed_voucher(value text) returns text language sql immutable parallel safe set search_path = '' as $$
  select btrim(upper(translate(
    regexp_replace(
      normalize(regexp_replace(coalesce(value, ''),
        '[\u034f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20e3\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]', '', 'g'), NFKC),
      '[[:space:]"''“”„‘’«»‹›().,;:!?<>{}*_`´|/\[\]\\]+', '', 'g'),
    '‐‑‒–—―−٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९',
    '-------012345678901234567890123456789')), '-')
$$;
