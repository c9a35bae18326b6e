import { Button } from "../../ui/Button.tsx";
import type { FirstOf } from "./use-first.ts";

interface MoreButtonProps {
  list: Pick<FirstOf<unknown>, "long" | "open" | "toggle">;
  more: string;
  fewer: string;
}

/** Opens a list whose first few are shown, and closes it again; nothing where all of it is there. */
export function MoreButton({ list, more, fewer }: MoreButtonProps) {
  if (!list.long) return null;
  return (
    <Button variant="plain" aria-expanded={list.open} onClick={list.toggle} className="-ml-4 justify-self-start">
      {list.open ? fewer : more}
    </Button>
  );
}
