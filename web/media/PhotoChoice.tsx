import type { ReactNode } from "react";
import type { CoverPhoto } from "../data/memories.queries.ts";
import { renditionUrl } from "../lib/request/rendition-url.ts";
import { Picture } from "./Picture.tsx";
import { useMediaUrls } from "./use-media-urls.ts";

interface PhotoChoiceProps {
  photo: CoverPhoto;
  /** The accessible name. */
  label: string;
  chosen: boolean;
  onChoose: () => void;
  /** Content under the photo. */
  children?: ReactNode;
}

/** A square photo that can be chosen as a cover. */
export function PhotoChoice({ photo, label, chosen, onChoose, children }: PhotoChoiceProps) {
  const { picture, placeholder } = useMediaUrls(photo);
  return (
    <button
      type="button"
      aria-pressed={chosen}
      aria-label={label}
      onClick={onChoose}
      className="group grid w-full cursor-pointer gap-1 text-start"
    >
      <Picture
        photo={{ colour: photo.colour, placeholder }}
        src={picture && renditionUrl(picture, 320)}
        sizes="160px"
        alt=""
        className="aspect-square w-full overflow-hidden rounded-xl group-aria-pressed:outline-3 group-aria-pressed:outline-offset-2 group-aria-pressed:outline-deep"
      />
      {children}
    </button>
  );
}
