import { useTranslation } from "react-i18next";
import { forgetDraft } from "../../lib/session/story-drafts.ts";
import { toast } from "../../ui/toasts.tsx";

/** Ends writing without saving, with a way back to what was written for as long as the toast is there. */
export function usePutAside(id: string, { onClosed, onReopen }: { onClosed: () => void; onReopen: () => void }) {
  const { t } = useTranslation("stories");
  return () => {
    let wanted = false;
    onClosed();
    toast({
      title: t("write.aside"),
      action: {
        label: t("write.undo"),
        onSelect: () => {
          wanted = true;
          onReopen();
        },
      },
      onClosed: () => {
        if (!wanted) void forgetDraft(id);
      },
    });
  };
}
