/** The views that have the rights of their owner, because policies read more by them than their caller may see. */
export const VIEWS_OF_POLICIES = [
  "private.hidden_comments",
  "private.merged_entries",
  "private.own_deleted_media",
  "private.own_media",
  "private.own_memories",
  "private.pictures_of_fellows",
];
