import { RotateCcw, RotateCw } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../ui/IconButton.tsx";

/** Renders the buttons that turn the selected photos. */
export function TurnTools({ onTurn }: { onTurn: (degrees: number) => void }) {
  const { t } = useTranslation("editing");
  return (
    <>
      <IconButton icon={RotateCcw} label={t("left")} onClick={() => onTurn(-90)} />
      <IconButton icon={RotateCw} label={t("right")} onClick={() => onTurn(90)} />
    </>
  );
}
