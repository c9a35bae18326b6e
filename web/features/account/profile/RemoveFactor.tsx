import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { useRemoveFactor } from "./factors.queries.ts";
import { useProfileTexts } from "./use-profile-texts.ts";

interface RemoveFactorProps {
  factorId: string;
  /** Whether the password alone will do afterwards. */
  last: boolean;
  onClose: () => void;
}

/** Asks before a second factor is taken away: it would have to be set up anew. */
export function RemoveFactor({ factorId, last, onClose }: RemoveFactorProps) {
  const { t } = useTranslation("profile");
  const texts = useProfileTexts();
  const remove = useRemoveFactor();
  const done = () => {
    toast({ title: t("factors.removed") });
    onClose();
  };
  return (
    <Dialog
      title={t("factors.removeTitle")}
      description={t(last ? "factors.removeLast" : "factors.removeText")}
      open
      onOpenChange={onClose}
    >
      <div className="flex flex-wrap justify-end gap-3">
        {remove.error && (
          <p role="alert" className="basis-full text-danger-text">
            {texts.failure(remove.error)?.message}
          </p>
        )}
        <Button variant="quiet" onClick={onClose}>
          {t("cancel")}
        </Button>
        <Button
          variant="danger"
          aria-busy={remove.isPending}
          onClick={() => !remove.isPending && remove.mutate(factorId, { onSuccess: done })}
        >
          {t("remove")}
        </Button>
      </div>
    </Dialog>
  );
}
