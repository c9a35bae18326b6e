import { DoorOpen } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { supabase } from "../../lib/request/supabase.ts";
import { useUser } from "../../lib/session/session.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { toast } from "../../ui/toasts.tsx";
import { useLeave } from "./people.queries.ts";

/** Leaves a memory, which one cannot undo by oneself: the dialog names what is lost. */
export function LeaveMemory({ memory }: { memory: { id: string; person_name: string } }) {
  const { t } = useTranslation("people");
  const navigate = useNavigate();
  const { id: userId } = useUser();
  const [asking, setAsking] = useState(false);
  const name = memory.person_name;
  const leave = useLeave(supabase, memory.id, () => {
    toast({ title: t("leave.done", { name }) });
    navigate(paths.start(), { replace: true });
  });
  return (
    <div className="border-t border-line pt-5">
      <Button variant="quiet" size="small" onClick={() => setAsking(true)}>
        <DoorOpen aria-hidden className="size-5" />
        {t("leave.action")}
      </Button>
      <Dialog title={t("leave.title", { name })} description={t("leave.text")} open={asking} onOpenChange={setAsking}>
        <div className="flex flex-wrap justify-end gap-3">
          {leave.isError && (
            <p role="alert" className="basis-full text-danger-text">
              {t("leave.failed")}
            </p>
          )}
          <Button variant="quiet" onClick={() => setAsking(false)}>
            {t("leave.cancel")}
          </Button>
          <Button variant="danger" aria-busy={leave.isPending} onClick={() => !leave.isPending && leave.mutate(userId)}>
            {t("leave.confirm")}
          </Button>
        </div>
      </Dialog>
    </div>
  );
}
