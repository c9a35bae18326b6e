-- The gallery reads the hearts of a memory's photos and videos, by page in order of id.
create index reactions_of_photos on reactions (memory_id, id) where kind = 'heart' and media_id is not null;
