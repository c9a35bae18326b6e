import { useState } from "react";
import { useTranslation } from "react-i18next";
import { supabase } from "../../lib/request/supabase.ts";
import { Button } from "../../ui/Button.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { toast } from "../../ui/toasts.tsx";
import { linesOf, MOST_TABLES } from "./print-choices.ts";
import { useDeleteLinks, useMakeLinks } from "./printing.queries.ts";

interface LinkMakerProps {
  memoryId: string;
  onMade: (ids: string[]) => void;
  onCancel: (() => void) | undefined;
}

/** Makes a link for each table or chapter, by a list of their names. */
export function LinkMaker({ memoryId, onMade, onCancel }: LinkMakerProps) {
  const { t } = useTranslation("printing");
  const [names, setNames] = useState(t("defaults.tables"));
  const make = useMakeLinks(supabase, memoryId);
  const remove = useDeleteLinks(supabase);
  const labels = [...new Set(linesOf(names, MOST_TABLES))];
  const undo = (ids: string[]) =>
    remove.mutate(ids, {
      onError: () => toast({ title: t("codes.undoFailed"), description: t("codes.undoFailedText"), tone: "problem" }),
    });
  const submit = () => {
    if (make.isPending || labels.length === 0) return;
    make.mutate(labels, {
      onSuccess: (ids) => {
        toast({
          title: t("codes.made", { count: ids.length }),
          action: { label: t("codes.undo"), onSelect: () => undo(ids) },
        });
        onMade(ids);
      },
    });
  };
  return (
    <div className="grid gap-4 rounded-2xl bg-sunken p-4">
      <TextArea
        label={t("codes.names")}
        hint={t("codes.namesHint", { count: MOST_TABLES })}
        rows={5}
        value={names}
        onChange={({ target }) => setNames(target.value)}
      />
      {make.isError && (
        <p role="alert" className="text-danger-text">
          {t("codes.makeFailed")}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button aria-busy={make.isPending} aria-disabled={labels.length === 0} onClick={submit}>
          {t("codes.makeThem", { count: labels.length })}
        </Button>
        {onCancel && (
          <Button variant="quiet" onClick={onCancel}>
            {t("codes.cancel")}
          </Button>
        )}
      </div>
    </div>
  );
}
