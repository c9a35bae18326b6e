create table reports (
  id uuid primary key default gen_random_uuid(),
  memory_id uuid references memories on delete set null,
  kind text not null check (kind in ('memory', 'media', 'story', 'comment')),
  item_id uuid not null,
  reason text not null check (reason in ('hurtful', 'private', 'not-theirs', 'unlawful', 'unwanted', 'other')),
  words text not null default '' check (length(words) <= 2000),
  email text check (length(email) <= 254),
  user_id uuid references auth.users on delete set null,
  guest_id uuid references guests on delete set null,
  created_at timestamptz not null default now(),
  outcome text check (outcome in ('acted', 'nothing')),
  settled_at timestamptz,
  settled_by uuid references auth.users on delete set null,
  constraint settled_with_an_outcome check ((outcome is null) = (settled_at is null))
);
comment on table reports is
  'What people who could open a memory found wrong in it. It changes nothing by itself. Seen by who wrote it and by administrators; the server alone writes it.';
comment on column reports.item_id is 'The photo, story or comment; the memory itself where it is about all of it.';
comment on column reports.email is 'Where an answer may go, as it was given: nobody has confirmed it.';
create index reports_memory_id on reports (memory_id);
create index reports_user_id on reports (user_id);
create index reports_guest_id on reports (guest_id) where guest_id is not null;
create index reports_settled_by on reports (settled_by) where settled_by is not null;
create index reports_open on reports (created_at) where settled_at is null;

create function private.settle_report() returns trigger language plpgsql set search_path = '' as $$
begin
  if new.outcome is distinct from old.outcome then
    new.settled_at := case when new.outcome is not null then now() end;
    new.settled_by := case when new.outcome is not null then auth.uid() end;
  end if;
  return new;
end
$$;
create trigger settle_report before update on reports for each row execute function private.settle_report();
revoke execute on function private.settle_report from public;

alter table reports enable row level security;
-- Which administrator settled it is no business of who wrote it; roles, not rows, have columns.
grant select (id, memory_id, kind, item_id, reason, words, email, user_id, created_at, outcome, settled_at),
  update (outcome) on reports to authenticated;
create policy "who wrote it" on reports for select to authenticated using (user_id = (select auth.uid()));
create policy "administrators read" on reports for select to authenticated using ((select private.is_admin()));
create policy "administrators settle" on reports for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "after the second step" on reports as restrictive to authenticated
  using ((select private.fully_signed_in()));
