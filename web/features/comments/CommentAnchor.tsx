import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { useScrollToHash } from "../../lib/browser/use-scroll-to-hash.ts";
import { classNames } from "../../ui/class-names.ts";
import { anchorOf, commentIn } from "./anchor.ts";

/** Where the address of a comment leads, as from a notice or a letter: it is brought into sight, and stands out. */
export function CommentAnchor({ id, children }: { id: string; children: ReactNode }) {
  const { target, arrived } = useScrollToHash<HTMLDivElement>(anchorOf(id), "center");
  return (
    <div
      ref={target}
      id={anchorOf(id)}
      className={classNames("min-w-0", arrived && "-mx-3 rounded-2xl bg-wash px-3 py-2")}
    >
      {children}
    </div>
  );
}

/** Whether the address leads to one of these comments. */
export function useIsLinked(comments: readonly { id: string }[]): boolean {
  const linked = commentIn(useLocation().hash);
  return comments.some(({ id }) => id === linked);
}
