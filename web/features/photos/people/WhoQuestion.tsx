import { CircleHelp, MessageCircleQuestion } from "lucide-react";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { useCommenter } from "../../../actions/commenter.ts";
import type { Photo } from "../../../data/media.queries.ts";
import type { MemoryContext } from "../../../data/memory-context.ts";
import { type Point, useAskWho, type WhoQuestion } from "../../../data/pictured.queries.ts";
import { lazyPart } from "../../../lib/browser/lazy-part.ts";
import { Button } from "../../../ui/Button.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { mayAskAbout } from "../letters/may-ask-about.ts";

const AskDialog = lazyPart(() => import("../letters/AskDialog.tsx"), "over the page");

interface WhoQuestionProps {
  context: MemoryContext;
  photo: Photo;
  question: WhoQuestion | undefined;
  /** Where the person is of whom the reader asks. */
  point: Point | undefined;
  /** Whether the reader may name people on the photo. */
  editable: boolean;
  onAsked: () => void;
  onComment: () => void;
}

/** Renders the question who is in a photo, and for members the question to one person outside. */
export function WhoQuestionPart(props: WhoQuestionProps) {
  const { t } = useTranslation("pictured");
  const { context, photo } = props;
  const { client, memory, rights } = context;
  const [isAsking, setAsking] = useState(false);
  const mayAsk = rights.contribute && rights.role !== "visitor" && !memory.draft && mayAskAbout([photo]);
  return (
    <>
      <OpenQuestion {...props} />
      {mayAsk && (
        <Button
          icon={MessageCircleQuestion}
          variant="plain"
          size="small"
          className="-ms-4 justify-self-start"
          onClick={() => setAsking(true)}
        >
          {t("askOne")}
        </Button>
      )}
      <Suspense>
        {isAsking && <AskDialog client={client} memory={memory} photos={[photo]} onClose={() => setAsking(false)} />}
      </Suspense>
    </>
  );
}

/** Renders the question who is in a photo: a way to ask it, to answer it by a comment, and to end it. */
function OpenQuestion({ context, photo, question, point, editable, onAsked, onComment }: WhoQuestionProps) {
  const { t } = useTranslation("pictured");
  const { client, memory, rights } = context;
  const { mayComment } = useCommenter(rights);
  const ask = useAskWho(client, memory.id);
  const change = (ends: boolean) =>
    ask.mutate(
      { mediaId: photo.id, point, ends },
      {
        onSuccess: onAsked,
        onError: () => toast({ title: t("who.failed"), description: t("failedText"), tone: "problem" }),
      },
    );
  if (!question)
    return (
      mayComment && (
        <Button
          icon={CircleHelp}
          variant="plain"
          size="small"
          className="-ms-4 justify-self-start"
          onClick={() => change(false)}
        >
          {t("who.ask")}
        </Button>
      )
    );
  return (
    <div role="note" className="grid justify-items-start gap-2 rounded-2xl bg-wash p-4">
      <p className="flex items-center gap-2 font-semibold">
        <CircleHelp aria-hidden className="size-5 shrink-0" />
        {t("who.question")}
      </p>
      <p className="text-ink-soft">{t(editable ? "who.nameText" : mayComment ? "who.commentText" : "who.askedText")}</p>
      <div className="flex flex-wrap gap-2">
        {mayComment && (
          <Button variant="quiet" size="small" onClick={onComment}>
            {t("who.comment")}
          </Button>
        )}
        {editable && (
          <Button variant="plain" size="small" onClick={() => change(true)}>
            {t("who.end")}
          </Button>
        )}
      </div>
    </div>
  );
}
