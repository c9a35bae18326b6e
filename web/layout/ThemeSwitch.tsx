import { Moon, Sun, SunMoon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useTheme } from "../lib/browser/theme.ts";
import { SegmentedControl } from "../ui/SegmentedControl.tsx";

/** Renders the choice of theme with all options visible. */
export function ThemeSwitch() {
  const { t } = useTranslation("layout");
  const [theme, choose] = useTheme();
  return (
    <SegmentedControl
      label={t("theme.label")}
      value={theme}
      onChange={choose}
      options={[
        { value: "system", label: <Choice icon={SunMoon} text={t("theme.system")} /> },
        { value: "light", label: <Choice icon={Sun} text={t("theme.light")} /> },
        { value: "dark", label: <Choice icon={Moon} text={t("theme.dark")} /> },
      ]}
    />
  );
}

function Choice({ icon: Icon, text }: { icon: typeof Sun; text: string }) {
  return (
    <>
      <Icon aria-hidden className="size-4.5 max-sm:hidden" />
      {text}
    </>
  );
}
