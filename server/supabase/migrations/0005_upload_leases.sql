-- Which request writes a resumable upload, where processes on several machines share the stored bytes. A lease ends by
-- itself, so that an upload of a killed process can go on elsewhere.
alter table storage.uploads
  add column lease_holder text,
  add column lease_until timestamptz,
  add column lease_wanted boolean;
comment on column storage.uploads.lease_wanted is 'Whether another request waits for the holder to let go.';
