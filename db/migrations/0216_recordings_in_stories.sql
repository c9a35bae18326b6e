-- Stories can contain recordings: the list to choose from reads photos and recordings in their order.
drop index media_choices;
create index media_choices on media (memory_id, taken_order, time_order nulls first, created_at, id)
  where type in ('image', 'audio') and state = 'ready' and moderation = 'shown';
