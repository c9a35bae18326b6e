import { Search } from "lucide-react";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import type { MemoryContext } from "../../data/memory-context.ts";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import { useSearchKey } from "../../lib/browser/search-key.ts";
import { IconButton } from "../../ui/IconButton.tsx";

const MemorySearch = lazyPart(() => import("./MemorySearch.tsx"), "over the page");

/** Renders the button that searches a memory. Visitors, who have no search in the header, also open it with "/". */
export function MemorySearchButton({ client, memory, rights }: MemoryContext) {
  const { t } = useTranslation("search");
  const [open, setOpen] = useState(false);
  const [loaded, setLoaded] = useState(false);
  const show = () => {
    setLoaded(true);
    setOpen(true);
  };
  useSearchKey(rights.role === null || rights.role === "visitor" ? show : undefined);
  return (
    <>
      <IconButton icon={Search} label={t("inMemory")} aria-haspopup="dialog" onClick={show} />
      {loaded && (
        <Suspense>
          <MemorySearch client={client} memory={memory} open={open} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  );
}
