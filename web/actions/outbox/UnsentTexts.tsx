import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { type CommentWrite, isAtLink } from "../../data/outbox/waiting-write.ts";
import { browserWriteStore } from "../../data/outbox/write-store.ts";
import { useCopy } from "../../lib/browser/use-copy.ts";
import { Button } from "../../ui/Button.tsx";

/** The comments that this device could not send at a link that has ended, to copy them. Nothing without any. */
export default function UnsentTexts({ shareId }: { shareId: string }) {
  const { t } = useTranslation("outbox");
  const [comments, setComments] = useState<CommentWrite[]>([]);
  useEffect(() => {
    const read = async () => {
      const store = browserWriteStore();
      const owners = (await store.owners()).filter((owner) => isAtLink(owner, shareId));
      const writes = (await Promise.all(owners.map(store.all))).flat();
      setComments(writes.filter((write) => write.kind === "comment"));
    };
    void read().catch(() => {});
  }, [shareId]);
  if (comments.length === 0) return null;
  return (
    <section className="grid gap-3 text-start">
      <h2 className="font-serif text-xl">{t("title")}</h2>
      {comments.map(({ id, body }) => (
        <UnsentText key={id} text={body} />
      ))}
    </section>
  );
}

function UnsentText({ text }: { text: string }) {
  const { t } = useTranslation("outbox");
  const { result, copy } = useCopy(text);
  return (
    <div className="grid justify-items-start gap-2 rounded-2xl bg-sunken p-4">
      <p dir="auto" className="max-h-60 overflow-y-auto whitespace-pre-wrap wrap-anywhere">
        {text}
      </p>
      <Button variant="quiet" size="small" onClick={() => void copy()}>
        <span aria-live="polite">{t(result === "copied" ? "copied" : "copy")}</span>
      </Button>
    </div>
  );
}
