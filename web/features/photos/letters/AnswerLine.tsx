import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PhotoAnswer } from "../../../data/letters.queries.ts";
import type { MemoryContext } from "../../../data/memory-context.ts";
import { lazyPart } from "../../../lib/browser/lazy-part.ts";
import { Button } from "../../../ui/Button.tsx";
import { useAccept } from "./use-accept.ts";

const AcceptDialog = lazyPart(() => import("./AcceptDialog.tsx"), "over the page");

/** An answer about a photo, and what managers can do with it. */
export function AnswerLine({
  context,
  answer,
}: {
  context: Pick<MemoryContext, "client" | "memory">;
  answer: PhotoAnswer;
}) {
  const { t } = useTranslation("questions");
  const { client, memory } = context;
  const accept = useAccept(client, memory.id, answer);
  const [isAccepting, setAccepting] = useState(false);
  const { state } = answer;
  return (
    <li className="grid gap-2 border-t border-line py-4 first:border-t-0 first:pt-0">
      <p className="text-sm text-ink-soft wrap-anywhere">
        {t("answers.by", { about: t(`answers.${answer.about}`), name: answer.letter?.recipient ?? "" })}
      </p>
      <p dir="auto" className="text-lg wrap-anywhere">
        {answer.answer}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        {state === "new" ? (
          <>
            <Button size="small" onClick={() => setAccepting(true)}>
              {t("answers.accept")}
            </Button>
            <Button size="small" variant="quiet" onClick={() => void accept.decide("kept")}>
              {t("answers.keep")}
            </Button>
            <Button size="small" variant="plain" onClick={() => void accept.decide("set_aside")}>
              {t("answers.setAside")}
            </Button>
          </>
        ) : (
          <>
            <span className="rounded-full bg-wash px-3 py-1 text-sm font-semibold">{t(`answers.states.${state}`)}</span>
            {state !== "accepted" && (
              <>
                <Button size="small" variant="quiet" onClick={() => setAccepting(true)}>
                  {t("answers.accept")}
                </Button>
                <Button size="small" variant="plain" onClick={() => void accept.decide("new")}>
                  {t("answers.restore")}
                </Button>
              </>
            )}
          </>
        )}
      </div>
      <Suspense>
        {isAccepting && (
          <AcceptDialog context={context} answer={answer} accept={accept} onClose={() => setAccepting(false)} />
        )}
      </Suspense>
    </li>
  );
}
