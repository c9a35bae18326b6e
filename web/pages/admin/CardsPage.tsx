import { useTranslation } from "react-i18next";
import { Board } from "../../features/admin/cards/Board.tsx";
import { Desk } from "./Desk.tsx";

/** /admin/cards: the fulfilment board. */
export default function CardsPage() {
  const { t } = useTranslation("admin");
  return (
    <Desk title={t("sections.cards")}>
      <Board />
    </Desk>
  );
}
