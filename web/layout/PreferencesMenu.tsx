import { Languages } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../ui/IconButton.tsx";
import { Menu } from "../ui/Menu.tsx";
import { MenuPreferences } from "./MenuPreferences.tsx";

/** A button of its own for language and theme. */
export function PreferencesMenu() {
  const { t } = useTranslation("layout");
  return (
    <Menu
      trigger={
        <IconButton label={t("preferences")}>
          <Languages aria-hidden />
        </IconButton>
      }
    >
      <MenuPreferences />
    </Menu>
  );
}
