-- Embedded memories are found by the album alone (0117). Where one album has most of an installation's memories, the planner would
-- expect as many of every album, and read all memories for each.
alter table memories alter column album_id set (n_distinct = -0.05);
