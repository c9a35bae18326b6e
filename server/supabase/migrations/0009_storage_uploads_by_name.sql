create index uploads_name on storage.uploads (bucket_id, name) where finished_at is null;
