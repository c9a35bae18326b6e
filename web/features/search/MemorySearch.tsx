import { type MouseEvent, useRef } from "react";
import { useTranslation } from "react-i18next";
import { type To, useNavigate } from "react-router";
import type { MemoryContext } from "../../data/memory-context.ts";
import { useFind } from "../../lib/browser/use-find.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { SearchField } from "../../ui/SearchField.tsx";
import { SearchResults } from "./SearchResults.tsx";

interface MemorySearchProps extends Pick<MemoryContext, "client" | "memory"> {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Renders the dialog that searches one memory. A result closes it and leads to its place on the page. */
export default function MemorySearch({ client, memory, open, onOpenChange }: MemorySearchProps) {
  const { t } = useTranslation("search");
  const navigate = useNavigate();
  const { text, find, setText } = useFind(false);
  const target = useRef<To>(undefined);
  const onOpen = (event: MouseEvent, to: To) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    target.current = to;
    onOpenChange(false);
  };
  // After it has closed, so that the page can scroll.
  const onClosed = () => {
    if (target.current) navigate(target.current, { preventScrollReset: true });
    target.current = undefined;
  };
  return (
    <Dialog title={t("inMemory")} open={open} onOpenChange={onOpenChange} onClosed={onClosed}>
      <div className="grid min-h-[min(60dvh,32rem)] content-start gap-6">
        <SearchField label={t("inMemory")} value={text} onChange={setText} begins />
        <SearchResults client={client} find={find} memoryId={memory.id} onOpen={onOpen} />
      </div>
    </Dialog>
  );
}
