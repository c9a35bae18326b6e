import { pageOutbox } from "./page-outbox.ts";
import type { ReactionWrite, WaitingWrite, WrittenReaction } from "./waiting-write.ts";

/** The unsent reactions among an owner's writes that are about these subjects. */
export const unsentReactions = (
  entries: readonly WaitingWrite[],
  isAbout: (reaction: WrittenReaction) => boolean,
): ReactionWrite[] =>
  entries.filter((one): one is ReactionWrite => one.kind === "reaction" && isAbout(one.reaction)).filter(isOnItsWay);

const isOnItsWay = ({ state }: WaitingWrite) => state !== "failed";

type Given = Pick<WrittenReaction, "id" | "kind" | "media_id" | "comment_id" | "guest_id" | "user_id">;

const isSame = (a: Given, b: Given) =>
  a.kind === b.kind &&
  a.media_id === b.media_id &&
  a.comment_id === b.comment_id &&
  (a.user_id ?? a.guest_id) === (b.user_id ?? b.guest_id);

/** The stored reactions as they are once the unsent ones have arrived. */
export function withUnsent<Shown extends Given>(stored: readonly Shown[], unsent: readonly ReactionWrite[]) {
  let reactions: (Shown | WrittenReaction)[] = [...stored];
  for (const { reaction, taken } of unsent) {
    if (taken) reactions = reactions.filter(({ id }) => id !== reaction.id);
    else if (!reactions.some((one) => one.id === reaction.id || isSame(one, reaction))) reactions.push(reaction);
  }
  return reactions;
}

/**
 * Sends a reaction, or that it is taken back. Resolves to whether the server has it or it waits for a network; rejects if
 * it was refused at once, and forgets it.
 */
export async function sendReaction(owner: string, reaction: WrittenReaction, taken: boolean) {
  const id = taken ? crypto.randomUUID() : reaction.id;
  const at = new Date().toISOString();
  const write = { kind: "reaction" as const, id, owner, memoryId: reaction.memory_id, at, reaction, taken };
  try {
    return await pageOutbox().add(write);
  } catch (error) {
    await pageOutbox().takeBack(id);
    throw error;
  }
}

/**
 * An optimistic update for mutations that may wait in the outbox. The shown data must not contain a waiting change, which
 * can be taken back: pages add it by themselves.
 */
export const unlessWaiting = <Variables, Context>(update: {
  onMutate: (variables: Variables) => Context;
  onSettled: (result: unknown, refusal: unknown, variables: Variables, context?: Context) => unknown;
}) => ({
  onMutate: update.onMutate,
  onSettled: (state: "stored" | "waiting" | undefined, refusal: unknown, variables: Variables, context?: Context) =>
    update.onSettled(state, refusal ?? (state === "waiting" ? state : null), variables, context),
});

/**
 * Takes back a reaction, or its taking back, that still waits. Resolves to the change to send instead if it was sent in
 * the meantime.
 */
export async function takeBackUnsent({ id, reaction, taken }: ReactionWrite) {
  if (await pageOutbox().takeBack(id)) return undefined;
  return taken ? { row: { ...reaction, id: crypto.randomUUID() }, taken: false } : { row: reaction, taken: true };
}
