import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import { supabase } from "../../../lib/request/supabase.ts";
import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/Button.tsx";
import { Form, SubmitButton } from "../../../ui/Form.tsx";
import { useChangeCard } from "../cards.queries.ts";
import { MemoryChoice } from "../MemoryChoice.tsx";
import { useCardMemories } from "../use-card-memories.ts";
import { CardScreen } from "./CardScreen.tsx";

/** Chooses the memory for a scanned card that belongs to the person and opens no memory yet. */
export function AssignCard({ cardId, userId }: { cardId: string; userId: string }) {
  const { t } = useTranslation(["ownCards", "cardScan"]);
  const go = useNavigate();
  const [chosen, choose] = useState<string | null>(null);
  const { memories, search } = useCardMemories(userId, chosen);
  const change = useChangeCard(supabase, userId);
  const memoryId = chosen ?? (memories?.length === 1 && !search ? memories[0]?.id : undefined) ?? null;
  return (
    <CardScreen title={t("cardScan:yoursTitle")} text={t("cardScan:yoursText")}>
      {memories?.length === 0 && !search ? (
        <>
          <p className="text-center">{t("mine.noMemories")}</p>
          <Button asChild size="large">
            <Link to={paths.newMemory()}>{t("mine.createMemory")}</Link>
          </Button>
        </>
      ) : (
        <Form
          error={change.error && new Error(t("mine.changeFailed"))}
          onSubmit={(event) => {
            event.preventDefault();
            if (memoryId === null) return;
            change.mutate({ id: cardId, memory_id: memoryId }, { onSuccess: () => void go(paths.cards()) });
          }}
        >
          <MemoryChoice memories={memories} search={search} value={memoryId} onChange={choose} />
          <SubmitButton busy={change.isPending} disabled={memoryId === null}>
            {t("mine.choose")}
          </SubmitButton>
        </Form>
      )}
      <Link to={paths.cards()} className="inline-flex min-h-11 items-center justify-self-center">
        {t("cardScan:mine")}
      </Link>
    </CardScreen>
  );
}
