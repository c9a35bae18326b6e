import { type ComponentProps, Suspense } from "react";
import { lazyPart } from "../lib/browser/lazy-part.ts";
import type { Sky } from "../ui/Sky.tsx";

type SkyProps = ComponentProps<typeof Sky>;

const Painted = lazyPart<SkyProps>(async () => ({ default: (await import("../ui/Sky.tsx")).Sky }), "nothing");

/** A sky that loads separately, so that the text over it renders first. */
export const LazySky = (props: SkyProps) => (
  <Suspense>
    <Painted {...props} />
  </Suspense>
);
