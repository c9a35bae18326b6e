-- Wrong PINs, counted where every process sees them and a restart does not forget them. Kept by share id rather than
-- by link, so that guessing at a link that does not exist is answered, counted and slowed in just the same way.
create table private.share_attempts (
  key text primary key,
  failures integer not null default 0,
  locked_until timestamptz,
  last_at timestamptz not null default now()
);
comment on table private.share_attempts is 'Wrong PINs by link ("link:…") and by address ("address:…").';
create index share_attempts_last_at on private.share_attempts (last_at);
