import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { OpenedLetter } from "../../../shared/letter.ts";
import { usePageTitle } from "../../lib/browser/page-title.ts";
import { useLatest } from "../../lib/browser/use-latest.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { shareClient } from "../../lib/request/share-client.ts";
import { useRowChanges } from "../../lib/request/use-row-changes.ts";
import { Button } from "../../ui/Button.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { Loading } from "../../ui/Loading.tsx";
import { type LetterContents, useLetter } from "./letter.queries.ts";
import { PhotoQuestion } from "./PhotoQuestion.tsx";
import { useLetterSession } from "./use-letter-session.ts";

/** Shows a letter to the person who is asked: who asks, then photo by photo, then thanks. */
export function LetterScreen({ letterKey }: { letterKey: string }) {
  const { t } = useTranslation("letter");
  const { state, open, close, token } = useLetterSession(letterKey);
  usePageTitle(t("page"));
  if (state.state === "opening") return <Loading full />;
  if (state.state === "ended") return <Empty picture="email" page title={t("ended.title")} text={t("ended.text")} />;
  if (state.state === "unreachable")
    return <Empty picture="email" page title={t("unreachable.title")} text={t("unreachable.text")} />;
  const { letter } = state;
  return (
    <OpenLetter key={`${letter.id} ${letter.version}`} letter={letter} token={token} renew={open} onEnded={close} />
  );
}

interface OpenLetterProps {
  letter: OpenedLetter;
  token: () => string;
  renew: () => Promise<string>;
  onEnded: () => void;
}

function OpenLetter({ letter, token, renew, onEnded }: OpenLetterProps) {
  const [client] = useState(() => shareClient({ token, renew, onClosed: onEnded }));
  const { data: contents, refetch } = useLetter(client, letter);
  const readAgain = () => void refetch();
  useRowChanges(client, [{ event: "UPDATE", table: "photo_letters", filter: `id=eq.${letter.id}` }], readAgain);
  // It may have another version only, e.g. after it was withdrawn and opened again.
  const isOver = contents === null;
  useEffect(() => {
    if (isOver) void renew().catch(() => {});
  }, [isOver, renew]);
  useEnd(contents?.deadline, readAgain);
  return contents ? (
    <LetterSteps client={client} letter={letter} contents={contents} onFailed={readAgain} />
  ) : (
    <Loading full />
  );
}

/** The longest time of a timer in browsers, in milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Calls back when the letter's time is over. */
function useEnd(deadline: number | undefined, onEnd: () => void) {
  const end = useLatest(onEnd);
  useEffect(() => {
    if (deadline === undefined) return;
    const remainingMs = Math.max(0, deadline - performance.now());
    const timer = setTimeout(() => end.current(), Math.min(LONGEST_TIMER_MS, remainingMs));
    return () => clearTimeout(timer);
  }, [deadline]);
}

interface LetterStepsProps {
  client: SupabaseClient;
  letter: OpenedLetter;
  contents: LetterContents;
  onFailed: () => void;
}

function LetterSteps({ client, letter, contents, onFailed }: LetterStepsProps) {
  const { t } = useTranslation("letter");
  /** Before the first photo, the id of a photo, or after the last one. */
  const [step, setStep] = useState("start");
  const { photos, memory, recipient, note } = contents;
  const asker = contents.asker || t("start.someone");
  const at = photos.findIndex(({ id }) => id === step);
  const photo = photos[at];
  if (photos.length === 0) return <Empty picture="photos" page title={t("none.title")} text={t("none.text")} />;
  if (photo)
    return (
      <PhotoQuestion
        key={photo.id}
        client={client}
        letter={letter}
        asker={asker}
        photo={photo}
        number={at + 1}
        count={photos.length}
        onBack={() => setStep(photos[at - 1]?.id ?? "start")}
        onNext={() => setStep(photos[at + 1]?.id ?? "done")}
        onFailed={onFailed}
      />
    );
  const begin = () => setStep(photos[0]?.id ?? "start");
  if (step === "done") {
    const isAnswered = photos.some(({ answers }) => Object.keys(answers).length > 0);
    return (
      <Empty
        picture="done"
        page
        title={t("done.title", { recipient })}
        text={isAnswered ? t("done.text", { asker }) : t("done.nothing")}
      >
        <Button variant="quiet" size="large" onClick={begin}>
          {t("done.again")}
        </Button>
      </Empty>
    );
  }
  return (
    <div className="mx-auto grid w-full max-w-2xl gap-6 py-6 sm:py-12">
      <h1 className="font-serif text-3xl leading-tight wrap-anywhere sm:text-4xl">{t("start.title", { recipient })}</h1>
      <p className="text-lg wrap-anywhere">{t("start.text", { asker, memory, count: photos.length })}</p>
      {note && (
        <figure className="m-0 grid gap-1 rounded-2xl bg-wash p-5">
          <figcaption className="text-sm text-ink-soft wrap-anywhere">{t("start.note", { asker })}</figcaption>
          <blockquote dir="auto" className="m-0 text-lg whitespace-pre-line wrap-anywhere">
            {note}
          </blockquote>
        </figure>
      )}
      <p className="text-ink-soft">{t("start.how")}</p>
      <Button size="large" className="max-sm:w-full sm:justify-self-start" onClick={begin}>
        {photos.length > 1 ? t("start.begin") : t("start.only")}
      </Button>
    </div>
  );
}
