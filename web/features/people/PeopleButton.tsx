import "../../i18n/namespaces/moderation.ts";
import "../../i18n/namespaces/people.ts";
import { Users } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { PeoplePanel } from "./PeoplePanel.tsx";
import type { PeopleContext } from "./people-context.ts";

/** The one button that opens everything about who belongs to the memory in whose page it stands. */
export default function PeopleButton({ memory, rights }: PeopleContext) {
  const { t } = useTranslation("people");
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="cover" className="sm:max-[50rem]:w-11 sm:max-[50rem]:px-0!" onClick={() => setOpen(true)}>
        <Users aria-hidden className="size-5" />
        {/* On tablets the sign alone, so that all of the row fits. */}
        <span className="sm:max-[50rem]:sr-only">{t("open")}</span>
      </Button>
      <Dialog
        title={t("title")}
        description={t("text", { name: memory.person_name })}
        open={open}
        onOpenChange={setOpen}
      >
        <PeoplePanel memory={memory} rights={rights} />
      </Dialog>
    </>
  );
}
