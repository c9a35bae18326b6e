-- Tapes of DV camcorders, copied to a computer as they are.
update storage.buckets set allowed_mime_types = allowed_mime_types || '{video/dv}' where id = 'media';
