import { ArrowLeft, Check } from "lucide-react";
import { type SyntheticEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { OpenedLetter } from "../../../shared/letter.ts";
import { LONGEST_ANSWER } from "../../../shared/letter-limits.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { Button } from "../../ui/Button.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { keepDraft, readDraft } from "./drafts.ts";
import { LetterPhotoView } from "./LetterPhotoView.tsx";
import { type Answers, type LetterPhoto, SUBJECTS, type Subject, textsOf, useAnswerPhoto } from "./letter.queries.ts";

interface PhotoQuestionProps {
  client: SupabaseClient;
  letter: OpenedLetter;
  asker: string;
  photo: LetterPhoto;
  /** The photo's place among the photos, from 1. */
  number: number;
  count: number;
  onBack: () => void;
  onNext: () => void;
  /** Called after a refusal: the letter may have ended. */
  onFailed: () => void;
}

/** One photo of a letter with its three questions. What is typed stays in this browser until it is sent. */
export function PhotoQuestion(props: PhotoQuestionProps) {
  const { client, letter, asker, photo, number, count, onBack, onNext, onFailed } = props;
  const { t } = useTranslation("letter");
  const stored = textsOf(photo);
  const [typed, setTyped] = useState<Answers>(() => readDraft(letter.id, photo.id) ?? stored);
  const answer = useAnswerPhoto(client, letter);
  // A second press may come before React renders.
  const busy = useRef(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  }, []);

  const isChanged = SUBJECTS.some((subject) => typed[subject].trim() !== stored[subject]);
  const isEmpty = SUBJECTS.every((subject) => typed[subject].trim() === "");
  const isLast = number === count;
  const write = (subject: Subject, text: string) => {
    const next = { ...typed, [subject]: text };
    setTyped(next);
    keepDraft(letter.id, photo.id, next);
  };
  const save = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (busy.current) return;
    if (!isChanged) return onNext();
    busy.current = true;
    try {
      await answer.mutateAsync({ photoId: photo.id, answers: typed });
      keepDraft(letter.id, photo.id, undefined);
      onNext();
    } catch {
      onFailed();
    } finally {
      busy.current = false;
    }
  };
  const label = isEmpty ? (isLast ? "skipLast" : "skip") : isLast ? "last" : "next";

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,3fr)_minmax(20rem,2fr)]">
      <div className="lg:sticky lg:top-6">
        <LetterPhotoView client={client} photo={photo} number={number} count={count} />
      </div>
      <form noValidate onSubmit={(event) => void save(event)} className="grid gap-5">
        <h1 ref={heading} tabIndex={-1} className="font-serif text-2xl outline-none sm:text-3xl">
          {t("photo.title", { number, count })}
        </h1>
        {SUBJECTS.map((subject) =>
          photo.answers[subject]?.accepted ? (
            <div key={subject} className="grid gap-1 rounded-2xl bg-wash p-4">
              <p className="font-semibold">{t(`${subject}.label`)}</p>
              <p dir="auto" className="wrap-anywhere">
                {stored[subject]}
              </p>
              <p className="flex gap-2 text-sm text-ink-soft">
                <Check aria-hidden className="mt-0.5 size-5 shrink-0" />
                {t("accepted", { asker })}
              </p>
            </div>
          ) : (
            <TextArea
              key={subject}
              label={t(`${subject}.label`)}
              hint={t(`${subject}.hint`)}
              value={typed[subject]}
              maxLength={LONGEST_ANSWER}
              rows={1}
              onChange={({ target }) => write(subject, target.value)}
            />
          ),
        )}
        {(answer.isError || answer.isPaused) && (
          <p role="alert" className="rounded-xl bg-danger-wash px-4 py-3 text-danger-text">
            {t(answer.isPaused ? "paused" : "failed")}
          </p>
        )}
        <div className="flex flex-wrap gap-3">
          <Button type="submit" size="large" aria-busy={answer.isPending} className="max-sm:w-full">
            {answer.isPending ? t("sending") : t(label)}
          </Button>
          <Button icon={ArrowLeft} variant="plain" size="large" className="max-sm:w-full" onClick={onBack}>
            {t("back")}
          </Button>
        </div>
      </form>
    </div>
  );
}
