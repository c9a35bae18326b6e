import { Mic } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Answers, MediaAnswer } from "../../data/prompts.queries.ts";
import { usePhotoText } from "../../media/photo-text.ts";
import { FROM_GALLERY, photoSearch } from "../../media/use-photo-route.ts";

interface PromptAnswersProps {
  answers: Answers;
  /** The URL of an answer's small picture. */
  pictureOf: (answer: MediaAnswer) => string | undefined;
}

const MOST_SHOWN = 6;
const MOST_WORDS = 3;

/** The newest answers of a card: pictures that open, and words with their authors. */
export function PromptAnswers({ answers: { media, texts }, pictureOf }: PromptAnswersProps) {
  const { t } = useTranslation("prompts");
  const textOf = usePhotoText();
  const rest = Math.max(0, media.length - MOST_SHOWN) + Math.max(0, texts.length - MOST_WORDS);
  return (
    <>
      {media.length > 0 && (
        <ul className="m-0 grid list-none grid-cols-3 gap-1.5 p-0">
          {media.slice(0, MOST_SHOWN).map((answer) => {
            const picture = pictureOf(answer);
            return (
              <li key={answer.id} className="aspect-square">
                <Link
                  to={{ search: photoSearch(answer.id) }}
                  state={FROM_GALLERY}
                  preventScrollReset
                  aria-label={t("open", { photo: textOf(answer) })}
                  className="grid size-full place-items-center overflow-hidden rounded-lg bg-sunken text-deep"
                >
                  {picture ? (
                    <img
                      src={picture}
                      alt=""
                      loading="lazy"
                      width={320}
                      height={320}
                      className="size-full object-cover"
                    />
                  ) : (
                    answer.type === "audio" && <Mic aria-hidden className="size-6" />
                  )}
                </Link>
              </li>
            );
          })}
        </ul>
      )}
      {texts.length > 0 && (
        <ul className="m-0 grid list-none gap-3 p-0">
          {texts.slice(0, MOST_WORDS).map(({ id, body, credit }) => (
            <li key={id} dir="auto" className="border-s-2 border-line ps-3 wrap-anywhere whitespace-pre-line">
              {credit?.name && <span className="me-1 font-semibold">{t("by", { name: credit.name })}</span>}
              {body}
            </li>
          ))}
        </ul>
      )}
      {rest > 0 && <p className="text-sm text-ink-soft">{t("more", { count: rest })}</p>}
    </>
  );
}
