import { Link2Off, RefreshCw, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/Button.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { DeleteLink } from "./DeleteLink.tsx";
import type { LinkChange, ShareLink } from "./links.queries.ts";
import { RemakeLink } from "./RemakeLink.tsx";

interface LinkActionsProps {
  link: ShareLink;
  first: boolean;
  name: string;
  onChange: (change: LinkChange) => void;
}

/** Closes a link, makes it anew, and deletes one that is not a memory's first. */
export function LinkActions({ link, first, name, onChange }: LinkActionsProps) {
  const { t } = useTranslation("sharing");
  const [asking, setAsking] = useState<"remake" | "delete">();
  const closed = link.revoked_at !== null;
  const close = () => {
    onChange({ revoked_at: new Date().toISOString() });
    toast({
      title: t("close.done"),
      description: t("close.doneText"),
      action: { label: t("close.undo"), onSelect: () => onChange({ revoked_at: null }) },
    });
  };
  return (
    <div className="grid gap-3 border-t border-line pt-4">
      <div className="flex flex-wrap gap-2">
        {!closed && (
          <Button variant="quiet" size="small" onClick={close}>
            <Link2Off aria-hidden className="size-5" />
            {t("close.action")}
          </Button>
        )}
        <Button variant="quiet" size="small" onClick={() => setAsking("remake")}>
          <RefreshCw aria-hidden className="size-5" />
          {t("remake.action")}
        </Button>
        {!first && (
          <Button variant="quiet" size="small" onClick={() => setAsking("delete")}>
            <Trash2 aria-hidden className="size-5" />
            {t("delete.action")}
          </Button>
        )}
      </div>
      <RemakeLink link={link} first={first} open={asking === "remake"} onOpenChange={() => setAsking(undefined)} />
      <DeleteLink link={link} name={name} open={asking === "delete"} onOpenChange={() => setAsking(undefined)} />
    </div>
  );
}
