import { type ReactNode, useState } from "react";
import type { Photo } from "../data/media.queries.ts";
import { LoadMore } from "../ui/LoadMore.tsx";
import { PhotoChoice } from "./PhotoChoice.tsx";

const PAGE = 60;

interface PhotoChoicesProps {
  photos: readonly Photo[];
  labelOf: (photo: Photo, index: number) => string;
  isChosen: (photo: Photo) => boolean;
  onChoose: (photo: Photo) => void;
  /** The label of the button that shows more. */
  more: string;
  /** Renders a mark over a photo. */
  mark?: (photo: Photo) => ReactNode;
}

/** A list of photos to choose from, page by page. */
export function PhotoChoices({ photos, labelOf, isChosen, onChoose, more, mark }: PhotoChoicesProps) {
  const [pages, setPages] = useState(1);
  return (
    <ul className="m-0 grid max-h-[50dvh] list-none grid-cols-3 gap-2 overflow-y-auto p-1 sm:grid-cols-4">
      {photos.slice(0, pages * PAGE).map((photo, index) => (
        <li key={photo.id} className="relative">
          <PhotoChoice
            photo={photo}
            label={labelOf(photo, index)}
            chosen={isChosen(photo)}
            onChoose={() => onChoose(photo)}
          />
          {mark?.(photo)}
        </li>
      ))}
      <li className="col-span-full empty:hidden">
        <LoadMore
          label={more}
          pages={{
            hasNextPage: photos.length > pages * PAGE,
            isFetchingNextPage: false,
            isFetchNextPageError: false,
            fetchNextPage: () => setPages((before) => before + 1),
          }}
        />
      </li>
    </ul>
  );
}
