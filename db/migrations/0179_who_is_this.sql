-- "Who is this?": a question about a photo, to those who may know. docs/decisions/0125-people-in-photos.md.
create table who_questions (
  media_id uuid primary key,
  memory_id uuid not null,
  x real check (x between 0 and 1),
  y real check (y between 0 and 1),
  created_at timestamptz not null default now(),
  constraint point_has_both check ((x is null) = (y is null)),
  constraint about_a_photo_of_the_memory foreign key (media_id, memory_id) references media (id, memory_id) on update cascade on delete cascade
);
comment on table who_questions is
  'Photos and videos about which somebody asked who is in them, once each. Visible to everybody who can see the photo or video.';
comment on column who_questions.x is 'As media_names.x: where the person is of whom the question is.';
comment on column who_questions.y is 'As media_names.y.';
create index who_questions_memory_id on who_questions (memory_id, media_id);

alter table who_questions enable row level security;
grant select, delete on who_questions to anon, authenticated;
grant insert (media_id, memory_id, x, y) on who_questions to anon, authenticated;
create policy "required authentication level" on who_questions as restrictive for all to authenticated
  using ((select private.has_required_aal()));
create policy "viewers of the photo read" on who_questions for select to anon, authenticated
  using (exists (select from media m where m.id = media_id));
create policy "commenters ask" on who_questions for insert to authenticated
  with check (private.can_comment(memory_id) and exists (select from media m where m.id = media_id));
create policy "guest asks" on who_questions for insert to anon
  with check ((select private.guest_id()) is not null and private.can_comment(memory_id) and exists (select from media m where m.id = media_id));
create policy "editors, and the person who added the photo, end" on who_questions for delete to authenticated
  using (exists (select from private.own_memories own where own.id = memory_id)
    or memory_id = any ((select private.shared_memory_ids('read details'))::uuid[])
    or media_id = any ((select private.added_media_ids())::uuid[]));
create policy "guest ends on own photos" on who_questions for delete to anon
  using (media_id = any ((select private.added_media_ids())::uuid[]));

alter publication supabase_realtime add table who_questions;
