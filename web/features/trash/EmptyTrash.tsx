import { useState } from "react";
import { useTranslation } from "react-i18next";
import { supabase } from "../../lib/request/supabase.ts";
import { Button } from "../../ui/Button.tsx";
import { toast } from "../../ui/toasts.tsx";
import { ConfirmDeletion } from "./ConfirmDeletion.tsx";
import { useEmptyTrash } from "./trash.queries.ts";

interface EmptyTrashProps {
  /** Whether this is about what others deleted from the person's memories, and not what the person deleted. */
  ofOthers: boolean;
  count: number;
}

/** The button that deletes for good all that is in the trash, after asking. */
export function EmptyTrash({ ofOthers, count }: EmptyTrashProps) {
  const { t } = useTranslation("trash");
  const [asked, setAsked] = useState(false);
  const empty = useEmptyTrash(supabase);
  return (
    <>
      <Button
        variant="quiet"
        size="small"
        className="justify-self-start"
        onClick={() => {
          empty.reset();
          setAsked(true);
        }}
      >
        {t(ofOthers ? "deleteForever" : "emptyAll")}
      </Button>
      <ConfirmDeletion
        title={t(ofOthers ? "others.title" : "emptyTitle")}
        text={t(ofOthers ? "others.sure" : "emptyText", { count })}
        confirm={t(ofOthers ? "deleteForever" : "emptyAll")}
        open={asked}
        deletion={empty}
        onConfirm={() =>
          empty.mutate(
            { ofOthers },
            {
              onSuccess: () => {
                setAsked(false);
                toast({ title: t("emptied") });
              },
            },
          )
        }
        onClose={() => setAsked(false)}
      />
    </>
  );
}
