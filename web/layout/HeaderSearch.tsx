import { Search } from "lucide-react";
import { type FormEvent, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useNavigate } from "react-router";
import { useSearchKey } from "../lib/browser/search-key.ts";
import { paths } from "../paths.ts";

/** Renders the search in the header: a field on wide screens, elsewhere a link to its page. "/" leads to it everywhere. */
export function HeaderSearch() {
  const { t } = useTranslation("search");
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const isSearchPage = useLocation().pathname === paths.search();
  useSearchKey(() => {
    // The page of the search has a field of its own, and narrow screens have none here.
    const input = isSearchPage ? document.querySelector<HTMLInputElement>("main search input") : field.current;
    if (input?.checkVisibility?.() ?? input?.offsetParent) input?.select();
    else navigate(paths.search());
  });
  if (isSearchPage) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    navigate(paths.search(field.current?.value.trim()));
  };
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a list's own search is the page's first search element */}
      <form role="search" onSubmit={submit} className="relative max-xl:hidden">
        <label htmlFor={id} className="sr-only">
          {t("label")}
        </label>
        <Search aria-hidden className="pointer-events-none absolute start-3.5 top-3 size-5 text-ink-soft" />
        <input
          ref={field}
          id={id}
          dir="auto"
          type="search"
          enterKeyHint="search"
          autoComplete="off"
          maxLength={200}
          placeholder={t("open")}
          aria-keyshortcuts="/"
          className="min-h-11 w-52 rounded-full border border-edge bg-raised ps-11 pe-4 text-base text-ink placeholder:text-ink-soft hover:border-deep"
        />
      </form>
      <Link
        to={paths.search()}
        aria-label={t("open")}
        className="inline-grid size-11 shrink-0 place-content-center rounded-full text-ink hover:bg-wash hover:text-deep xl:hidden"
      >
        <Search aria-hidden className="size-6" />
      </Link>
    </>
  );
}
