-- A session of a person with a second factor can read and change nothing before the factor was used, on every table with row
-- policies, whatever its other policies allow.
do $$
declare
  relation regclass;
begin
  for relation in
    select c.oid::regclass from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relrowsecurity or c.oid = 'storage.objects'::regclass
  loop
    execute format('create policy "required authentication level" on %s as restrictive to authenticated
      using ((select private.has_required_aal()))', relation);
  end loop;
end
$$;

-- For every command: no caller can read, change or delete what is in the trash, or move a row there or back by updating it.
do $$
declare
  hidden record;
begin
  for hidden in select * from (values
    ('memories', 'deleted_at is null'), ('albums', 'deleted_at is null'),
    ('media', $q$moderation <> 'deleted'$q$), ('stories', $q$moderation <> 'deleted'$q$),
    ('comments', $q$moderation <> 'deleted'$q$), ('reactions', $q$moderation <> 'deleted'$q$),
    ('media_details', 'not private.is_deleted_media(media_id)')
  ) as tables (relation, condition) loop
    execute format('create policy "not in the trash" on %I as restrictive to anon, authenticated using (%s)',
      hidden.relation, hidden.condition);
  end loop;
end
$$;

-- Changes of these tables are sent to open pages through realtime.
alter publication supabase_realtime add table memories, share_links, media, user_subscriptions, memory_members, albums,
  stories, memory_entries, link_versions, share_openings, invitations, handovers, comments, reactions, guests,
  memory_withdrawals, memory_blocks, notices, cart_items, orders, metal_cards, media_credits, story_credits,
  comment_credits, reaction_credits, trash, media_details;
