import type { Who, World } from "../support/world.ts";
import type { Verbs } from "./statement.ts";

/** As `statements()`, for what people tell, say and give, and for who signed it. */
export const signedStatements = (
  { ada, memoryId, bobsMemoryId, objectId, bobsObjectId, storyId, commentId, reactionId }: World,
  who: Who,
): Record<string, Verbs> => ({
  "public.media_credits": {
    select: ["select media_id from media_credits where media_id = $1", [objectId]],
    insert: [
      "insert into media_credits (media_id, memory_id, name) values ($1, $2, 'X')",
      [bobsObjectId, bobsMemoryId],
    ],
    update: ["update media_credits set name = 'X' where media_id = $1", [objectId]],
    delete: ["delete from media_credits where media_id = $1", [objectId]],
  },
  "public.stories": {
    select: ["select id from stories where id = $1", [storyId]],
    insert: ["insert into stories (memory_id, body) values ($1, '<p>New</p>')", [memoryId]],
    update: ["update stories set moderation = 'held' where id = $1", [storyId]],
    delete: ["delete from stories where id = $1", [storyId]],
  },
  "public.story_credits": {
    select: ["select name from story_credits where story_id = $1", [storyId]],
    insert: [
      "insert into story_credits values ($1, $2, 'X') on conflict (story_id, memory_id) do update set name = 'X'",
      [storyId, memoryId],
    ],
    update: ["update story_credits set name = 'X' where story_id = $1", [storyId]],
    delete: ["delete from story_credits where story_id = $1", [storyId]],
  },
  "public.comments": {
    select: ["select id from comments where id = $1", [commentId]],
    insert:
      who === "service"
        ? ["insert into comments (memory_id, body, user_id) values ($1, 'X', $2)", [memoryId, ada]]
        : ["insert into comments (memory_id, body) values ($1, 'X')", [memoryId]],
    update: ["update comments set moderation = 'hidden' where id = $1", [commentId]],
    delete: ["delete from comments where id = $1", [commentId]],
  },
  "public.comment_credits": {
    select: ["select name from comment_credits where comment_id = $1", [commentId]],
    insert: [
      "insert into comment_credits values ($1, $2, 'X') on conflict (comment_id, memory_id) do update set name = 'X'",
      [commentId, memoryId],
    ],
    update: ["update comment_credits set name = 'X' where comment_id = $1", [commentId]],
    delete: ["delete from comment_credits where comment_id = $1", [commentId]],
  },
  "public.reactions": {
    select: ["select id from reactions where id = $1", [reactionId]],
    insert:
      who === "service"
        ? ["insert into reactions (memory_id, kind, user_id) values ($1, 'flower', $2)", [memoryId, ada]]
        : ["insert into reactions (memory_id, kind) values ($1, 'flower')", [memoryId]],
    update: ["update reactions set kind = 'heart' where id = $1", [reactionId]],
    delete: ["delete from reactions where id = $1", [reactionId]],
  },
  "public.reaction_credits": {
    select: ["select name from reaction_credits where reaction_id = $1", [reactionId]],
    insert: [
      "insert into reaction_credits values ($1, $2, 'X') on conflict (reaction_id, memory_id) do update set name = 'X'",
      [reactionId, memoryId],
    ],
    update: ["update reaction_credits set name = 'X' where reaction_id = $1", [reactionId]],
    delete: ["delete from reaction_credits where reaction_id = $1", [reactionId]],
  },
});
