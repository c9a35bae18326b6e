-- Rows that people edit count their revisions. An update may name, as the column's value, the revision that it is based on; it
-- is refused if the row has another one by then. An update that names none is applied to whatever the row has become.
create function private.revise() returns trigger language plpgsql set search_path = '' as $$
begin
  if new.revision is distinct from old.revision then
    raise exception 'This was changed in the meantime.' using errcode = 'PT409', hint = 'conflict';
  end if;
  new.revision := old.revision + 1;
  return new;
end
$$;
comment on function private.revise is
  'Refuses an update that names another revision than the row''s, and counts a change of its content.';

do $$
declare
  edited record;
  role text;
  comparison text;
begin
  for edited in select * from (values
    ('memories', 'kind, person_name, description, birth_date, passing_date, event_date, cover_x, cover_y, media_order'),
    ('memory_entries', 'on_date, starts_at, title, place, note, media_id'),
    ('media', 'caption, alt_text, taken_at'),
    ('stories', 'title, body'),
    ('comments', 'body, mentions'),
    ('albums', 'name, cover_media_id'),
    ('share_links', 'shared_at, label, rights, expires_at, revoked_at, allows_download, moderated, shows_names'),
    ('profiles', 'full_name'),
    ('invitations', 'role, note, state'),
    ('memory_members', 'role'),
    ('metal_cards', 'making, name, dates, finish, language, memory_id, blocked'),
    ('card_deliveries', 'address, carrier, tracking_number, tracking_url'),
    ('blog_posts', 'slug, language, title, summary, body, author, published_at, cover, cover_alt'),
    ('subscription_plans', 'name, max_memories, storage_gb, term_years, included_cards, position'),
    ('plan_prices', 'amount'),
    ('products', 'name, position'),
    ('product_prices', 'amount'),
    ('quantity_discounts', 'percentage'),
    ('vouchers', 'code, percentage, starts_at, ends_at, max_uses, max_uses_per_person, plan_ids, applies_to_cards, active, note'),
    ('campaigns', 'name, active'),
    ('affiliates', 'state'),
    ('inbox_items', 'state, assignee')
  ) as tables (name, columns) loop
    execute format('alter table public.%I add column revision integer not null default 1', edited.name);
    execute format('comment on column public.%I.revision is %L', edited.name,
      'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.');
    foreach role in array array['anon', 'authenticated'] loop
      if has_any_column_privilege(role, format('public.%I', edited.name), 'update') then
        execute format('grant update (revision) on public.%I to %I', edited.name, role);
      end if;
    end loop;
    select format('(%s) is distinct from (%s)', string_agg('old.' || quote_ident(name), ', ' order by place),
      string_agg('new.' || quote_ident(name), ', ' order by place)) into comparison
    from unnest(string_to_array(edited.columns, ', ') || array['revision']) with ordinality as names (name, place);
    -- Before triggers that write other columns, after those that only normalise.
    execute format('create trigger t15_revise before update on public.%I for each row when (%s) execute function private.revise()',
      edited.name, comparison);
  end loop;
end
$$;

-- Leaves revisions out of the log.
create or replace function private.audit_change() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  -- What people wrote, who they are and where they live: the log outlives their accounts.
  left_out constant text[] := array['revision'] || case tg_argv[1] when 'personal'
    then array['email', 'address', 'name', 'dates', 'words', 'message', 'body', 'search', 'user_id', 'updated_at'] else '{}' end;
  old_row constant jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  new_row constant jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  removed jsonb;
  added jsonb;
begin
  if not private.is_staff() then
    return null;
  end if;
  select jsonb_object_agg(key, value) into removed from jsonb_each(old_row)
  where value is distinct from new_row -> key and key <> all (left_out);
  select jsonb_object_agg(key, value) into added from jsonb_each(new_row)
  where value is distinct from old_row -> key and key <> all (left_out);
  if old_row is distinct from new_row then
    perform private.record_action(tg_table_name || '.' || lower(tg_op), coalesce(new_row, old_row) ->> tg_argv[0], removed, added);
  end if;
  return null;
end
$$;

revoke execute on function private.revise from public;
