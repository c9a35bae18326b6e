import { Check } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Photo } from "../../data/media.queries.ts";
import { inOrder, type PhotoOrder } from "../../data/photo-order.ts";
import { MOST_PICTURES } from "../../data/slideshows.queries.ts";
import { PhotoChoices } from "../../media/PhotoChoices.tsx";
import { usePhotoText } from "../../media/photo-text.ts";
import { Button } from "../../ui/Button.tsx";

interface ChoosePhotosProps {
  photos: readonly Photo[];
  order: PhotoOrder;
  /** The ids of the photos of the slideshow. */
  chosen: readonly string[];
  onDone: (ids: string[]) => void;
}

/** Renders a memory's photos, of which any are chosen. New ones come after those that are chosen already. */
export function ChoosePhotos({ photos, order, chosen, onDone }: ChoosePhotosProps) {
  const { t } = useTranslation("slideshows");
  const text = usePhotoText();
  const [ids, setIds] = useState(chosen);
  const choices = useMemo(
    () => inOrder(photos, order).filter(({ type, state, pages }) => type === "image" && state === "ready" && !pages),
    [photos, order],
  );
  if (choices.length === 0) return <p>{t("choose.none")}</p>;
  const all = choices.map(({ id }) => id);
  const isFull = ids.length >= MOST_PICTURES;
  const hasAll = all.every((id) => ids.includes(id));
  const toggle = (id: string) => {
    if (ids.includes(id)) setIds(ids.filter((other) => other !== id));
    else if (!isFull) setIds([...ids, id]);
  };
  const toggleAll = () =>
    setIds(hasAll ? [] : [...ids, ...all.filter((id) => !ids.includes(id))].slice(0, MOST_PICTURES));
  return (
    <div className="grid gap-4">
      <Button variant="quiet" size="small" className="justify-self-start" onClick={toggleAll}>
        {hasAll ? t("choose.no") : t("choose.all")}
      </Button>
      <PhotoChoices
        photos={choices}
        labelOf={(photo, index) => t("choose.photo", { number: index + 1, text: text(photo) })}
        isChosen={({ id }) => ids.includes(id)}
        onChoose={({ id }) => toggle(id)}
        more={t("choose.more")}
        mark={({ id }) =>
          ids.includes(id) && (
            <span
              aria-hidden
              className="pointer-events-none absolute top-1.5 right-1.5 grid size-7 place-content-center rounded-full bg-deep text-on-deep"
            >
              <Check className="size-4" />
            </span>
          )
        }
      />
      {isFull && (
        <p role="status" className="text-sm text-ink-soft">
          {t("choose.full", { count: MOST_PICTURES })}
        </p>
      )}
      <Button size="large" onClick={() => onDone([...ids])}>
        {t("choose.done", { photos: t("photos", { count: ids.length }) })}
      </Button>
    </div>
  );
}
