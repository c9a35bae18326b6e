import { Keyboard } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLatest } from "../../lib/browser/use-latest.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";

/** Attributes of a list's rows, and of the link or button that `j` and `k` focus. */
export const ROW_LINK = { "data-row-link": "" };

const KEYS = ["/", "j", "k", "Enter", "?"] as const;

/** The desk's keyboard shortcuts: search, moving through rows, and a list of all shortcuts. */
export function Shortcuts() {
  const { t } = useTranslation("admin");
  const [open, setOpen] = useState(false);
  const press = useLatest((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const run = { "/": focusSearch, j: () => moveRow(1), k: () => moveRow(-1), "?": () => setOpen(true) }[event.key];
    if (!run || document.querySelector("[role=dialog]")) return;
    event.preventDefault();
    run();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press.current(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
  return (
    <>
      <Button
        variant="plain"
        size="small"
        className="justify-self-start text-start max-lg:hidden lg:col-start-1"
        onClick={() => setOpen(true)}
      >
        <Keyboard aria-hidden className="size-4" />
        {t("keys.title")}
      </Button>
      <Dialog title={t("keys.title")} open={open} onOpenChange={setOpen}>
        <dl className="m-0 grid grid-cols-[auto_1fr] items-center gap-x-5 gap-y-3">
          {KEYS.map((key) => (
            <div key={key} className="contents">
              <dt>
                <kbd className="rounded-lg border border-edge bg-wash px-2.5 py-1 font-mono text-sm">{key}</kbd>
              </dt>
              <dd className="m-0">{t(`keys.${key}`)}</dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </>
  );
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

const focusSearch = () => document.querySelector<HTMLElement>("main search input")?.focus();

function moveRow(by: 1 | -1) {
  const links = [...document.querySelectorAll<HTMLElement>("main [data-row-link]")];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const next = links[at === -1 ? 0 : Math.min(Math.max(at + by, 0), links.length - 1)];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
