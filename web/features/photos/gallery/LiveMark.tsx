import { CircleDot } from "lucide-react";

/** The small mark on a photo that plays when it is pressed. */
export const LiveMark = () => (
  <span
    aria-hidden
    className="pointer-events-none absolute right-1.5 bottom-1.5 grid size-6 place-content-center rounded-full bg-black/55 text-white"
  >
    <CircleDot className="size-4" />
  </span>
);
