create table private.job_leases (
  job text primary key,
  until timestamptz not null
);
comment on table private.job_leases is
  'Scheduled jobs that one process does for all: until when nobody begins the job, because it runs or has just been done.';
alter table private.job_leases enable row level security;
