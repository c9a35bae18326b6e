-- Messengers show a preview of a link. "Someone shared a memory with you" for every link looked like phishing, so a manager
-- chooses what the preview of a link tells. A link with a PIN or passphrase tells nothing, whatever was chosen.
alter table share_links add column preview text not null default 'name' check (preview in ('nothing', 'name', 'cover'));
comment on column share_links.preview is
  'What the preview of the link tells in messengers: nothing, the name, or the name and the cover. Without effect while the link has a PIN or passphrase.';
grant insert (preview), update (preview) on share_links to authenticated;

drop trigger t15_revise on share_links;
create trigger t15_revise before update on share_links for each row
  when ((old.shared_at, old.label, old.rights, old.expires_at, old.revoked_at, old.allows_download, old.moderated, old.shows_names,
      old.preview, old.revision)
    is distinct from (new.shared_at, new.label, new.rights, new.expires_at, new.revoked_at, new.allows_download, new.moderated,
      new.shows_names, new.preview, new.revision))
  execute function private.revise();

create function private.link_preview(share text)
returns table (link_id uuid, version integer, name text, language text, memory_id uuid, cover text)
language sql stable security definer set search_path = '' as $$
  select l.id, l.version, coalesce(m.person_name, a.name),
    case when coalesce(u.raw_user_meta_data ->> 'language', s.language) = 'it' then 'it' else 'en' end,
    coalesce(c.memory_id, case when l.preview = 'cover' and l.rights <> 'upload' then m.id end), c.cover
  from public.share_links l
  left join public.memories m on m.id = l.memory_id and not m.draft and m.deleted_at is null
  left join public.albums a on a.id = l.album_id and a.deleted_at is null
  join auth.users u on u.id = coalesce(m.user_id, a.user_id)
  left join public.notice_settings s on s.user_id = u.id
  left join lateral (
    select o.id as memory_id, concat_ws(' ', p.id, p.poster_name, o.cover_x, o.cover_y) as cover
    from public.memories o join public.media p on p.memory_id = o.id and p.is_cover and p.moderation = 'shown' and p.state = 'ready'
    where l.preview = 'cover' and l.rights <> 'upload' and (o.id = m.id or o.album_id = a.id and not o.draft and o.deleted_at is null)
    order by o.album_position, o.created_at, o.id limit 1) c on true
  where l.share_id = share and l.preview <> 'nothing' and l.shared_at is not null and l.revoked_at is null
    and coalesce(l.expires_at > now(), true) and l.invitation_id is null
    and l.asks is null and not exists (select from public.share_pins p where p.link_id = l.id)
$$;
comment on function private.link_preview is
  'What the preview of the link with this share id tells: the name, the owner''s language and, if the cover may be shown, its memory and what identifies the cover. No row if it tells nothing.';
revoke execute on function private.link_preview from public;
