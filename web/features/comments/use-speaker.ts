import { useSession } from "../../lib/session.ts";
import type { Me } from "./reactions.queries.ts";

/** What whoever looks at a conversation is to it. */
export interface Speaker {
  /** Undefined where nobody is signed in. */
  me: Me | undefined;
  /** May say something, and give reactions. */
  speaks: boolean;
  /** Looks after the memory: hides and deletes what others say. */
  keeps: boolean;
}

export function useSpeaker({ comment, keep }: { comment: boolean; keep: boolean }): Speaker {
  const session = useSession();
  const me = session.state === "signed in" ? session.user : undefined;
  return { me, speaks: me !== undefined && comment, keeps: me !== undefined && keep };
}
