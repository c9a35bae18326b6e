import { type GuestState, useGuest } from "../lib/session/guest.ts";
import { useSession } from "../lib/session/session.ts";

/** The author of what the reader writes or gives: a signed-in person, or a guest with a name. */
export interface Me {
  id: string;
  fullName: string;
  isGuest?: boolean;
}

/** The reader's role in a conversation. */
export interface Commenter {
  /** Undefined for visitors who have not given a name. */
  me: Me | undefined;
  /** Asks the visitor for a name, as in `GuestState`; absent if giving a name would not allow commenting. */
  askName?: NonNullable<GuestState["askName"]>;
  /** Whether they may comment and react. */
  mayComment: boolean;
  /** Whether they may hide and delete comments of others. */
  keeps: boolean;
}

export function useCommenter({ comment, manage }: { comment: boolean; manage: boolean }): Commenter {
  const session = useSession();
  const { guest, holder, askName } = useGuest();
  const user = session.state === "signed in" ? session.user : undefined;
  // The server refuses comments until the link's token names the signed-in person.
  const signedIn = holder === undefined || holder === user?.id ? user : undefined;
  const me = signedIn ?? (guest ? { id: guest.id, fullName: guest.name, isGuest: true } : undefined);
  return {
    me,
    ...(!me && !user && comment && { askName }),
    mayComment: me !== undefined && comment,
    keeps: me !== undefined && manage,
  };
}
