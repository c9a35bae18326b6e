-- The page of a wall lists the open links that allow adding, in this order, at most 50. It read all links of a memory,
-- although most of them only allow viewing. The rights are the last column, so that the index alone excludes those.
create index share_links_in_use on public.share_links (memory_id, asks nulls first, created_at, rights)
  where invitation_id is null and for_card is false and revoked_at is null and shared_at is not null;
