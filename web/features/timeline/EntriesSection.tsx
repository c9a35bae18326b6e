import { Printer } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { writtenDate } from "../../../shared/written-date.ts";
import { useScrollToHash } from "../../lib/browser/use-scroll-to-hash.ts";
import { Button } from "../../ui/Button.tsx";
import { Programme } from "./Programme.tsx";
import { anchorOf, type EntriesShown, Timeline } from "./Timeline.tsx";

/** Renders the timeline of a tribute or the programme of an event, or nothing if it is empty. */
export function EntriesSection({ children, ...props }: EntriesShown & { children?: ReactNode }) {
  const { t, i18n } = useTranslation("stories");
  const { hash } = useLocation();
  useScrollToHash(hash.startsWith(`#${anchorOf("")}`) ? hash.slice(1) : "", "center");
  const { memory, entries } = props;
  const event = memory.kind === "event";
  const title = event ? t("life.titleEvent") : t("life.title");
  // Without entries there is no timeline, because the dates of birth and passing are already below the name.
  const empty = entries.length === 0;
  if (empty && !children) return null;
  return (
    <section aria-label={title} data-print-area={event ? "" : undefined}>
      <div className="grid w-full max-w-4xl gap-8">
        {event && (
          <header className="hidden text-center print:block">
            <p dir="auto" className="font-serif text-4xl">
              {memory.person_name}
            </p>
            {memory.event_date && <p className="mt-2 text-lg">{writtenDate(memory.event_date, i18n.language)}</p>}
          </header>
        )}
        {!empty && (
          <>
            <div className="flex flex-wrap items-center justify-between gap-3">
              <h2 className="font-serif text-2xl sm:text-3xl print:sr-only">{title}</h2>
              {event && (
                <Button icon={Printer} variant="quiet" size="small" className="print:hidden" onClick={printArea}>
                  {t("life.print")}
                </Button>
              )}
            </div>
            {event ? <Programme {...props} /> : <Timeline {...props} />}
          </>
        )}
        {children}
      </div>
    </section>
  );
}

/** Prints only the page's element with `data-print-area`. */
function printArea() {
  const { dataset } = document.documentElement;
  dataset.print = "area";
  window.addEventListener("afterprint", () => delete dataset.print, { once: true });
  window.print();
}
