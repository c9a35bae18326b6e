import { useGuest } from "../../lib/session/guest.ts";
import { useSession } from "../../lib/session/session.ts";
import type { Me } from "./reactions.queries.ts";

/** What anyone who looks at a conversation is to it. */
export interface Commenter {
  /** Undefined for anyone who is neither signed in nor has given their name. */
  me: Me | undefined;
  /** Asks for their name, where that lets them speak. */
  askName?: () => void;
  /** May say something, and give reactions. */
  mayComment: boolean;
  /** Looks after the memory: hides and deletes what others say. */
  keeps: boolean;
}

export function useCommenter({ comment, manage }: { comment: boolean; manage: boolean }): Commenter {
  const session = useSession();
  const { guest, holder, askName } = useGuest();
  const user = session.state === "signed in" ? session.user : undefined;
  // What is said before the link knows who signed in would be refused.
  const signedIn = holder === undefined || holder === user?.id ? user : undefined;
  const me = signedIn ?? (guest ? { id: guest.id, fullName: guest.name, isGuest: true } : undefined);
  return {
    me,
    ...(!me && !user && comment && { askName }),
    mayComment: me !== undefined && comment,
    keeps: me !== undefined && manage,
  };
}
