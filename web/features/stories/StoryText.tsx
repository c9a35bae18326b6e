import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { usePhotoText } from "../../media/photo-text.ts";
import { StoryPicture } from "../../media/StoryPicture.tsx";
import { FROM_GALLERY, photoSearch } from "../../media/use-photo-route.ts";
import type { KnownMedia } from "../../media/use-story-media.ts";
import { Button } from "../../ui/Button.tsx";
import { type StoryPart, shownStory } from "./shown-story.ts";

interface StoryTextProps {
  html: string;
  /** Photos in the story that have loaded. */
  media: KnownMedia;
  /** Whether the story has a title, so that the headings in its text are two levels lower. */
  titled?: boolean;
}

/** Renders a story's text. A long text is collapsed. */
export function StoryText({ html, media, titled }: StoryTextProps) {
  const { t } = useTranslation("stories");
  const parts = useMemo(() => shownStory(html, { titled }), [html, titled]);
  const [unfolded, setUnfolded] = useState(false);
  const above = useMemo(() => blocksAboveFold(parts.map(({ letters }) => letters)), [parts]);
  const folded = !unfolded && above < parts.length;
  const rest = useRef<HTMLDivElement>(null);

  // After expanding, moves the focus to the first new block, where reading continues.
  useEffect(() => {
    if (unfolded) rest.current?.focus({ preventScroll: true });
  }, [unfolded]);

  return (
    <div className="story font-serif text-lg leading-[1.75] sm:text-xl sm:leading-[1.75]">
      <div className={folded ? "mask-b-from-[calc(100%-9rem)]" : undefined}>
        <Parts parts={parts.slice(0, above)} media={media} />
      </div>
      {folded ? (
        <p className="text-center font-sans">
          <Button variant="quiet" onClick={() => setUnfolded(true)}>
            {t("read.on")}
          </Button>
        </p>
      ) : (
        above < parts.length && (
          <div ref={rest} tabIndex={-1} className="outline-none">
            <Parts parts={parts.slice(above)} media={media} />
          </div>
        )
      )}
    </div>
  );
}

/** Renders the parts of a story: HTML as it is, and photos as components. */
function Parts({ parts, media }: { parts: StoryPart[]; media: KnownMedia }) {
  const groups: StoryPart[] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    if ("html" in part && last && "html" in last) last.html += part.html;
    else groups.push({ ...part });
  }
  return groups.map((part, index) => {
    const key = index;
    return "html" in part ? (
      // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by shownStory
      <div key={key} dangerouslySetInnerHTML={{ __html: part.html }} />
    ) : (
      <StoryFigure key={key} id={part.media} caption={part.caption} media={media} />
    );
  });
}

/** Renders a photo in a story as a link to the lightbox. A deleted photo is left out together with its caption. */
function StoryFigure({ id, caption, media }: { id: string; caption: string; media: KnownMedia }) {
  const { t } = useTranslation("stories");
  const text = usePhotoText();
  const photo = media(id);
  if (photo === null) return null;
  return (
    <figure>
      {photo ? (
        <Link
          to={{ search: photoSearch(id) }}
          state={FROM_GALLERY}
          preventScrollReset
          aria-label={t("read.openPhoto", { photo: caption || text(photo) })}
          className="block rounded-lg"
        >
          <StoryPicture photo={photo} alt="" />
        </Link>
      ) : (
        <StoryPicture photo={undefined} />
      )}
      {caption && <figcaption dir="auto">{caption}</figcaption>}
    </figure>
  );
}

const SHOWN_LETTERS = 1400;
const WORTH_HIDING = 700;

/**
 * Returns the number of blocks before a story's fold, from their numbers of letters; all if a fold would hide little.
 */
export function blocksAboveFold(letters: readonly number[]): number {
  const all = letters.reduce((sum, count) => sum + count, 0);
  let letterCount = 0;
  for (const [index, count] of letters.entries()) {
    letterCount += count;
    if (letterCount >= SHOWN_LETTERS) return all - letterCount >= WORTH_HIDING ? index + 1 : letters.length;
  }
  return letters.length;
}
