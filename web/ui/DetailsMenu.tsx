import { type KeyboardEvent, type ReactNode, useRef } from "react";
import { classNames } from "./class-names.ts";

interface DetailsMenuProps {
  /** The content of the button that opens the menu; `label` is its accessible name. */
  button: ReactNode;
  label: string;
  className?: string;
  /** Links; following one closes the menu. */
  children: ReactNode;
}

/** A menu of links in a `details` element, for pages that should not load the code of a menu. */
export function DetailsMenu({ button, label, className, children }: DetailsMenuProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const close = () => details.current?.removeAttribute("open");
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !details.current?.open) return;
    close();
    details.current.querySelector("summary")?.focus();
  };
  return (
    <details
      ref={details}
      onKeyDown={onKeyDown}
      onBlur={({ relatedTarget }) => details.current?.contains(relatedTarget) || close()}
      className={classNames("relative", className)}
    >
      <summary
        aria-label={label}
        className="inline-flex min-h-11 min-w-11 cursor-pointer list-none items-center justify-center rounded-full outline-current [&::-webkit-details-marker]:hidden"
      >
        {button}
      </summary>
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the links in it are what is pressed */}
      <div
        onClick={close}
        className="absolute end-0 top-full z-50 grid min-w-44 rounded-2xl border border-line bg-raised p-2 text-ink shadow-lifted"
      >
        {children}
      </div>
    </details>
  );
}

/** Style of a link in a `DetailsMenu`. */
export const DETAILS_LINK =
  "flex min-h-11 items-center rounded-xl px-3 text-ink no-underline hover:bg-wash hover:text-deep";
