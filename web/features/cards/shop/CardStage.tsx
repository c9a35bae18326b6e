import { useTranslation } from "react-i18next";
import type { Engraving } from "../../../../shared/card.ts";
import { MetalCard } from "../../../media/card-face/MetalCard.tsx";

interface CardStageProps {
  engraving: Engraving;
  /** The target of the pictured QR code. */
  link: string;
  /** The picture's caption. */
  says: string;
}

/** A large picture of the card. */
export function CardStage({ engraving, link, says }: CardStageProps) {
  const { t } = useTranslation("cards");
  return (
    <figure className="card-stage m-0 grid grid-cols-[minmax(0,1fr)] justify-items-center gap-6 overflow-hidden rounded-3xl border border-line px-6 py-10 sm:py-14 lg:sticky lg:py-10 lg:top-24">
      <MetalCard
        engraving={engraving}
        example={{ name: t("words.name"), dates: t("words.datesExample") }}
        link={link}
        turns
        className="w-60 sm:w-72"
      />
      <figcaption className="max-w-80 text-center text-sm text-ink-soft">{says}</figcaption>
    </figure>
  );
}
