import { ChevronDown, Link2, Link2Off, Lock } from "lucide-react";
import { useId } from "react";
import { serverNow } from "../../../lib/request/server-clock.ts";
import { classNames } from "../../../ui/class-names.ts";
import { LinkDetails } from "./LinkDetails.tsx";
import { stateOf } from "./link-state.ts";
import type { Shareable, ShareLink } from "./links.queries.ts";
import { useLinkLabels } from "./use-link-labels.ts";

interface LinkRowProps {
  link: ShareLink;
  of: Shareable;
  open: boolean;
  onToggle: () => void;
}

/** Renders an additional link in three lines, which expand to all its settings. */
export function LinkRow({ link, of, open, onToggle }: LinkRowProps) {
  const labels = useLinkLabels();
  const id = useId();
  const state = stateOf(link, serverNow());
  const Icon = state === "open" ? (link.asks ? Lock : Link2) : state === "locked" ? Lock : Link2Off;
  return (
    <li className="rounded-2xl border border-line bg-paper">
      <h3>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={onToggle}
          className="flex w-full cursor-pointer items-center gap-4 rounded-2xl px-4 py-3 text-start transition-colors duration-200 ease-out hover:bg-wash"
        >
          <Icon
            aria-hidden
            className={classNames("size-5 shrink-0", state === "open" ? "text-deep" : "text-danger-text")}
          />
          <span className="grid min-w-0 grow">
            <span dir="auto" className="font-serif text-lg leading-snug wrap-anywhere">
              {labels.name(link, false)}
            </span>
            <span className="text-sm text-ink-soft">{labels.summary(link)}</span>
            <span className="text-sm text-ink-soft">{labels.opened(link)}</span>
          </span>
          <ChevronDown
            aria-hidden
            className={classNames(
              "size-5 shrink-0 text-ink-soft transition-transform duration-200 ease-out",
              open && "rotate-180",
            )}
          />
        </button>
      </h3>
      {open && (
        <div id={id} className="border-t border-line p-4">
          <LinkDetails link={link} of={of} first={false} cards={false} />
        </div>
      )}
    </li>
  );
}
