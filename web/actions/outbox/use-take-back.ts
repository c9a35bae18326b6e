import { useTranslation } from "react-i18next";
import { pageOutbox } from "../../data/outbox/page-outbox.ts";
import type { WaitingWrite } from "../../data/outbox/waiting-write.ts";
import { toast } from "../../ui/toasts.tsx";

/** Returns a function that takes back what was not sent yet, with an undo. */
export function useTakeBack() {
  const { t } = useTranslation("outbox");
  return async (write: WaitingWrite) => {
    if (!(await pageOutbox().takeBack(write.id))) return toast({ title: t("late") });
    const { state: _, ...unsent } = write;
    const onSelect = () =>
      void pageOutbox()
        .add(unsent)
        .catch(() => {});
    toast({ title: t("takenBack"), action: { label: t("undo"), onSelect } });
  };
}
