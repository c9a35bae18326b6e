import "../../i18n/words/sharing.ts";
import { Share2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { type SharedMemoryFacts, SharePanel } from "./SharePanel.tsx";

/** The one button that opens everything about sharing; stands in the page of the memory it is handed. */
export default function ShareButton({ memory }: { memory: SharedMemoryFacts }) {
  const { t } = useTranslation("sharing");
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)} className="bg-teal! text-night! hover:bg-white!">
        <Share2 aria-hidden className="size-5" />
        {t("share")}
      </Button>
      <Dialog title={t("title")} description={t("text")} open={open} onOpenChange={setOpen}>
        <SharePanel memory={memory} />
      </Dialog>
    </>
  );
}
