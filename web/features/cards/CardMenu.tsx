import { Ellipsis } from "lucide-react";
import { useTranslation } from "react-i18next";
import { groupedCode } from "../../../shared/card.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/Menu.tsx";
import { toast } from "../../ui/toasts.tsx";
import { type MetalCardRow, useChangeCard } from "./cards.queries.ts";

interface CardMenuProps {
  card: MetalCardRow;
  userId: string;
  onMemory: () => void;
  onGive: () => void;
}

/** What can be done with a card. All of it can be taken back but giving it away, which asks by itself. */
export function CardMenu({ card, userId, onMemory, onGive }: CardMenuProps) {
  const { t } = useTranslation("cards");
  const { mutate } = useChangeCard(supabase, userId);
  const block = (blocked: MetalCardRow["blocked"]) =>
    mutate(
      { id: card.id, blocked },
      {
        onError: () => toast({ title: t("mine.changeFailed"), tone: "problem" }),
        onSuccess: () =>
          toast({
            title: t(blocked ? "mine.blocked" : "mine.unblocked"),
            action: {
              label: t("mine.undo"),
              onSelect: () => mutate({ id: card.id, blocked: card.blocked }),
            },
          }),
      },
    );
  const inHand = card.making === "engraved" || card.making === "sent";
  return (
    <Menu
      trigger={
        <IconButton label={t("mine.menu", { code: groupedCode(card.code) })}>
          <Ellipsis aria-hidden className="size-5" />
        </IconButton>
      }
    >
      {card.blocked ? (
        <MenuItem onSelect={() => block(null)}>{t(card.blocked === "lost" ? "mine.found" : "mine.enable")}</MenuItem>
      ) : (
        <>
          <MenuItem onSelect={onMemory}>{t("mine.change")}</MenuItem>
          <MenuItem onSelect={() => block("disabled")}>{t("mine.disable")}</MenuItem>
          {inHand && <MenuItem onSelect={() => block("lost")}>{t("mine.lost")}</MenuItem>}
        </>
      )}
      {inHand && (
        <>
          <MenuSeparator />
          <MenuItem onSelect={onGive}>{t("mine.give")}</MenuItem>
        </>
      )}
    </Menu>
  );
}
