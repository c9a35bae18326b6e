-- Names and addresses as people type them. shared/typed-text.ts has the same rules, and a test compares both.
create function private.search_key(value text) returns text language sql immutable strict parallel safe set search_path = '' as $$
  select btrim(regexp_replace(
    replace(replace(replace(replace(
      translate(
        lower(regexp_replace(
          normalize(regexp_replace(value,
            '[''’‘ʼʹ`´ʻ\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]', '', 'g'), NFKD),
          '[\u0300-\u036f]', '', 'g')),
        'ıłøđðħŧŋĸς', 'iloddhtnkσ'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u1680\u2000-\u206f\u3000-\u3003]+', ' ', 'g'))
$$;
comment on function private.search_key is
  'The form in which names are searched: without accents, case, apostrophes and punctuation, with single spaces.';

create or replace function private.search_words(value text) returns tsvector
language sql immutable parallel safe strict set search_path = '' as $$
  select array_to_tsvector(array_remove(string_to_array(private.search_key(left(value, 500)), ' '), ''))
$$;
create or replace function private.search_query(value text) returns tsquery
language sql immutable parallel safe strict set search_path = '' as $$
  select string_agg(quote_literal(word) || ':*', ' & ')::tsquery
  from unnest(array_remove(string_to_array(private.search_key(left(value, 500)), ' '), '')) word
$$;
-- Their entries are the words of the former rule.
reindex index auth.users_search;
reindex index public.profiles_search;
update inbox_items i set search = private.search_words(concat_ws(' ', r.kind, r.reason, r.email, r.words))
from reports r where r.id = i.report_id;
update inbox_items i set search = private.search_words(concat_ws(' ', c.name, c.email, c.subject))
from contact_messages c where c.id = i.message_id;

create function name_key(memory memories) returns text language sql stable parallel safe set search_path = '' as $$
  select private.search_key(memory.person_name)
$$;
comment on function name_key(memories) is 'The name as a search compares it.';
create function title_key(post blog_posts) returns text language sql stable parallel safe set search_path = '' as $$
  select private.search_key(post.title)
$$;
comment on function title_key(blog_posts) is 'The title as a search compares it.';

create function private.type_invitation() returns trigger language plpgsql set search_path = '' as $$
begin
  new.email := auth.typed_address(new.email);
  return new;
end
$$;
comment on function private.type_invitation is 'Stores the address in the form that its person''s account has.';
create trigger t05_type_invitation before insert on invitations for each row execute function private.type_invitation();

revoke execute on all functions in schema private from public;
grant execute on function private.search_key, private.search_words to authenticated, service_role;
grant usage on schema auth to authenticated, anon, service_role;
grant execute on function auth.typed_line, auth.typed_address to anon, authenticated, service_role;
revoke execute on function name_key, title_key from public, anon, authenticated;
grant execute on function name_key, title_key to authenticated;
