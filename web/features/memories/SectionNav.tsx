import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { numberText } from "../../../shared/number-text.ts";
import { classNames } from "../../ui/class-names.ts";

export interface PageSection {
  /** The id of the section's element, for links. */
  id: string;
  label: string;
  /** The number of its items, if meaningful. */
  count?: number;
}

/** Links to the sections of a memory's page. Sticky below the header; marks the current section. */
export function SectionNav({ sections, children }: { sections: readonly PageSection[]; children?: ReactNode }) {
  const { t, i18n } = useTranslation("memories");
  const current = useCurrentSection(sections.map(({ id }) => id).join(" "));
  return (
    <nav
      aria-label={t("sections.label")}
      // With it, the styles set the height of the sticky bars.
      data-section-nav
      className="sticky top-(--header-height) z-20 border-b border-line bg-paper/95 backdrop-blur-sm print:hidden"
    >
      {/* The fade shows that more follows. The space at the end brings the last link out of it. */}
      <div className="page-width flex items-center justify-between gap-1">
        <ul className="m-0 flex min-w-0 list-none overflow-x-auto p-0 [scrollbar-width:none] max-sm:pe-10 max-sm:[mask-image:linear-gradient(to_right,#000_calc(100%-(--spacing(10))),transparent)] sm:gap-1">
          {sections.map(({ id, label, count = 0 }) => (
            <li key={id} className="shrink-0 first:-ms-2 sm:first:-ms-3">
              <a
                href={`#${id}`}
                aria-current={current === id ? "true" : undefined}
                className={classNames(
                  "flex min-h-12 items-center gap-1 border-b-2 px-2 sm:gap-1.5 sm:px-3 font-semibold no-underline -outline-offset-4 transition-colors duration-200 ease-out",
                  current === id ? "border-deep text-deep" : "border-transparent text-ink-soft hover:text-ink",
                )}
              >
                {label}
                {count > 0 && (
                  <span className="text-sm font-normal tabular-nums">{numberText(count, i18n.language)}</span>
                )}
              </a>
            </li>
          ))}
        </ul>
        {children}
      </div>
    </nav>
  );
}

/** Returns the id of the section that crosses a line one third down the window. `ids` is space-separated. */
function useCurrentSection(ids: string): string | undefined {
  const [current, setCurrent] = useState<string>();
  useEffect(() => {
    let frame = 0;
    // Sections may be rendered later than the page, so they are looked up each time.
    const look = () => {
      frame = 0;
      const line = window.innerHeight / 3;
      const begun = ids.split(" ").flatMap((id) => {
        const box = document.getElementById(id)?.getBoundingClientRect();
        return box && box.top <= line ? [{ id, box }] : [];
      });
      // Between two sections the upper one is current, in both directions, and above the first one none is.
      const crossing = begun.find(({ box }) => box.bottom > line);
      const upper = begun.toSorted((one, other) => other.box.bottom - one.box.bottom)[0];
      setCurrent((crossing ?? upper)?.id);
    };
    const onMove = () => {
      frame ||= requestAnimationFrame(look);
    };
    // The first check runs in an animation frame, to use its layout.
    onMove();
    addEventListener("scroll", onMove, { passive: true });
    addEventListener("resize", onMove);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("scroll", onMove);
      removeEventListener("resize", onMove);
    };
  }, [ids]);
  return current;
}
