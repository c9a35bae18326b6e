import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { DeletedList } from "./DeletedList.tsx";

/** Renders the button that opens the signed-in person's deleted items of this memory. */
export default function TrashButton({ memory }: { memory: { id: string } }) {
  const { t } = useTranslation("trash");
  const [open, setOpen] = useState(false);
  return (
    <div className="print:hidden">
      <Button variant="plain" size="small" onClick={() => setOpen(true)}>
        <Trash2 aria-hidden className="size-4" />
        {t("title")}
      </Button>
      <Dialog title={t("title")} description={t("textHere")} open={open} onOpenChange={setOpen}>
        <DeletedList memoryId={memory.id} />
      </Dialog>
    </div>
  );
}
