import type { User } from "@supabase/supabase-js";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { memoryCountQuery } from "../../../data/memories.queries.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { DeleteForm } from "./DeleteForm.tsx";

/** Ends everything that somebody has here; it can not be undone, so the dialog names what will be lost. */
export function DeleteAccount({ user }: { user: User }) {
  const { t } = useTranslation("profile");
  const [open, setOpen] = useState(false);
  const memories = useQuery(memoryCountQuery(supabase, user.id));
  return (
    <>
      <Button variant="danger" className="justify-self-start" onClick={() => setOpen(true)}>
        {t("delete.open")}
      </Button>
      <Dialog title={t("delete.sure")} description={t("delete.final")} open={open} onOpenChange={setOpen}>
        <ul className="grid list-disc gap-2 ps-6 pb-6">
          {memories.data !== 0 && (
            <li>{memories.data ? t("delete.memories", { count: memories.data }) : t("delete.allMemories")}</li>
          )}
          <li>{t("delete.links")}</li>
          <li>{t("delete.you", { email: user.email })}</li>
        </ul>
        <DeleteForm email={user.email ?? ""} onCancel={() => setOpen(false)} />
      </Dialog>
    </>
  );
}
