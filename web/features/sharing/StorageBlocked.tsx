import { useTranslation } from "react-i18next";

/** Says that a link opens anew in each tab, because the browser stores nothing for this site. */
export default function StorageBlocked() {
  const { t } = useTranslation("shareEnd");
  return <p role="status">{t("storageBlocked")}</p>;
}
