import { useTranslation } from "react-i18next";
import type { CommentWrite } from "../../data/outbox/waiting-write.ts";
import { Button } from "../../ui/Button.tsx";
import { CommentText } from "./CommentText.tsx";

interface UnsentCommentProps {
  unsent: CommentWrite;
  name: string;
  onAgain: () => void;
  onDiscard: () => void;
}

/** A comment that is being sent, waits for a connection, or failed. */
export function UnsentComment({ unsent, name, onAgain, onDiscard }: UnsentCommentProps) {
  const { t } = useTranslation("comments");
  const failed = unsent.state === "failed";
  const waits = unsent.state === "waiting";
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <p className="leading-snug">
        <span dir="auto" className="font-semibold">
          {name}
        </span>
        <br />
        <span
          role={failed ? "alert" : waits ? "status" : undefined}
          className={failed ? "text-sm text-danger-text" : "text-sm text-ink-soft"}
        >
          {t(`write.${unsent.state}`)}
        </span>
      </p>
      <CommentText text={unsent.body} names={[]} />
      {(failed || waits) && (
        <div className="flex flex-wrap gap-2">
          <Button variant="quiet" size="small" onClick={onAgain}>
            {t("write.again")}
          </Button>
          <Button variant="plain" size="small" onClick={onDiscard}>
            {t("write.discard")}
          </Button>
        </div>
      )}
    </div>
  );
}
