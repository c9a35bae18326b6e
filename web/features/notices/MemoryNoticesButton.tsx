import "../../i18n/namespaces/notices.ts";
import { BellRing } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { MemoryNotices, type MemoryNoticesProps } from "./MemoryNotices.tsx";

/** Opens how one is told of a memory, on its page. */
export default function MemoryNoticesButton({ memory, rights }: MemoryNoticesProps) {
  const { t } = useTranslation("notices");
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="cover" className="sm:max-[50rem]:w-11 sm:max-[50rem]:px-0!" onClick={() => setOpen(true)}>
        <BellRing aria-hidden className="size-5" />
        <span className="sm:max-[50rem]:sr-only">{t("memory.open")}</span>
      </Button>
      <Dialog
        title={t("memory.title")}
        description={t("memory.text", { name: memory.person_name })}
        open={open}
        onOpenChange={setOpen}
      >
        <MemoryNotices memory={memory} rights={rights} />
      </Dialog>
    </>
  );
}
