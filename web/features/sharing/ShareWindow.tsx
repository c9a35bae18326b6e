import "../../i18n/namespaces/sharing.ts";
import "../../i18n/namespaces/shareGate.ts";
import { Share2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import type { Shareable } from "./links/links.queries.ts";
import { SharePanel } from "./SharePanel.tsx";

/** The one button that opens everything about sharing. */
export function ShareWindow({ of }: { of: Shareable }) {
  const { t } = useTranslation("sharing");
  const [open, setOpen] = useState(false);
  const album = of.kind === "album";
  return (
    <>
      <Button onClick={() => setOpen(true)} className="bg-teal! text-night! hover:bg-white!">
        <Share2 aria-hidden className="size-5" />
        {t("share")}
      </Button>
      <Dialog
        title={album ? t("albumTitle") : t("title")}
        description={album ? t("albumText") : t("text")}
        open={open}
        onOpenChange={setOpen}
      >
        <SharePanel of={of} />
      </Dialog>
    </>
  );
}
