import { useEffect, useRef, useState } from "react";
import { browserStorage } from "../../lib/browser/storage.ts";
import type { Subject } from "./comment.ts";
import { type DraftKey, keepDraft, readDraft } from "./drafts.ts";
import type { ConversationState } from "./use-conversation.ts";

/** The draft of a visitor who has not given a name yet. */
const draftKeyOf = (of: Subject): DraftKey => ({ userId: "visitor", ...of, parentId: null });

/** The comment that a visitor wrote before they gave a name. It is sent when they have given one. */
export function useVisitorComment({ of, commenter, outbox }: Pick<ConversationState, "of" | "commenter" | "outbox">) {
  const draftKey = draftKeyOf(of);
  const unsent = useRef<string>(undefined);
  const [round, setRound] = useState(0);
  const { mayComment, askName } = commenter;
  useEffect(() => {
    if (!mayComment || unsent.current === undefined) return;
    outbox.send({ parentId: null, body: unsent.current, mentions: [] });
    unsent.current = undefined;
  });
  return {
    /** Changes when the form must show the comment again, because it has not been sent. */
    round,
    /** The text to begin with, also for a person who has just signed in. */
    initial: (): string => (mayComment ? "" : unsent.current) || readDraft(browserStorage, draftKey),
    write(text: string): void {
      unsent.current = undefined;
      keepDraft(browserStorage, draftKey, text);
    },
    send(body: string): void {
      unsent.current = body;
      keepDraft(browserStorage, draftKey, "");
      setRound((last) => last + 1);
      askName?.(() => {
        unsent.current = undefined;
        keepDraft(browserStorage, draftKey, body);
      });
    },
  };
}
