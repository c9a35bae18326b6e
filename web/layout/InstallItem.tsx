import { useTranslation } from "react-i18next";
import { askToInstall, useInstallWay } from "../lib/browser/use-install.ts";
import { MenuItem, MenuSeparator } from "../ui/Menu.tsx";
import { toast } from "../ui/toasts.tsx";

/** Renders the menu item that puts the app on the home screen, where the browser can do that. */
export function InstallItem() {
  const { t } = useTranslation("install");
  const way = useInstallWay();
  if (!way) return null;
  const explain = () => toast({ title: t("item"), description: t("byHand") });
  return (
    <>
      <MenuSeparator />
      <MenuItem onSelect={way === "prompt" ? askToInstall : explain}>{t("item")}</MenuItem>
    </>
  );
}
