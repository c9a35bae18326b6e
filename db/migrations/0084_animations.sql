alter table public.media add column animated boolean not null default false;
comment on column public.media.animated is
  'Whether it is a picture that moves. Galleries show its first frame, and the lightbox all frames.';
-- Nearly all pictures of these types move. One that does not is shown from the same copies.
update public.media m set animated = true from public.media_details d
where d.media_id = m.id and d.mime_type in ('image/gif', 'image/webp') and m.type = 'image';
