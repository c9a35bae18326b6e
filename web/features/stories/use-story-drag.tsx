import { type PointerEvent, type Ref, useRef, useState } from "react";
import { createPortal } from "react-dom";
import type { Story } from "../../data/stories.queries.ts";
import { useDrag } from "../../ui/use-drag.ts";

interface StoryDragOptions {
  enabled: boolean;
  stories: readonly Story[];
  onMove: (from: number, to: number) => void;
}

/** Handles dragging a story by its handle to another position. The returned element shows the drag. */
export function useStoryDrag({ enabled, stories, onMove }: StoryDragOptions) {
  // Vertical positions are relative to the scrolled page. The ref is set when a drag begins.
  const page = useRef<HTMLElement>(null);
  const [carried, setCarried] = useState<{ from: number; to: number; mark: Mark }>();

  const placed = (from: number, y: number) => {
    const reaches = reachesOf(stories);
    const to = placeAt(y, from, reaches);
    const first = reaches[0];
    return { from, to, mark: { top: markAt(to, from, reaches), left: first?.left ?? 0, width: first?.width ?? 0 } };
  };
  const drag = useDrag({
    enabled,
    element: page,
    onBegin: (id) => setCarried({ from: stories.findIndex((story) => story.id === id), to: 0, mark: NOWHERE }),
    onOver: ({ y }) => setCarried((before) => before && placed(before.from, y)),
    onDrop() {
      if (carried && carried.to !== carried.from) onMove(carried.from, carried.to);
      setCarried(undefined);
    },
    onCancel: () => setCarried(undefined),
  });

  return {
    onPointerDown(event: PointerEvent, id: string) {
      page.current = document.documentElement;
      drag.onPointerDown(event, id);
    },
    drawn:
      carried &&
      createPortal(<Carried story={stories[carried.from]} ghost={drag.ghost} mark={carried.mark} />, document.body),
  };
}

type Mark = { top: number; left: number; width: number };
const NOWHERE: Mark = { top: 0, left: 0, width: 0 };

/** Returns the positions of the stories on the page, in CSS pixels. */
const reachesOf = (stories: readonly Story[]): (Reach & Mark)[] =>
  stories.flatMap(({ id }) => {
    const box = document.getElementById(`story-${id}`)?.getBoundingClientRect();
    if (!box) return [];
    const [down, across] = [window.scrollY, window.scrollX];
    return { top: box.top + down, bottom: box.bottom + down, left: box.left + across, width: box.width };
  });

interface CarriedProps {
  story: Story | undefined;
  ghost: Ref<HTMLDivElement>;
  mark: Mark;
}

function Carried({ story, ghost, mark }: CarriedProps) {
  return (
    <div aria-hidden>
      <div
        style={{ top: mark.top - 2, left: mark.left, width: mark.width }}
        className="pointer-events-none absolute z-40 h-1 rounded-full bg-deep"
      />
      <div ref={ghost} className="pointer-events-none fixed top-0 left-0 z-50">
        <p
          dir="auto"
          className="max-w-72 -translate-y-1/2 translate-x-4 truncate rounded-xl border border-edge bg-raised px-4 py-2 font-serif text-lg shadow-lifted"
        >
          {story?.title || story?.credit?.name}
        </p>
      </div>
    </div>
  );
}

/** The top and bottom of an element on the page, in CSS pixels. */
interface Reach {
  top: number;
  bottom: number;
}

/** Returns the index to which a story from index `from` moves if it is dropped at the vertical position `y`. */
export function placeAt(y: number, from: number, stories: readonly Reach[]): number {
  return stories.filter(({ top, bottom }, index) => index !== from && (top + bottom) / 2 < y).length;
}

/**
 * Returns the vertical position of the mark between the new neighbours of a story dragged from index `from` to `to`.
 */
export function markAt(to: number, from: number, stories: readonly Reach[]): number {
  const others = stories.filter((_, index) => index !== from);
  const [above, below] = [others[to - 1], others[to]];
  if (above && below) return (above.bottom + below.top) / 2;
  return above ? above.bottom + EDGE_PX : (below?.top ?? 0) - EDGE_PX;
}

/** Distance of the mark from the first or last story, in CSS pixels. */
const EDGE_PX = 20;
